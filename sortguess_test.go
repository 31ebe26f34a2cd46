package forkjoin_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/forkjoin-go/forkjoin"
)

// A zoo has a field of every kind that a comparator may compare, and some of kinds that
// are no keys.
type zoo struct {
	seq  int
	i    int
	i8   int8
	i16  int16
	i32  zooNumber
	i64  int64
	u    uint
	u8   uint8
	u16  uint16
	u32  uint32
	u64  uint64
	ptr  uintptr
	f32  float32
	_    int32
	f64  float64
	b    bool
	s    zooName
	id   [16]byte
	in   struct{ pair [2]int16 }
	by   [3]byte
	far  *int
	list []int
	any  any
}

type (
	zooNumber int32
	zooName   string
)

// zooWith makes elements out of words, of which there are few different ones in all
// fields but seq.
func zooWith(n int, word func() uint64) []zoo {
	v := make([]zoo, n)
	for k := range v {
		w := word()
		x := zoo{seq: k, i: int(word()), i8: int8(word()), i16: int16(word()), i32: zooNumber(word()), i64: int64(word()),
			u: uint(word()), u8: uint8(word()), u16: uint16(word()), u32: uint32(word()), u64: word(), ptr: uintptr(word()),
			f32: math.Float32frombits(uint32(word())), f64: math.Float64frombits(word()), b: word()&1 != 0}
		if w%16 == 0 { // what equals or is near to something else
			x.f32 = []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1))}[w/16%4]
			x.f64 = []float64{math.Copysign(0, -1), 0, math.NaN(), math.Inf(-1)}[w/64%4]
		}
		binary.BigEndian.PutUint64(x.id[:], word()>>40)
		binary.LittleEndian.PutUint64(x.id[8:], word())
		copy(x.by[:], fmt.Sprint(word()))
		x.in.pair = [2]int16{int16(word() % 5), int16(word())}
		x.s = zooName(fmt.Sprintf("%.*s%x", int(w%12), "in\x00common", word()>>(w%64)))
		p := int(word())
		x.far, x.list, x.any = &p, []int{p}, p
		v[k] = x
	}
	return v
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// zooOrders are comparators that compare fields, and some that don't.
var zooOrders = []struct {
	name string
	by   func(a, b zoo) int
}{
	{"int", func(a, b zoo) int { return cmp.Compare(a.i, b.i) }},
	{"int8", func(a, b zoo) int { return cmp.Compare(a.i8, b.i8) }},
	{"int8 by difference", func(a, b zoo) int { return int(a.i8) - int(b.i8) }},
	{"int16", func(a, b zoo) int { return cmp.Compare(a.i16, b.i16) }},
	{"int32", func(a, b zoo) int { return cmp.Compare(a.i32, b.i32) }},
	{"int64", func(a, b zoo) int { return cmp.Compare(a.i64, b.i64) }},
	{"int64 down", func(a, b zoo) int { return cmp.Compare(b.i64, a.i64) }},
	{"uint", func(a, b zoo) int { return cmp.Compare(a.u, b.u) }},
	{"uint8", func(a, b zoo) int { return cmp.Compare(a.u8, b.u8) }},
	{"uint16 down", func(a, b zoo) int { return cmp.Compare(b.u16, a.u16) }},
	{"uint32", func(a, b zoo) int { return cmp.Compare(a.u32, b.u32) }},
	{"uint64", func(a, b zoo) int { return cmp.Compare(a.u64, b.u64) }},
	{"uint64 as signed", func(a, b zoo) int { return cmp.Compare(int64(a.u64), int64(b.u64)) }},
	{"uintptr", func(a, b zoo) int { return cmp.Compare(a.ptr, b.ptr) }},
	{"float32", func(a, b zoo) int { return cmp.Compare(a.f32, b.f32) }},
	{"float64", func(a, b zoo) int { return cmp.Compare(a.f64, b.f64) }},
	{"float64 down", func(a, b zoo) int { return cmp.Compare(b.f64, a.f64) }},
	{"float64 as bits", func(a, b zoo) int { return cmp.Compare(math.Float64bits(a.f64), math.Float64bits(b.f64)) }},
	{"zeros apart", func(a, b zoo) int {
		return cmp.Or(cmp.Compare(a.f64, b.f64), boolOrder(math.Signbit(b.f64))-boolOrder(math.Signbit(a.f64)))
	}},
	{"bool", func(a, b zoo) int { return boolOrder(a.b) - boolOrder(b.b) }},
	{"string", func(a, b zoo) int { return strings.Compare(string(a.s), string(b.s)) }},
	{"string down", func(a, b zoo) int { return strings.Compare(string(b.s), string(a.s)) }},
	{"bytes", func(a, b zoo) int { return bytes.Compare(a.id[:], b.id[:]) }},
	{"three bytes down", func(a, b zoo) int { return bytes.Compare(b.by[:], a.by[:]) }},
	{"nested", func(a, b zoo) int { return cmp.Compare(a.in.pair[1], b.in.pair[1]) }},

	{"two fields", func(a, b zoo) int {
		return cmp.Or(cmp.Compare(a.in.pair[0], b.in.pair[0]), cmp.Compare(b.f64, a.f64))
	}},
	{"three fields", func(a, b zoo) int {
		return cmp.Or(boolOrder(a.b)-boolOrder(b.b), cmp.Compare(b.i8, a.i8), strings.Compare(string(a.s), string(b.s)))
	}},
	{"five fields", func(a, b zoo) int {
		return cmp.Or(boolOrder(a.b)-boolOrder(b.b), cmp.Compare(a.in.pair[0]%2, b.in.pair[0]%2),
			cmp.Compare(b.in.pair[0], a.in.pair[0]), cmp.Compare(a.u8, b.u8), cmp.Compare(a.i16, b.i16))
	}},
	{"a field and a computed one", func(a, b zoo) int {
		return cmp.Or(cmp.Compare(a.u8, b.u8), cmp.Compare(a.i16&15, b.i16&15))
	}},
	{"a field, and pointers", func(a, b zoo) int {
		return cmp.Or(cmp.Compare(a.u8, b.u8), cmp.Compare(*a.far, *b.far))
	}},

	{"coarser", func(a, b zoo) int { return cmp.Compare(a.i16/10, b.i16/10) }},
	{"little coarser", func(a, b zoo) int { return cmp.Compare(a.i64>>1, b.i64>>1) }},
	{"string without case", func(a, b zoo) int {
		return strings.Compare(strings.ToLower(string(a.s)), strings.ToLower(string(b.s)))
	}},
	{"magnitude", func(a, b zoo) int { return cmp.Compare(a.i64&^math.MinInt64, b.i64&^math.MinInt64) }},
	{"rest", func(a, b zoo) int { return cmp.Compare(a.u32%10, b.u32%10) }},
	{"length", func(a, b zoo) int { return cmp.Compare(len(a.s), len(b.s)) }},
	{"pointer", func(a, b zoo) int { return cmp.Compare(*a.far, *b.far) }},
	{"slice", func(a, b zoo) int { return slices.Compare(a.list, b.list) }},
	{"interface", func(a, b zoo) int { return cmp.Compare(a.any.(int), b.any.(int)) }},
	{"sum", func(a, b zoo) int { return cmp.Compare(a.i32+zooNumber(a.i16), b.i32+zooNumber(b.i16)) }},
	{"all equal", func(a, b zoo) int { return 0 }},
}

