package clock_test

import (
	"math"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/clock"
)

func TestNowDoesNotRunBackwards(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			last := clock.Now()
			for i := range 20_000 {
				if i%100 == 0 {
					runtime.Gosched()
				}
				now := clock.Now()
				if now < last {
					t.Errorf("Now went from %d back to %d", last, now)
					return
				}
				last = now
			}
		})
	}
	wg.Wait()
}

func TestNowAdvances(t *testing.T) {
	start := clock.Now()
	time.Sleep(time.Millisecond)
	if now := clock.Now(); now <= start {
		t.Errorf("Now is %d, and a millisecond later %d", start, now)
	}
}

// TestConversionIsOfTheRightOrder asks no more of the clock than its users may:
// that what it calls a duration is within a factor of ten of one.
func TestConversionIsOfTheRightOrder(t *testing.T) {
	const nap = 20 * time.Millisecond
	outer := time.Now()
	start := clock.Now()
	inner := time.Now()
	time.Sleep(nap)
	least := time.Since(inner)
	ticks := clock.Now() - start
	most := time.Since(outer)

	got := time.Duration(clock.Nanos(ticks))
	if got < least/10 || got > most*10 {
		t.Errorf("Nanos(%d) = %v for a time between %v and %v", ticks, got, least, most)
	}
	if short, long := clock.Ticks(least), clock.Ticks(most); ticks < short/10 || ticks > long*10 {
		t.Errorf("%d ticks passed, want between Ticks(%v) = %d and Ticks(%v) = %d", ticks, least, short, most, long)
	}
}

func TestConversionsAreInverse(t *testing.T) {
	for _, d := range []time.Duration{time.Microsecond, -time.Microsecond, time.Millisecond, time.Second, time.Hour} {
		// Once the length of a tick is final the error is one tick; until then
		// the two calls may use different lengths.
		back := time.Duration(clock.Nanos(clock.Ticks(d)))
		if back/10 > d.Abs() || back.Abs() < d.Abs()/10 || (back < 0) != (d < 0) {
			t.Errorf("Nanos(Ticks(%v)) = %v", d, back)
		}
	}
}

func TestConversionLimits(t *testing.T) {
	if got := clock.Nanos(0); got != 0 {
		t.Errorf("Nanos(0) = %d, want 0", got)
	}
	if got := clock.Ticks(0); got != 0 {
		t.Errorf("Ticks(0) = %d, want 0", got)
	}
	for _, x := range []int64{math.MaxInt64, math.MinInt64} {
		if got := clock.Nanos(x); (got < 0) != (x < 0) || got == 0 {
			t.Errorf("Nanos(%d) = %d, want the same sign", x, got)
		}
		if got := clock.Ticks(time.Duration(x)); (got < 0) != (x < 0) || got == 0 {
			t.Errorf("Ticks(%d) = %d, want the same sign", x, got)
		}
	}
}

// TestConcurrentConversions is for the race detector.
func TestConcurrentConversions(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				if n := clock.Nanos(1e9); n <= 0 {
					t.Errorf("Nanos(1e9) = %d", n)
					return
				}
				if n := clock.Ticks(time.Second); n <= 0 {
					t.Errorf("Ticks(1s) = %d", n)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestInBubble(t *testing.T) {
	if clock.InBubble() {
		t.Error("InBubble() = true outside a bubble")
	}
	ask, answer := make(chan struct{}), make(chan bool)
	go func() {
		for range ask {
			answer <- clock.InBubble()
		}
	}()
	defer close(ask)
	outside := func() bool { ask <- struct{}{}; return <-answer }

	synctest.Test(t, func(t *testing.T) {
		if !clock.InBubble() {
			t.Error("InBubble() = false inside a bubble")
		}
		if outside() {
			t.Error("InBubble() = true on a goroutine outside the bubble")
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if !clock.InBubble() {
					t.Error("InBubble() = false on a goroutine started inside")
				}
			})
		}
		wg.Wait()
	})
	if clock.InBubble() {
		t.Error("InBubble() = true after a bubble")
	}
}

// TestInBubbleAtTheRealTime moves the fake clock to where the real one is, where
// the two can't be told apart by the time they show.
func TestInBubbleAtTheRealTime(t *testing.T) {
	present := time.Now()
	synctest.Test(t, func(t *testing.T) {
		for _, at := range []time.Time{present, present.Add(time.Second), present.AddDate(100, 0, 0)} {
			time.Sleep(time.Until(at))
			if !clock.InBubble() {
				t.Errorf("InBubble() = false in a bubble whose clock is at %v", time.Now())
			}
		}
	})
}

func TestAllocatesNothing(t *testing.T) {
	for name, f := range map[string]func(){
		"Now":      func() { sinkInt = clock.Now() },
		"Nanos":    func() { sinkInt = clock.Nanos(1) },
		"Ticks":    func() { sinkInt = clock.Ticks(1) },
		"InBubble": func() { sinkBool = clock.InBubble() },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times, want 0", name, n)
		}
	}
}

var (
	sinkInt  int64
	sinkBool bool
)

func BenchmarkNow(b *testing.B) {
	for b.Loop() {
		sinkInt = clock.Now()
	}
}

// BenchmarkTimeNow is what Now saves.
func BenchmarkTimeNow(b *testing.B) {
	for b.Loop() {
		sinkInt = time.Now().UnixNano()
	}
}

func BenchmarkNanos(b *testing.B) {
	clock.Nanos(1)
	for b.Loop() {
		sinkInt = clock.Nanos(12345)
	}
}

func BenchmarkTicks(b *testing.B) {
	for b.Loop() {
		sinkInt = clock.Ticks(12345)
	}
}

func BenchmarkInBubble(b *testing.B) {
	for b.Loop() {
		sinkBool = clock.InBubble()
	}
}
