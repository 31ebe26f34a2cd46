package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// An Input reads numbers from bytes that may be anything.
type Input struct {
	Bytes []byte
	At    int
}

var errTruncated = errors.New("it ends too early")

// Number reads a varint.
func (in *Input) Number() (uint64, error) {
	if in.At < len(in.Bytes) {
		if c := in.Bytes[in.At]; c < 0x80 {
			in.At++
			return uint64(c), nil
		}
	}
	n, size := binary.Uvarint(in.Bytes[in.At:])
	switch {
	case size == 0:
		return 0, errTruncated
	case size < 0:
		return 0, errors.New("a number is too large")
	}
	in.At += size
	return n, nil
}

func (in *Input) take(n uint64) ([]byte, error) {
	if n > uint64(len(in.Bytes)-in.At) {
		return nil, errTruncated
	}
	b := in.Bytes[in.At : in.At+int(n)]
	in.At += int(n)
	return b, nil
}

func (in *Input) text() (string, error) {
	n, err := in.Number()
	if err != nil {
		return "", err
	}
	if n > maxName {
		return "", fmt.Errorf("a name has %d bytes, want <= %d", n, maxName)
	}
	b, err := in.take(n)
	return string(b), err
}

func (in *Input) chunk() (kind byte, content []byte, err error) {
	if in.At == len(in.Bytes) {
		return 0, nil, errTruncated
	}
	kind = in.Bytes[in.At]
	in.At++
	n, err := in.Number()
	if err != nil {
		return 0, nil, err
	}
	if content, err = in.take(n); err != nil {
		return 0, nil, err
	}
	sum, err := in.take(4)
	if err != nil {
		return 0, nil, err
	}
	if binary.LittleEndian.Uint32(sum) != crc32.ChecksumIEEE(content) {
		return 0, nil, errors.New("its checksum is wrong")
	}
	return kind, content, nil
}

// An Event is what a worker noted.
type Event struct {
	Kind Kind
	Cost uint64
	Num  [6]uint64
}

// Event reads one.
func (in *Input) Event(e *Event) error {
	head, err := in.Number()
	if err != nil {
		return err
	}
	e.Cost = head >> KindBits
	e.Kind = Kind(head & KindMask)
	if e.Kind == rare {
		if in.At == len(in.Bytes) {
			return errTruncated
		}
		e.Kind = Kind(in.Bytes[in.At])
		in.At++
		if e.Kind <= rare || e.Kind >= Kinds {
			return fmt.Errorf("an event is of kind %d", e.Kind)
		}
	}
	if e.Cost > MaxCost {
		return fmt.Errorf("a cost is %d, want <= %d", e.Cost, uint64(MaxCost))
	}
	for i := range e.Kind.Fields() {
		if e.Num[i], err = in.Number(); err != nil {
			return err
		}
	}
	return nil
}
