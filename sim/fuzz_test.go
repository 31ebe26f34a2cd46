package sim_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/sim"
)

// FuzzRead wants that no file makes Read panic or take memory out of proportion,
// and that what it accepts can be written and read again.
func FuzzRead(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(encode(f, sim.Random(seed, 30, 100)))
	}
	f.Fuzz(func(t *testing.T, file []byte) { checkRead(t, file) })
}

// FuzzTrack is FuzzRead for what lies behind the checksums.
func FuzzTrack(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(trackOf(encode(f, sim.Random(seed, 30, 100))))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, track []byte) { checkRead(t, fileOf(track)) })
}

// trackOf returns the events of a file that has one chunk of them.
func trackOf(file []byte) []byte {
	for at := 8; ; {
		kind := file[at]
		n, size := binary.Uvarint(file[at+1:])
		at += 1 + size
		if kind == 'T' {
			return file[at+1 : at+int(n)] // without the number of the track
		}
		at += int(n) + 4
	}
}

// fileOf returns a file of one track, with checksums that are right.
func fileOf(track []byte) []byte {
	file := []byte("fjrec\x00\x01\n")
	chunk := func(kind byte, content []byte) {
		file = binary.AppendUvarint(append(file, kind), uint64(len(content)))
		file = append(file, content...)
		file = binary.LittleEndian.AppendUint32(file, crc32.ChecksumIEEE(content))
	}
	chunk('N', bytes.Repeat([]byte("\x01a"), 9))
	chunk('T', append([]byte{0}, track...))
	summary := append([]byte{0}, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f) // a tick is 1.0
	chunk('E', append(summary, 0, 1, 0, 2))
	return file
}

func checkRead(t *testing.T, file []byte) {
	tree, err := sim.Read(bytes.NewReader(file))
	if err != nil {
		return
	}
	if size := tree.Size(); size > 64*int64(len(file))+1024 {
		t.Errorf("%d bytes have become %d", len(file), size)
	}
	tree.Measure(1)
	again := encode(t, tree)
	back, err := sim.Read(bytes.NewReader(again))
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	if back.Measure(1).Work != tree.Measure(1).Work {
		t.Errorf("read %+v, but wrote %+v", back.Measure(1), tree.Measure(1))
	}
	if stepsOf(tree) < 10_000 {
		checkReplay(t, tree)
	}
}

// stepsOf bounds the steps of a run from above.
func stepsOf(t *sim.Tree) (steps int64) {
	var op sim.Op
	at := t.Root()
	for range t.Counts().Ops {
		t.Decode(at, &op)
		switch at = op.Next; op.Kind {
		case sim.Loop:
			steps += min(op.N, 1<<32)
		case sim.Summary:
			steps += min(op.Tasks+op.Work, 1<<32)
		}
		steps++
	}
	return steps
}

// checkReplay wants that a tree is run completely, or is said to wait for itself.
func checkReplay(t *testing.T, tree *sim.Tree) {
	for i, name := range sim.Presets() {
		c, err := sim.Preset(name, 1+2*i)
		if err != nil {
			t.Fatal(err)
		}
		r, err := sim.Replay(tree, c)
		if err != nil {
			if !strings.Contains(err.Error(), "wait for each other") {
				t.Error(err)
			}
			continue
		}
		busy := int64(0)
		for _, w := range r.Workers {
			busy += w.Busy
		}
		if busy != tree.Measure(0).Work || r.Makespan < r.Bounds.Least {
			t.Errorf("%s did %d of %d work in %d, where %d is the least", name, busy, tree.Measure(0).Work, r.Makespan, r.Bounds.Least)
		}
	}
}

func TestFuzzHelpers(t *testing.T) {
	file := encode(t, sim.Random(2, 30, 100))
	tree, err := sim.Read(bytes.NewReader(fileOf(trackOf(file))))
	if err != nil || tree.Counts().Tasks < 10 {
		t.Errorf("%v tasks, %v", tree.Counts(), err)
	}
}
