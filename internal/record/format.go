package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// The frame of a file: a magic number with the version, and chunks. A chunk is
// its kind, the length of its contents as a varint, the contents, and their
// CRC-32. See docs/FORMAT.md.

const magic = "fjrec\x00\x01\n" // the version is the last byte but one

const (
	chunkNames   byte = 'N'
	chunkTrack   byte = 'T'
	chunkSummary byte = 'E'
)

// maxNames bounds how long names are in a chunk.
const maxName = 1 << 12

func appendHeader(b []byte) []byte { return append(b, magic...) }

func appendNumber(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

func appendString(b []byte, s string) []byte {
	s = s[:min(len(s), maxName)]
	return append(appendNumber(b, uint64(len(s))), s...)
}

// chunkFrame returns what comes before and after b in a chunk whose contents are
// the bytes of both a and b.
func chunkFrame(kind byte, a, b []byte) (head, sum []byte) {
	head = appendNumber([]byte{kind}, uint64(len(a)+len(b)))
	crc := crc32.Update(crc32.ChecksumIEEE(a), crc32.IEEETable, b)
	return append(head, a...), binary.LittleEndian.AppendUint32(nil, crc)
}

// appendChunk appends a chunk.
func appendChunk(b []byte, kind byte, content []byte) []byte {
	head, sum := chunkFrame(kind, content, nil)
	return append(append(b, head...), sum...)
}

// Info is the summary at the end of a file.
type Info struct {
	Declared bool    // costs are declared, not measured
	Tick     float64 // nanoseconds in a unit of measured time
	Elapsed  int64   // nanoseconds
	Workers  int
	Program  string
	Chunks   uint64 // before the summary
}

func (s *Info) append(to []byte) []byte {
	flags := uint64(0)
	if s.Declared {
		flags = 1
	}
	b := appendNumber(nil, flags)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Tick))
	b = appendNumber(b, uint64(max(s.Elapsed, 0)))
	b = appendNumber(b, uint64(s.Workers))
	b = appendString(b, s.Program)
	b = appendNumber(b, s.Chunks)
	return appendChunk(to, chunkSummary, b)
}

// A File is a recording file taken apart. Tracks are as they were written; who
// reads them must believe nothing.
type File struct {
	Info
	Names  []string
	Tracks [][]byte

	index map[uint64]int // of tracks, by number
}

// ErrFormat is what errors of Parse are.
var ErrFormat = errors.New("forkjoin: not a recording, or a damaged one")

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
}

// Parse takes a file apart. It allocates no more than a small multiple of the
// file's size.
func Parse(file []byte) (*File, error) {
	if len(file) < len(magic) || string(file[:6]) != magic[:6] {
		return nil, broken("it does not begin like one")
	}
	if file[6] != magic[6] {
		return nil, broken("its version is %d, want %d", file[6], magic[6])
	}
	if file[7] != magic[7] {
		return nil, broken("its line ends were changed")
	}
	f := &File{Names: []string{""}, index: map[uint64]int{}}
	in := Input{Bytes: file, At: len(magic)}
	for chunks := uint64(0); ; chunks++ {
		at := in.At
		kind, content, err := in.chunk()
		if err != nil {
			return nil, broken("chunk %d at byte %d: %v", chunks, at, err)
		}
		switch kind {
		case chunkNames:
			err = f.addNames(content)
		case chunkTrack:
			err = f.addTrack(content)
		case chunkSummary:
			if err = f.Info.parse(content); err == nil && f.Chunks != chunks {
				err = fmt.Errorf("it has %d chunks, want %d", chunks, f.Chunks)
			}
			if err == nil && in.At != len(file) {
				err = fmt.Errorf("%d bytes follow the last chunk", len(file)-in.At)
			}
			if err == nil {
				return f, nil
			}
		default:
			err = fmt.Errorf("its kind is %#x", kind)
		}
		if err != nil {
			return nil, broken("chunk %d at byte %d: %v", chunks, at, err)
		}
	}
}

func (f *File) addNames(content []byte) error {
	in := Input{Bytes: content}
	for in.At < len(content) {
		s, err := in.text()
		if err != nil {
			return err
		}
		f.Names = append(f.Names, s)
	}
	return nil
}

func (f *File) addTrack(content []byte) error {
	in := Input{Bytes: content}
	n, err := in.Number()
	if err != nil {
		return err
	}
	i, ok := f.index[n]
	if !ok {
		i = len(f.Tracks)
		f.index[n] = i
		f.Tracks = append(f.Tracks, nil)
	}
	f.Tracks[i] = append(f.Tracks[i], content[in.At:]...)
	return nil
}

func (s *Info) parse(content []byte) error {
	in := Input{Bytes: content}
	flags, err := in.Number()
	if err != nil {
		return err
	}
	if flags > 1 || len(content)-in.At < 8 {
		return errors.New("the summary is damaged")
	}
	s.Declared = flags == 1
	s.Tick = math.Float64frombits(binary.LittleEndian.Uint64(content[in.At:]))
	if !(s.Tick >= 0 && s.Tick <= 1e6) {
		return fmt.Errorf("a tick is %v ns", s.Tick)
	}
	in.At += 8
	elapsed, err := in.Number()
	if err != nil {
		return err
	}
	workers, err := in.Number()
	if err != nil {
		return err
	}
	if elapsed > math.MaxInt64 || workers > math.MaxInt32 {
		return fmt.Errorf("elapsed time and workers are %d and %d", elapsed, workers)
	}
	s.Elapsed, s.Workers = int64(elapsed), int(workers)
	if s.Program, err = in.text(); err != nil {
		return err
	}
	s.Chunks, err = in.Number()
	return err
}
