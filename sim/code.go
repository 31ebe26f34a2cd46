package sim

import "encoding/binary"

// The code of a tree. An operation begins with a varint of its cost and three
// bits for its kind; kinds that are rare share a number and have a further byte.
// Positions are four bytes, so that they can be filled in later.

const (
	kindBits = 3
	rare     = 1<<kindBits - 1 // Enter and all kinds after it
)

func (b *Builder) head(k Kind, cost int64) {
	if k < Enter {
		b.number(cost<<kindBits | int64(k))
		return
	}
	b.number(cost<<kindBits | rare)
	b.t.code = append(b.t.code, byte(k))
}

func (b *Builder) number(n int64) { b.t.code = binary.AppendUvarint(b.t.code, uint64(n)) }

// hole makes room for a position.
func (b *Builder) hole() (at int) {
	at = len(b.t.code)
	b.t.code = append(b.t.code, 0, 0, 0, 0)
	return at
}

func (b *Builder) fill(at int) {
	binary.LittleEndian.PutUint32(b.t.code[at:], uint32(len(b.t.code)))
}

// A decoder walks over code that is known to be right.
type decoder struct {
	code []byte
	at   Pos
}

func (r *decoder) number() int64 {
	c := r.code[r.at]
	r.at++
	if c < 0x80 {
		return int64(c)
	}
	n := uint64(c & 0x7f)
	for shift := uint(7); ; shift += 7 {
		c = r.code[r.at]
		r.at++
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return int64(n)
		}
	}
}

func (r *decoder) pos() Pos {
	p := binary.LittleEndian.Uint32(r.code[r.at:])
	r.at += 4
	return Pos(p)
}

// Decode reads the operation at a position into op. It costs a few nanoseconds
// and allocates nothing.
func (t *Tree) Decode(at Pos, op *Op) {
	r := decoder{t.code, at}
	n := r.number()
	op.Cost = n >> kindBits
	op.Kind = Kind(n & rare)
	switch op.Kind {
	case End:
	case Fork:
		op.Site = int(r.number())
		op.Second = r.pos()
	case Loop, Items, Reduce:
		op.Site = int(r.number())
		op.N = r.number()
		op.Min = r.number()
		op.Max = r.number()
		if op.Kind == Loop {
			op.Items = int(r.number())
			op.list = int(r.number())
			break
		}
		list := int(r.pos())
		op.Items, op.list = int(t.lists[list]), list+1
		if op.N == 0 {
			op.N = int64(op.Items)
		}
	case Spawn:
		op.Site = int(r.number())
		op.Group = int(r.number())
		op.Second = r.pos()
	case Wait:
		op.Group = int(r.number())
	case rare:
		op.Kind = Kind(r.code[r.at])
		r.at++
		t.decodeRare(&r, op)
	}
	op.Next = r.at
}

func (t *Tree) decodeRare(r *decoder, op *Op) {
	switch op.Kind {
	case Enter:
		op.Site = int(r.number())
	case Pause:
		op.Work = r.number()
	case Moved:
		op.Worker = int(r.number())
		op.At = r.number()
	case Summary:
		op.Work = r.number()
		op.Span = r.number()
		op.Tasks = r.number()
	}
}
