package record

import (
	"io"
	"sync"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

// A Writer keeps a file up to date with a recording that goes on. Every write
// replaces the summary at the end of the file by new chunks and a new summary, in
// one go, so whatever ends the program leaves a complete file.
//
// A write costs some microseconds. So that a program of many short calls is not
// slowed down much, writing after short calls may take a tenth of the time since
// the recording began, beyond a grace of some milliseconds; a write that would
// take more is put off until then.
type Writer struct {
	rec   *Recording
	file  io.WriterAt
	began time.Time

	mu    sync.Mutex
	end   int64         // where the summary begins
	spent time.Duration // by writing after short calls
	timer *time.Timer   // runs when a write was put off
	err   error
}

const (
	writeGrace = 20 * time.Millisecond
	writeShare = 10 // writing may take one of so many parts of the time
	putOff     = 10 * time.Millisecond
	shortCall  = 50 * time.Microsecond
)

// NewWriter returns a Writer to an empty file.
func NewWriter(r *Recording, file io.WriterAt) *Writer {
	w := &Writer{rec: r, file: file, began: time.Now()}
	w.rec.mu.Lock()
	w.rec.out = append(w.rec.out, appendHeader(nil))
	w.rec.spill = w.now
	w.rec.mu.Unlock()
	return w
}

// Flush writes what has been noted, after a call that took so many ticks. An error
// is returned once.
func (w *Writer) Flush(call int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := clock.Now()
	defer func() { w.rec.spent.Add(clock.Now() - began) }()
	if w.err != nil {
		return nil
	}
	if call > clock.Ticks(shortCall) {
		w.err = w.write()
		return w.err
	}
	start := time.Now()
	if w.spent > writeGrace+start.Sub(w.began)/writeShare {
		if w.timer == nil {
			w.timer = time.AfterFunc(putOff, w.late)
		}
		return nil
	}
	w.err = w.write()
	w.spent += time.Since(start)
	return w.err
}

// late does what was put off.
func (w *Writer) late() {
	w.mu.Lock()
	w.timer = nil
	w.mu.Unlock()
	w.now()
}

// now writes without a look at the time it takes.
func (w *Writer) now() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = w.write()
	}
}

// write writes all that is committed. The caller holds mu.
func (w *Writer) write() error {
	r := w.rec
	r.mu.Lock()
	r.collect()
	out := r.flush()
	kept := len(out)
	out = r.summary(out)
	r.mu.Unlock()
	_, err := w.file.WriteAt(out, w.end)
	w.end += int64(kept)
	return err
}
