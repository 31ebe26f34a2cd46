//go:build histories

package forkjoin

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// These tests record what several goroutines did to a deque, an injection queue
// and a list of tasks, for verify/histories to check.
var (
	historyFile   = flag.String("history", "", "write histories to this `file`")
	historyRounds = flag.Int("history.rounds", 100, "how many of each kind")
	historySeed   = flag.Uint64("history.seed", 1, "of what the goroutines do; not of when")
)

// Where something is wrong, a recording must end all the same.
const (
	patient = 5 * time.Second
	enough  = 5000 // calls
)

// A history is what happened to one object, which began empty.
type history struct {
	Kind       string
	Seed       uint64
	Unfinished bool // somebody gave up
	Events     []event
}

// An event is one call: who made it, when it began and ended, what it was given
// and what came of it.
type event struct {
	Client    int
	Call, Ret int64
	Op        string
	Arg, Out  int64
	Result    string `json:",omitempty"` // if it is not a number
}

// A recorder keeps the events of one goroutine.
type recorder struct {
	client int
	clock  *atomic.Int64
	gaveUp bool
	events []event
}

// do records one call of op. f returns what came of it.
func (r *recorder) do(op string, arg int64, f func() (out int64, result string)) (int64, string) {
	e := event{Client: r.client, Op: op, Arg: arg, Call: r.clock.Add(1)}
	e.Out, e.Result = f()
	e.Ret = r.clock.Add(1)
	r.events = append(r.events, e)
	return e.Out, e.Result
}

// recordOf runs each client on a goroutine of its own and returns what they did.
func recordOf(kind string, seed uint64, clients ...func(r *recorder, rnd *rand.Rand)) history {
	var clock atomic.Int64
	recorders := make([]recorder, len(clients))
	var all, here sync.WaitGroup
	here.Add(len(clients))
	for c, f := range clients {
		r := &recorders[c]
		r.client, r.clock = c, &clock
		all.Go(func() {
			here.Done()
			here.Wait() // so that nobody is through before others begin
			f(r, rand.New(rand.NewPCG(seed, uint64(c))))
		})
	}
	all.Wait()
	h := history{Kind: kind, Seed: seed}
	for _, r := range recorders {
		h.Events = append(h.Events, r.events...)
		h.Unfinished = h.Unfinished || r.gaveUp || len(r.events) == enough
	}
	return h
}

