package iter_test

import (
	"math"
	"testing"

	"github.com/forkjoin-go/forkjoin"
	"github.com/forkjoin-go/forkjoin/iter"
)

var sinkFloat float64
var sinkInt int
var sinkInt64 int64

//go:noinline
func loopSum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

//go:noinline
func loopMapSum(v []float64) (s float64) {
	for _, x := range v {
		s += x * x
	}
	return s
}

//go:noinline
func loopMapSumFunc(v []float64, f func(float64) float64) (s float64) {
	for _, x := range v {
		s += f(x)
	}
	return s
}

//go:noinline
func loopMapFilterSum(v []float64) (s float64) {
	for _, x := range v {
		if y := x * x; y > 1000 {
			s += y
		}
	}
	return s
}

//go:noinline
func loopMapInto(out, v []float64) {
	for i, x := range v {
		out[i] = x * x
	}
}

func square(v float64) float64 { return v * v }

func floats(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i%1000) + 0.25
	}
	return v
}

func BenchmarkSum(b *testing.B) {
	v := floats(10_000)
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			sinkFloat = loopSum(v)
		}
	})
	b.Run("iter", func(b *testing.B) {
		for b.Loop() {
			sinkFloat = iter.Sum(iter.Slice(v))
		}
	})
}

func BenchmarkMapSum(b *testing.B) {
	for _, n := range []int{1000, 10_000, 10_000_000} {
		v := floats(n)
		name := map[int]string{1000: "1e3", 10_000: "1e4", 10_000_000: "1e7"}[n]
		b.Run("loop/"+name, func(b *testing.B) {
			for b.Loop() {
				sinkFloat = loopMapSum(v)
			}
		})
		b.Run("reduce/"+name, func(b *testing.B) {
			for b.Loop() {
				sinkFloat = forkjoin.ParallelReduce(len(v), 0, func(lo, hi int) float64 {
					return loopMapSum(v[lo:hi])
				}, func(a, b float64) float64 { return a + b })
			}
		})
		b.Run("reducefunc/"+name, func(b *testing.B) {
			for b.Loop() {
				sinkFloat = forkjoin.ParallelReduce(len(v), 0, func(lo, hi int) float64 {
					return loopMapSumFunc(v[lo:hi], square)
				}, func(a, b float64) float64 { return a + b })
			}
		})
		b.Run("iter/"+name, func(b *testing.B) {
			for b.Loop() {
				sinkFloat = iter.Sum(iter.Map(iter.Slice(v), square))
			}
		})
	}
}

func BenchmarkMapFilterSum(b *testing.B) {
	v := floats(1_000_000)
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			sinkFloat = loopMapFilterSum(v)
		}
	})
	b.Run("iter", func(b *testing.B) {
		for b.Loop() {
			sinkFloat = iter.Sum(iter.Filter(iter.Map(iter.Slice(v), square), func(y float64) bool { return y > 1000 }))
		}
	})
}

func BenchmarkCollect(b *testing.B) {
	v := floats(10_000_000)
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			out := make([]float64, len(v))
			loopMapInto(out, v)
			sinkFloat = out[len(out)-1]
		}
	})
	b.Run("iter", func(b *testing.B) {
		for b.Loop() {
			out := iter.Map(iter.Slice(v), square).Collect()
			sinkFloat = out[len(out)-1]
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	if math.MaxInt < 1<<60 {
		b.Skip("an int is too small for positions so far apart")
	}
	var end int64 = 1_000_000_000_000_000_000
	big := iter.Range(0, end)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			sinkInt64, _ = iter.FindFirst(big, func(v int64) bool { return v >= 1000 })
		}
	})
	b.Run("last", func(b *testing.B) {
		for b.Loop() {
			sinkInt64, _ = iter.FindLast(big, func(v int64) bool { return v <= end-1000 })
		}
	})
	b.Run("any upper half", func(b *testing.B) {
		for b.Loop() {
			sinkInt64, _ = iter.FindAny(big, func(v int64) bool { return v > end/2 })
		}
	})
	b.Run("any every 1000", func(b *testing.B) {
		for b.Loop() {
			sinkInt64, _ = iter.FindAny(big, func(v int64) bool { return v%1000 == 999 })
		}
	})
}

func BenchmarkFromSeq(b *testing.B) {
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			s := 0
			for v := range 100_000 {
				s += v
			}
			sinkInt = s
		}
	})
	b.Run("iter", func(b *testing.B) {
		for b.Loop() {
			sinkInt = iter.Sum(iter.FromSeq(func(yield func(int) bool) {
				for v := range 100_000 {
					if !yield(v) {
						return
					}
				}
			}))
		}
	})
	b.Run("ten", func(b *testing.B) {
		for b.Loop() {
			sinkInt = iter.Sum(iter.FromSeq(func(yield func(int) bool) {
				for v := range 10 {
					if !yield(v) {
						return
					}
				}
			}))
		}
	})
}
