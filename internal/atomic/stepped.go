//go:build explore || chaos

// Package atomic is sync/atomic with a step before and after each operation.
package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// The types below have the methods of those of sync/atomic that the scheduler
// uses, and do the same.
type (
	Bool  struct{ v atomic.Bool }
	Int32 struct {
		integer[int32, atomic.Int32, *atomic.Int32]
	}
	Int64 struct {
		integer[int64, atomic.Int64, *atomic.Int64]
	}
	Uint32 struct {
		integer[uint32, atomic.Uint32, *atomic.Uint32]
	}
	Uint64 struct {
		integer[uint64, atomic.Uint64, *atomic.Uint64]
	}
	Uintptr struct {
		integer[uintptr, atomic.Uintptr, *atomic.Uintptr]
	}
	Pointer[T any] struct{ v atomic.Pointer[T] }
)

// A Counter is a Uint64 that nobody decides by: it is no step.
type Counter = atomic.Uint64

type word[N any, V any] interface {
	*V
	Load() N
	Store(N)
	Swap(N) N
	Add(N) N
	Or(N) N
	CompareAndSwap(old, new N) bool
}

type integer[N int32 | int64 | uint32 | uint64 | uintptr, V any, P word[N, V]] struct{ v V }

func (x *integer[N, V, P]) Load() N {
	s := joint.Read(unsafe.Pointer(x))
	n := P(&x.v).Load()
	s.Done(uint64(n))
	return n
}

func (x *integer[N, V, P]) Store(n N) {
	s := joint.Write(unsafe.Pointer(x))
	P(&x.v).Store(n)
	s.Done(uint64(n))
}

func (x *integer[N, V, P]) Swap(n N) N {
	s := joint.Write(unsafe.Pointer(x))
	old := P(&x.v).Swap(n)
	s.Done(uint64(old))
	return old
}

func (x *integer[N, V, P]) Add(n N) N {
	s := joint.Write(unsafe.Pointer(x))
	sum := P(&x.v).Add(n)
	s.Done(uint64(sum))
	return sum
}

func (x *integer[N, V, P]) Or(n N) N {
	s := joint.Write(unsafe.Pointer(x))
	old := P(&x.v).Or(n)
	s.Done(uint64(old))
	return old
}

func (x *integer[N, V, P]) CompareAndSwap(old, new N) bool {
	s := joint.Write(unsafe.Pointer(x))
	ok := P(&x.v).CompareAndSwap(old, new)
	s.Done(truth(ok))
	return ok
}

func truth(ok bool) uint64 {
	if ok {
		return 1
	}
	return 0
}

func (x *Bool) Load() bool {
	s := joint.Read(unsafe.Pointer(x))
	b := x.v.Load()
	s.Done(truth(b))
	return b
}

func (x *Bool) Store(b bool) {
	s := joint.Write(unsafe.Pointer(x))
	x.v.Store(b)
	s.Done(truth(b))
}

func (x *Bool) Swap(b bool) bool {
	s := joint.Write(unsafe.Pointer(x))
	old := x.v.Swap(b)
	s.Done(truth(old))
	return old
}

func (x *Bool) CompareAndSwap(old, new bool) bool {
	s := joint.Write(unsafe.Pointer(x))
	ok := x.v.CompareAndSwap(old, new)
	s.Done(truth(ok))
	return ok
}

func (x *Pointer[T]) Load() *T {
	s := joint.Read(unsafe.Pointer(x))
	p := x.v.Load()
	s.Done(truth(p != nil))
	return p
}

func (x *Pointer[T]) Store(p *T) {
	s := joint.Write(unsafe.Pointer(x))
	x.v.Store(p)
	s.Done(truth(p != nil))
}

func (x *Pointer[T]) Swap(p *T) *T {
	s := joint.Write(unsafe.Pointer(x))
	old := x.v.Swap(p)
	s.Done(truth(old != nil))
	return old
}

func (x *Pointer[T]) CompareAndSwap(old, new *T) bool {
	s := joint.Write(unsafe.Pointer(x))
	ok := x.v.CompareAndSwap(old, new)
	s.Done(truth(ok))
	return ok
}