func TestRecordHistories(t *testing.T) {
	if *historyFile == "" {
		t.Fatal("-history names no file")
	}
	file, err := os.Create(*historyFile)
	if err != nil {
		t.Fatal(err)
	}
	out := json.NewEncoder(file)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i := range *historyRounds {
		runtime.GOMAXPROCS([]int{2, 1, 3, 8}[i%4])
		seed := *historySeed + uint64(i)
		for _, make := range []func(seed uint64) history{dequeHistory, injectorHistory, listHistory} {
			h := make(seed)
			if err := out.Encode(h); err != nil {
				t.Fatal(err)
			}
			if h.Unfinished {
				return // more of them would take long
			}
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// dequeHistory is one of an owner and one to three thieves. The stack is so low
// that they meet at every step. It begins at index 1, so that a thief that lost
// its claim can be told from one that found nothing.
func dequeHistory(seed uint64) history {
	const capacity, base = 4, 1
	const pushes = 20
	var d deque
	d.head, d.split = base, base
	d.public.Store(pack(base, base))
	var values [base + capacity]int64 // of the frames: plain, as frames are
	var done [base + capacity]atomic.Bool
	var over atomic.Bool

	owner := func(r *recorder, rnd *rand.Rand) {
		defer over.Store(true)
		for next := int64(1); next <= pushes || d.head > base; {
			if rnd.IntN(3) == 0 {
				runtime.Gosched() // thieves are to have their share
			}
			switch k := rnd.IntN(10); {
			case k < 4 && d.head < base+capacity && next <= pushes:
				r.do("push", next, func() (int64, string) {
					values[d.head] = next
					d.head++
					return 0, ""
				})
				next++
			case k < 7 && d.private() > 0:
				n := 1 + rnd.Uint32N(d.private())
				r.do("publish", int64(n), func() (int64, string) { d.publish(n); return 0, "" })
			case k >= 7 && d.head > base:
				keep := int64(rnd.IntN(2))
				i := d.head - 1
				_, result := r.do("pop", keep, func() (int64, string) {
					if d.pop(keep == 1) {
						return values[i], ""
					}
					return 0, "stolen"
				})
				if result == "" {
					continue
				}
				for began := time.Now(); !done[i].Load(); runtime.Gosched() {
					if time.Since(began) > patient {
						r.gaveUp = true // the history shows that nobody has it
						return
					}
				}
				done[i].Store(false)
				r.do("release", 0, func() (int64, string) { d.release(); return 0, "" })
			}
		}
	}
	thief := func(r *recorder, _ *rand.Rand) {
		for ; !over.Load() && len(r.events) < 3*pushes; runtime.Gosched() {
			var claimed uint32
			_, result := r.do("steal", 0, func() (int64, string) {
				i, ok := d.steal()
				switch claimed = i; {
				case ok:
					return values[i], ""
				case i == 0:
					return 0, "empty"
				}
				return 0, "lost"
			})
			if result == "" {
				done[claimed].Store(true)
			}
		}
	}
	clients := []func(*recorder, *rand.Rand){owner}
	for range 1 + seed%3 {
		clients = append(clients, thief)
	}
	return recordOf("deque", seed, clients...)
}

// A numbered job is nothing but its number.
type numbered struct{ n int64 }

func (*numbered) run(*worker, *frame) {}
func (*numbered) site() *site         { return nil }

// injectorHistory is one of givers, takers, and somebody who asks how long the
// queue is. Jobs of giver g are numbered from 1000 g on.
func injectorHistory(seed uint64) history {
	const givers, each = 3, 8
	var q injector
	var taken atomic.Int64
	giver := func(r *recorder, _ *rand.Rand) {
		for i := range int64(each) {
			v := int64(r.client)*1000 + i
			r.do("push", v, func() (int64, string) { q.push(&numbered{v}); return 0, "" })
		}
	}
	taker := func(r *recorder, rnd *rand.Rand) {
		for ; taken.Load() < givers*each && len(r.events) < enough; runtime.Gosched() {
			_, result := r.do("pop", 0, func() (int64, string) {
				j, ok := q.pop(rnd.Uint64())
				if !ok {
					return 0, "empty"
				}
				return j.(*numbered).n, ""
			})
			if result == "" {
				taken.Add(1)
			}
		}
	}
	asker := func(r *recorder, _ *rand.Rand) {
		for ; taken.Load() < givers*each && len(r.events) < enough; runtime.Gosched() {
			r.do("length", 0, func() (int64, string) { return int64(q.length()), "" })
		}
	}
	return recordOf("injector", seed, giver, giver, giver, taker, taker, asker)
}

// listHistory is one of a group's list: two who give, and three who enter a chunk
// and claim its tasks. There are enough for several chunks, which are used again.
// The number of a push is its task's place in the order of giving.
func listHistory(seed uint64) history {
	const givers, each = 2, 80
	var mu joint.Mutex // the group's
	var l taskList
	var taken atomic.Int64
	giver := func(r *recorder, _ *rand.Rand) {
		for i := range int64(each) {
			v := int64(r.client)*1000 + i
			r.do("push", v, func() (int64, string) {
				mu.Lock()
				defer mu.Unlock()
				place := l.given.Load()
				l.add(task{e: func() error { return numberError(v) }}, nil)
				return int64(place), ""
			})
		}
	}
	taker := func(r *recorder, rnd *rand.Rand) {
		for ; taken.Load() < givers*each && len(r.events) < enough; runtime.Gosched() {
			var c *taskChunk
			number := func(i uint32) int64 {
				t, _ := c.take(i)
				return int64(t.run().(numberError))
			}
			_, result := r.do("enter", 0, func() (int64, string) {
				mu.Lock()
				var i uint32
				c, i = l.enter()
				mu.Unlock()
				if c == nil {
					return 0, "empty"
				}
				return number(i), ""
			})
			if result != "" {
				continue
			}
			taken.Add(1)
			// Claims what there is, and goes perhaps before it has seen the end.
			for result == "" && rnd.IntN(20) > 0 {
				_, result = r.do("pop", int64(c.from), func() (int64, string) {
					i, ok := c.claim(c.filled(l.given.Load()))
					if !ok {
						return 0, "empty"
					}
					return number(i), ""
				})
				if result == "" {
					taken.Add(1)
				}
			}
			mu.Lock()
			l.leave(c)
			mu.Unlock()
		}
	}
	return recordOf("list", seed, giver, giver, taker, taker, taker)
}

// A numberError carries a task's number out of it.
type numberError int64

func (numberError) Error() string { return "" }