// sortedZoo returns v sorted stably by package slices.
func sortedZoo(v []zoo, by func(a, b zoo) int) []zoo {
	v = slices.Clone(v)
	slices.SortFunc(v, func(a, b zoo) int { return cmp.Or(by(a, b), cmp.Compare(a.seq, b.seq)) })
	return v
}

// checkZoo sorts v and compares the result with want, which is sorted stably.
func checkZoo(t *testing.T, v, want []zoo, stable bool, by func(a, b zoo) int) {
	t.Helper()
	got := slices.Clone(v)
	if stable {
		forkjoin.SortStableFunc(got, by)
	} else {
		forkjoin.SortFunc(got, by)
	}
	seen := make([]bool, len(v))
	for i, x := range got {
		switch {
		case seen[x.seq] || x.far != v[x.seq].far || x.s != v[x.seq].s:
			t.Fatalf("element %d of %d, number %d, is not one of the input, or there twice", i, len(v), x.seq)
		case by(x, want[i]) != 0:
			t.Fatalf("element %d of %d is number %d, which is not equal to number %d", i, len(v), x.seq, want[i].seq)
		case stable && x.seq != want[i].seq:
			t.Fatalf("element %d of %d is number %d, want %d", i, len(v), x.seq, want[i].seq)
		}
		seen[x.seq] = true
	}
}

