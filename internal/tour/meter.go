package tour

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/internal/cputime"
	"github.com/forkjoin-go/forkjoin/internal/progress"
)

// meter measures jobs and keeps a row for each.
type meter struct {
	ctx     context.Context
	repeat  int
	workers []int // numbers of workers to measure with, rising
	rows    []row
	show    *progress.Line
	step    int
}

// errDiffers is what a job that is done again must not do.
var errDiffers = errors.New("the result differs from that of the first, sequential run")

// row is what the table shows of one job.
type row struct {
	name       string
	sequential sample
	parallel   []sample // one per meter.workers
}

// sample is one measurement.
type sample struct {
	wall          time.Duration
	cpu           time.Duration // of the whole process; negative if unknown
	delay         time.Duration // that its threads waited for processors; 0 if unknown
	forks, steals uint64
}

func newMeter(ctx context.Context, repeat int, show *progress.Line) *meter {
	return &meter{ctx: ctx, repeat: repeat, workers: workerCounts(runtime.GOMAXPROCS(0)), show: show}
}

// restore puts GOMAXPROCS back, from which the last of workers was taken.
func (m *meter) restore() { runtime.GOMAXPROCS(m.most()) }

func (m *meter) most() int { return m.workers[len(m.workers)-1] }

// workerCounts returns 1, 2, 3, 4 as far as most allows, then doubles, and ends
// with most itself.
func workerCounts(most int) (counts []int) {
	for w := 1; w < most; w++ {
		if w <= 4 || w&(w-1) == 0 {
			counts = append(counts, w)
		}
	}
	return append(counts, most)
}

// measure runs a job sequentially, then in parallel with each number of
// workers. It returns the result, or an error if two results differ or the tour
// was cancelled.
//
// Each form first runs once without being measured: the first runs pay for new
// memory, and the form that begins would look slow for it. The sequential form
// has all processors too, as it would in a program of its own: the garbage
// collector has the use of them.
func measure[T any](m *meter, name string, sequential, parallel func() T, equal func(a, b T) bool) (want T, err error) {
	const alone = "sequentially"
	first := func() func() error {
		want = sequential()
		return nil
	}
	checked := func(f func() T, how string) func() func() error {
		return func() func() error {
			got := f()
			return func() error {
				if !equal(want, got) {
					return fmt.Errorf("%s, %s: %w", name, how, errDiffers)
				}
				return nil
			}
		}
	}
	r := row{name: name}
	if _, err = m.median(1, m.most(), name+", warming up", first); err != nil {
		return want, err
	}
	if _, err = m.median(1, m.most(), name+", warming up", checked(parallel, plural(m.most(), "worker"))); err != nil {
		return want, err
	}
	if r.sequential, err = m.median(m.repeat, m.most(), name+", "+alone, checked(sequential, alone)); err != nil {
		return want, err
	}
	for _, w := range m.workers {
		how := plural(w, "worker")
		s, err := m.median(m.repeat, w, name+", "+how, checked(parallel, how))
		if err != nil {
			return want, err
		}
		r.parallel = append(r.parallel, s)
	}
	m.rows = append(m.rows, r)
	return want, nil
}

// median runs f as often as repeat says, with the given number of workers, and
// returns the sample whose time is the median. The check that f returns is not
// measured.
func (m *meter) median(repeat, workers int, what string, f func() func() error) (sample, error) {
	if m.ctx.Err() != nil {
		return sample{}, context.Cause(m.ctx)
	}
	m.step++
	m.show.Step(fmt.Sprintf("%d/%d %s", m.step, jobs*(3+len(m.workers)), what))
	runtime.GOMAXPROCS(workers)
	samples := make([]sample, repeat)
	for i := range samples {
		if m.ctx.Err() != nil {
			return sample{}, context.Cause(m.ctx)
		}
		var check func() error
		samples[i] = take(func() { check = f() })
		if check == nil {
			continue
		}
		if err := check(); err != nil {
			return sample{}, err
		}
	}
	return middle(samples), nil
}

// middle returns the sample with the median time, the smaller one of two.
func middle(samples []sample) sample {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.wall, b.wall) })
	return samples[(len(samples)-1)/2]
}

// take measures one run of f. It collects the garbage first, so that no job
// pays for the one before.
func take(f func()) sample {
	runtime.GC()
	delay, stats := cputime.Delayed(), forkjoin.Default().Stats()
	cpu, start := cputime.Used(), time.Now()
	f()
	s := sample{wall: time.Since(start), cpu: cputime.Used() - cpu}
	s.delay = max(0, cputime.Delayed()-delay) // threads may have ended
	if cpu < 0 {
		s.cpu = -1
	}
	after := forkjoin.Default().Stats()
	s.forks, s.steals = after.Forks-stats.Forks, after.Steals-stats.Steals
	return s
}

// cores is the average number of processors the process used, if the system
// tells and the time was long enough for its clock to mean something.
func (s sample) cores() (float64, bool) {
	if s.cpu < 0 || s.wall < time.Millisecond {
		return 0, false
	}
	return s.cpu.Seconds() / s.wall.Seconds(), true
}
