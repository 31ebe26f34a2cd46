package iter_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
)

func TestQuick(t *testing.T) {
	if os.Getenv("QUICK") == "" {
		t.Skip()
	}
	v := floats(10_000_000)
	out := make([]float64, len(v))
	ways := []struct {
		name string
		f    func()
	}{
		{"loop", func() { sinkFloat = loopMapSum(v) }},
		{"loopfunc", func() { sinkFloat = loopMapSumFunc(v, square) }},
		{"reduce", func() {
			sinkFloat = forkjoin.ParallelReduce(len(v), 0, func(lo, hi int) float64 { return loopMapSum(v[lo:hi]) }, func(a, b float64) float64 { return a + b })
		}},
		{"reducefunc", func() {
			sinkFloat = forkjoin.ParallelReduce(len(v), 0, func(lo, hi int) float64 { return loopMapSumFunc(v[lo:hi], square) }, func(a, b float64) float64 { return a + b })
		}},
		{"iter", func() { sinkFloat = iter.Sum(iter.Map(iter.Slice(v), square)) }},
		{"iter sum", func() { sinkFloat = iter.Sum(iter.Slice(v)) }},
		{"loopsum", func() { sinkFloat = loopSum(v) }},
		{"loopinto", func() { loopMapInto(out, v) }},
		{"iterinto", func() { iter.Map(iter.Slice(v), square).CollectInto(out) }},
	}
	for _, p := range []int{1, 2} {
		runtime.GOMAXPROCS(p)
		took := map[string][]time.Duration{}
		for range 15 {
			for _, w := range ways {
				w.f()
				s := time.Now()
				w.f()
				took[w.name] = append(took[w.name], time.Since(s))
			}
		}
		for _, w := range ways {
			slices.Sort(took[w.name])
			fmt.Printf("P=%d %-12s min %v median %v\n", p, w.name, took[w.name][0], took[w.name][7])
		}
	}
}
