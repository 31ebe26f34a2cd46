package sim

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"strings"

	"github.com/forkjoin-go/forkjoin/internal/record"
)

// ErrFormat is what [Read] returns, wrapped, for a file that is not a recording
// or is damaged.
var ErrFormat = record.ErrFormat

// Read reads a recording. It takes time and memory in proportion to the length
// of the file, whatever that contains.
func Read(r io.Reader) (*Tree, error) {
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("forkjoin: recording: %w", err)
	}
	return decode(file)
}

// ReadFile reads the recording in a file.
func ReadFile(name string) (*Tree, error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("forkjoin: recording: %w", err)
	}
	t, err := decode(file)
	if err != nil {
		return nil, fileError{name, err}
	}
	return t, nil
}

// A fileError is what is wrong with a file.
type fileError struct {
	name string
	err  error
}

func (e fileError) Error() string {
	return "forkjoin: " + e.name + ": " + strings.TrimPrefix(e.err.Error(), "forkjoin: ")
}

func (e fileError) Unwrap() error { return e.err }

// decode makes a tree of a recording: it finds the pieces, and then puts each
// where it belongs.
func decode(file []byte) (*Tree, error) {
	f, err := record.Parse(file)
	if err != nil {
		return nil, err
	}
	ix, err := newIndex(f)
	if err != nil {
		return nil, err
	}
	l := linker{index: ix, b: NewBuilder(), tick: fixed(f.Tick), sites: make([]int, len(f.Names))}
	for i, name := range f.Names {
		l.sites[i] = l.b.Site(name)
	}
	if err := l.run(); err != nil {
		return nil, err
	}
	l.meta.Declared, l.meta.Workers, l.meta.Program = f.Declared, f.Workers, f.Program
	if !f.Declared {
		l.meta.Elapsed = f.Elapsed
	}
	l.b.Describe(l.meta)
	t, err := l.b.Tree()
	if err != nil {
		return nil, damaged("%v", err)
	}
	return t, nil
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
}

// Times are converted with whole numbers, so that the result is the same on
// every machine.
const fixedOne = 1 << 32

func fixed(x float64) uint64 { return uint64(x * fixedOne) }

// scale returns n times a fixed number, and what is left over by rounding down,
// to be given to the next.
func scale(n, by, rest uint64) (whole, left uint64) {
	high, low := bits.Mul64(n, by)
	low, carry := bits.Add64(low, rest, 0)
	high += carry
	if high>>31 != 0 {
		return math.MaxInt64, 0
	}
	return high<<32 | low>>32, low & (fixedOne - 1)
}
