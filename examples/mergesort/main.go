// Mergesort shows forkjoin.Join, the simplest form of fork-join: two functions
// that may run at the same time. Both the sort and the merge are divided; with
// a merge on one core the last merge alone would cap the speed-up.
//
//	go run ./examples/mergesort
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const n = 4_000_000

// leaf is the length below which dividing no longer pays: a leaf should take
// far longer than a fork, which costs well under a microsecond.
const leaf = 4096

// mergesort sorts s. The result goes to tmp, which is as long as s, if into is
// set; the halves are sorted the other way round, so that every merge moves the
// values from one array to the other.
func mergesort(s, tmp []int, into bool) {
	if len(s) <= leaf {
		slices.Sort(s)
		if into {
			copy(tmp, s)
		}
		return
	}
	mid := len(s) / 2
	forkjoin.Join(
		func() { mergesort(s[:mid], tmp[:mid], !into) },
		func() { mergesort(s[mid:], tmp[mid:], !into) },
	)
	if into {
		merge(tmp, s[:mid], s[mid:])
	} else {
		merge(s, tmp[:mid], tmp[mid:])
	}
}

// merge merges the sorted a and b into dst: the longer one is cut in the
// middle, the other one where that value belongs.
func merge(dst, a, b []int) {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(dst) <= leaf {
		mergeSmall(dst, a, b)
		return
	}
	i := len(a) / 2
	j, _ := slices.BinarySearch(b, a[i])
	forkjoin.Join(
		func() { merge(dst[:i+j], a[:i], b[:j]) },
		func() { merge(dst[i+j:], a[i:], b[j:]) },
	)
}

func mergeSmall(dst, a, b []int) {
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			dst[0], b = b[0], b[1:]
		} else {
			dst[0], a = a[0], a[1:]
		}
		dst = dst[1:]
	}
	copy(dst, a)
	copy(dst[len(a):], b)
}

func main() {
	rng := rand.New(rand.NewPCG(1, 2))
	want := make([]int, n)
	for i := range want {
		want[i] = rng.Int()
	}
	got, tmp := slices.Clone(want), make([]int, n)

	sequential := timed(func() { slices.Sort(want) })
	parallel := timed(func() { mergesort(got, tmp, false) })

	if !slices.Equal(want, got) {
		log.Fatal("mergesort: the result differs from that of slices.Sort")
	}
	fmt.Printf("sorted %d integers: slices.Sort %v, parallel %v on %d cores\n",
		n, sequential, parallel, runtime.GOMAXPROCS(0))
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
