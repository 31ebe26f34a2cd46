package iter_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/iter"
)

// keyings are ways in which keys come again.
var keyings = map[string]func(r *rand.Rand, i, n int) int{
	"one":     func(*rand.Rand, int, int) int { return 7 },
	"all":     func(_ *rand.Rand, i, _ int) int { return i },
	"twice":   func(_ *rand.Rand, i, n int) int { return i % (n/2 + 1) },
	"uniform": func(r *rand.Rand, _, n int) int { return r.IntN(n/10 + 1) },
	"few":     func(r *rand.Rand, _, _ int) int { return r.IntN(100) },
	"skewed": func(r *rand.Rand, _, n int) int {
		return int(float64(n) * r.Float64() * r.Float64() * r.Float64() * r.Float64())
	},
	"in groups": func(_ *rand.Rand, i, _ int) int { return i / 20 },
	"then new":  func(_ *rand.Rand, i, n int) int { return max(i-n/2, i%10) },
	"then old":  func(_ *rand.Rand, i, n int) int { return min(i, n/2) },
}

func keyed(name string, n int) []int {
	r := rand.New(rand.NewPCG(1, 2))
	keys := make([]int, n)
	for i := range keys {
		keys[i] = keyings[name](r, i, n)
	}
	return keys
}

func counted[K comparable](keys []K) map[K]int {
	counts := map[K]int{}
	for _, k := range keys {
		counts[k]++
	}
	return counts
}

// TestCountParts has hands count parts, with keys that go from the recent ones to the
// large tables and early into the map, and with such as are not looked for among
// the recent ones.
func TestCountParts(t *testing.T) {
	for name := range keyings {
		for _, n := range []int{0, 1, 2, 65, 5000, pick(100_000, 60_000)} {
			keys := keyed(name, n)
			want := counted(keys)
			for _, hands := range []int{1, 2, 3} {
				for _, parts := range [][][]int{{keys}, {keys[:n/2], keys[n/2:]}, {keys[:n/2], keys[n/2 : n/2+n/4], keys[n/2+n/4:]}} {
					got, early := iter.CountParts(parts, hands, 500)
					if !maps.Equal(got, want) {
						t.Errorf("%s: %d keys in %d parts by %d hands are counted wrongly: %d different ones, want %d", name, n, len(parts), hands, len(got), len(want))
					}
					if hands == 1 && early > 0 {
						t.Errorf("%s: one hand puts %d keys into the map early", name, n)
					}
					if hands > 1 && early == 0 && name == "all" && n >= 60_000 {
						t.Errorf("%s: %d hands put none of %d keys into the map early", name, hands, n)
					}
				}
			}
		}
	}
}

// TestCountByKeys counts such keys with all workers, also as texts, which have
// pointers, and from a source whose end is not known.
func TestCountByKeys(t *testing.T) {
	onWorkers(t, func(t *testing.T) {
		for name := range keyings {
			keys := keyed(name, pick(100_000, 40_000))
			texts := make([]string, len(keys))
			for i, k := range keys {
				texts[i] = strconv.Itoa(k)
			}
			want, wantTexts := counted(keys), counted(texts)
			for source, s := range map[string]iter.Seq[int]{
				"slice":   iter.Slice(keys),
				"pieces":  iter.Slice(keys).WithMaxLeaf(100),
				"FromSeq": iter.FromSeq(slices.Values(keys)),
			} {
				if got := iter.CountBy(s, func(k int) int { return k }); !maps.Equal(got, want) {
					t.Errorf("%s, %s: counts are wrong", name, source)
				}
			}
			words := iter.Words(strings.Join(texts, " "))
			if got := iter.CountBy(words, func(s string) string { return s }); !maps.Equal(got, wantTexts) {
				t.Errorf("%s: counts of texts are wrong", name)
			}
		}
	})
}

// TestCountByFails has the key function panic, and the context end, when much has been
// counted and is being put into the map.
func TestCountByFails(t *testing.T) {
	n := pick(200_000, 100_000)
	onWorkers(t, func(t *testing.T) {
		for _, at := range []int{0, n/2 - 1, n / 2, n - 1} {
			passedOn(t, func() {
				iter.CountBy(iter.Range(0, n), func(v int) int {
					if v == at {
						panic(fmt.Sprint("at ", at))
					}
					return v
				})
			}, fmt.Sprint("at ", at))
			if at == n-1 {
				continue // all may have been counted by then
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			over := errors.New("over")
			func() {
				defer func() {
					if err, ok := recover().(error); !ok || !errors.Is(err, over) {
						t.Errorf("the panic is %v, want one for the context's cause", err)
					}
				}()
				iter.CountBy(iter.Range(0, n).WithContext(ctx), func(v int) int {
					if v == at {
						cancel(over)
					}
					return v
				})
			}()
		}
	})
}