// zooInputs are words to make elements of: all different, few, near to each other, and
// of all magnitudes.
var zooInputs = []struct {
	name string
	word func(rng *rand.Rand) func() uint64
}{
	{"random", func(rng *rand.Rand) func() uint64 { return rng.Uint64 }},
	{"few", func(rng *rand.Rand) func() uint64 {
		return func() uint64 { return 0x9E3779B97F4A7C15 * rng.Uint64N(40) }
	}},
	{"near", func(rng *rand.Rand) func() uint64 { return func() uint64 { return rng.Uint64N(3000) - 1500 } }},
	{"magnitudes", func(rng *rand.Rand) func() uint64 { return func() uint64 { return rng.Uint64() >> rng.Uint64N(64) } }},
	{"half the same", func(rng *rand.Rand) func() uint64 {
		return func() uint64 { return rng.Uint64() * rng.Uint64N(2) }
	}},
}

func TestSortByFields(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	rng := rand.New(rand.NewPCG(7, 8))
	run := oneOf(t, 11)
	for _, in := range zooInputs {
		for _, n := range []int{2047, 2048, max(3000, scale(8000))} {
			v := zooWith(n, in.word(rng))
			for _, o := range zooOrders {
				if !run() {
					continue
				}
				t.Run(fmt.Sprint(in.name, "/", o.name, "/", n), func(t *testing.T) {
					want := sortedZoo(v, o.by)
					for _, procs := range []int{2, 1, 8} {
						if procs != 2 && n <= 2048 {
							break
						}
						runtime.GOMAXPROCS(procs)
						checkZoo(t, v, want, false, o.by)
						checkZoo(t, v, want, true, o.by)
					}
				})
			}
		}
	}
}

// TestSortByDecoy has a field that the order seems to go by until nearly all elements
// have been looked at.
func TestSortByDecoy(t *testing.T) {
	type element struct{ decoy, key, seq int }
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		rng := rand.New(rand.NewPCG(8, 9))
		const n = 5000
		for _, away := range []int{0, 1, 2, -1, n} { // from where the key says
			for round := range 6 {
				v := make([]element, n)
				for i := range v {
					k := 2 * rng.IntN(n)
					v[i] = element{k, k, i}
					if round%2 == 1 {
						v[i].decoy = k / 16
					}
				}
				for range round {
					v[rng.IntN(n)].key += away
				}
				v[rng.IntN(n)].key += away
				for _, by := range []func(a, b element) int{
					func(a, b element) int { return cmp.Compare(a.key, b.key) },
					func(a, b element) int { return cmp.Compare(b.key, a.key) },
				} {
					want, got, stable := slices.Clone(v), slices.Clone(v), slices.Clone(v)
					slices.SortStableFunc(want, by)
					forkjoin.SortFunc(got, by)
					forkjoin.SortStableFunc(stable, by)
					if !slices.Equal(stable, want) {
						t.Fatalf("away by %d, round %d: SortStableFunc: not as slices.SortStableFunc", away, round)
					}
					if !slices.IsSortedFunc(got, by) {
						t.Fatalf("away by %d, round %d: SortFunc: not sorted", away, round)
					}
					slices.SortFunc(got, func(a, b element) int { return cmp.Compare(a.seq, b.seq) })
					if !slices.Equal(got, v) {
						t.Fatalf("away by %d, round %d: SortFunc: other elements", away, round)
					}
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestSortByDecoyAtEdges has two elements with different decoys in the wrong order,
// at the edges of what workers look at, and of many elements with the same decoy.
func TestSortByDecoyAtEdges(t *testing.T) {
	type element struct{ decoy, mixed int }
	const n, mix = 12 << 10, 0x2AAA
	by := func(a, b element) int { return cmp.Compare(a.mixed^mix, b.mixed^mix) }
	inOrder := make([]element, n)
	for i := range inOrder {
		inOrder[i] = element{i, i ^ mix}
		if 7<<9 <= i && i < 17<<9 {
			inOrder[i].decoy = n / 2
		}
	}
	places := rand.New(rand.NewPCG(13, 14)).Perm(n)
	run := oneOf(t, 11)
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for edge := 256; edge < n; edge += 256 {
			if !run() {
				continue
			}
			want := slices.Clone(inOrder)
			want[edge-1].decoy, want[edge].decoy = want[edge].decoy, want[edge-1].decoy
			v := make([]element, n)
			for i, to := range places {
				v[to] = want[i]
			}
			got, stable := slices.Clone(v), slices.Clone(v)
			forkjoin.SortFunc(got, by)
			forkjoin.SortStableFunc(stable, by)
			if !slices.Equal(got, want) || !slices.Equal(stable, want) {
				t.Errorf("elements %d and %d have each other's decoys: not sorted", edge-1, edge)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestSortByFieldsComparisons bounds how often comparators are called that compare
// fields, and how much more often others are for the try.
func TestSortByFieldsComparisons(t *testing.T) {
	const n = 50000
	rng := rand.New(rand.NewPCG(10, 11))
	v := zooWith(n, rng.Uint64)
	run := oneOf(t, 5)
	bounds := map[string][2]float64{ // for each element, SortFunc and SortStableFunc
		"int": {1.1, 1.1}, "int64 down": {1.1, 1.1}, "uint8": {1.1, 1.1}, "float64": {1.1, 1.1}, "bool": {1.1, 1.1},
		"bytes": {1.1, 1.1}, "nested": {1.1, 1.1}, "two fields": {1.1, 1.1},
		"string": {4, 4}, "three fields": {5, 5}, // a quarter of the strings agree in nine bytes
		"little coarser": {1.1, 1.1},
		"magnitude":      {20, 17}, "sum": {20, 17}, "pointer": {20, 17},
	}
	for _, o := range zooOrders {
		bound, listed := bounds[o.name]
		if !listed {
			continue
		}
		for k, sort := range []func(v []zoo, by func(a, b zoo) int){forkjoin.SortFunc[[]zoo], forkjoin.SortStableFunc[[]zoo]} {
			if !run() {
				continue
			}
			var calls atomic.Int64
			sort(slices.Clone(v), func(a, b zoo) int { calls.Add(1); return o.by(a, b) })
			if each := float64(calls.Load()) / n; each > bound[k] {
				t.Errorf("%s, %s: %.2f comparisons an element, want <= %v", []string{"SortFunc", "SortStableFunc"}[k], o.name, each, bound[k])
			}
		}
	}
}

// TestSortByFieldsPanics has comparisons panic while a sample is taken, keys are
// settled, and elements with the same key are sorted.
func TestSortByFieldsPanics(t *testing.T) {
	orders := map[string]func(a, b item) int{
		"by key":         byItemKey,
		"by key and seq": func(a, b item) int { return cmp.Or(byItemKey(a, b), cmp.Compare(b.seq&1023, a.seq&1023)) },
	}
	run := oneOf(t, 11)
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		for name, order := range orders {
			for _, s := range itemSorts {
				for _, few := range []int{2, 40, 1 << 30} {
					keys := orderKeys(12000, func(i, n int) int { return orderPatterns[0].key(i, n) % few })
					var calls, total atomic.Int64
					s.sort(items(keys), func(a, b item) int { total.Add(1); return order(a, b) })
					for k := int64(1); k < total.Load()*9/10; k += 1 + k/4 {
						if !run() {
							continue
						}
						v := items(keys)
						calls.Store(0)
						checkPanic(t, func() {
							s.sort(v, func(a, b item) int {
								if calls.Add(1) >= k {
									panic(errComparison)
								}
								return order(a, b)
							})
						})
						t.Log(s.name, name, few, k)
						checkItems(t, v, keys)
					}
				}
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

func FuzzSortByFields(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"), uint8(0))
	for i := range zooOrders {
		f.Add([]byte{0, 1, 2, 3, 250, 128, 127}, uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, order uint8) {
		if len(data) == 0 {
			return
		}
		rng := rand.New(rand.NewPCG(12, uint64(order)))
		at := 0
		v := zooWith(2048+len(data)%7000, func() uint64 {
			at = (at*31 + rng.IntN(3) + 1) % len(data)
			return uint64(int8(data[at])) << (data[(at+1)%len(data)] % 64)
		})
		by := zooOrders[int(order)%len(zooOrders)].by
		want := sortedZoo(v, by)
		checkZoo(t, v, want, false, by)
		checkZoo(t, v, want, true, by)
	})
}
