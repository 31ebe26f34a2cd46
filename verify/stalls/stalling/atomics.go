package stalling

import "sync/atomic"

// Pointer is atomic.Pointer.
type Pointer[T any] struct{ v atomic.Pointer[T] }

func (x *Pointer[T]) Load() *T           { stall(); v := x.v.Load(); stall(); return v }
func (x *Pointer[T]) Store(v *T)         { stall(); x.v.Store(v); stall() }
func (x *Pointer[T]) Swap(v *T) (old *T) { stall(); old = x.v.Swap(v); stall(); return old }
func (x *Pointer[T]) CompareAndSwap(old, new *T) bool {
	stall()
	ok := x.v.CompareAndSwap(old, new)
	stall()
	return ok
}

// Bool is atomic.Bool.
type Bool struct{ v atomic.Bool }

func (x *Bool) Load() bool             { stall(); v := x.v.Load(); stall(); return v }
func (x *Bool) Store(v bool)           { stall(); x.v.Store(v); stall() }
func (x *Bool) Swap(v bool) (old bool) { stall(); old = x.v.Swap(v); stall(); return old }
func (x *Bool) CompareAndSwap(old, new bool) bool {
	stall()
	ok := x.v.CompareAndSwap(old, new)
	stall()
	return ok
}

// Int32 is atomic.Int32.
type Int32 struct{ v atomic.Int32 }

func (x *Int32) Load() int32                { stall(); v := x.v.Load(); stall(); return v }
func (x *Int32) Store(v int32)              { stall(); x.v.Store(v); stall() }
func (x *Int32) Swap(v int32) (old int32)   { stall(); old = x.v.Swap(v); stall(); return old }
func (x *Int32) Add(delta int32) int32      { stall(); v := x.v.Add(delta); stall(); return v }
func (x *Int32) And(mask int32) (old int32) { stall(); old = x.v.And(mask); stall(); return old }
func (x *Int32) Or(mask int32) (old int32)  { stall(); old = x.v.Or(mask); stall(); return old }
func (x *Int32) CompareAndSwap(old, new int32) bool {
	stall()
	ok := x.v.CompareAndSwap(old, new)
	stall()
	return ok
}

// Int64 is atomic.Int64.
type Int64 struct{ v atomic.Int64 }

func (x *Int64) Load() int64                { stall(); v := x.v.Load(); stall(); return v }
func (x *Int64) Store(v int64)              { stall(); x.v.Store(v); stall() }
func (x *Int64) Swap(v int64) (old int64)   { stall(); old = x.v.Swap(v); stall(); return old }
func (x *Int64) Add(delta int64) int64      { stall(); v := x.v.Add(delta); stall(); return v }
func (x *Int64) And(mask int64) (old int64) { stall(); old = x.v.And(mask); stall(); return old }
func (x *Int64) Or(mask int64) (old int64)  { stall(); old = x.v.Or(mask); stall(); return old }
func (x *Int64) CompareAndSwap(old, new int64) bool {
	stall()
	ok := x.v.CompareAndSwap(old, new)
	stall()
	return ok
}

// Uint32 is atomic.Uint32.
type Uint32 struct{ v atomic.Uint32 }

func (x *Uint32) Load() uint32                 { stall(); v := x.v.Load(); stall(); return v }
func (x *Uint32) Store(v uint32)               { stall(); x.v.Store(v); stall() }
func (x *Uint32) Swap(v uint32) (old uint32)   { stall(); old = x.v.Swap(v); stall(); return old }
func (x *Uint32) Add(delta uint32) uint32      { stall(); v := x.v.Add(delta); stall(); return v }
func (x *Uint32) And(mask uint32) (old uint32) { stall(); old = x.v.And(mask); stall(); return old }
func (x *Uint32) Or(mask uint32) (old uint32)  { stall(); old = x.v.Or(mask); stall(); return old }
func (x *Uint32) CompareAndSwap(old, new uint32) bool {
	stall()
	ok := x.v.CompareAndSwap(old, new)
	stall()
	return ok
}

// Uint64 is atomic.Uint64.
type Uint64 struct{ v atomic.Uint64 }

func (x *Uint64) Load() uint64                 { stall(); v := x.v.Load(); stall(); return v }
func (x *Uint64) Store(v uint64)               { stall(); x.v.Store(v); stall() }
func (x *Uint64) Swap(v uint64) (old uint64)   { stall(); old = x.v.Swap(v); stall(); return old }
func (x *Uint64) Add(delta uint64) uint64      { stall(); v := x.v.Add(delta); stall(); return v }
func (x *Uint64) And(mask uint64) (old uint64) { stall(); old = x.v.And(mask); stall(); return old }
func (x *Uint64) Or(mask uint64) (old uint64)  { stall(); old = x.v.Or(mask); stall(); return old }
func (x *Uint64) CompareAndSwap(old, new uint64) bool {
	stall()
	ok := x.v.CompareAndSwap(old, new)
	stall()
	return ok
}

// Uintptr is atomic.Uintptr.
type Uintptr struct{ v atomic.Uintptr }

func (x *Uintptr) Load() uintptr                  { stall(); v := x.v.Load(); stall(); return v }
func (x *Uintptr) Store(v uintptr)                { stall(); x.v.Store(v); stall() }
func (x *Uintptr) Swap(v uintptr) (old uintptr)   { stall(); old = x.v.Swap(v); stall(); return old }
func (x *Uintptr) Add(delta uintptr) uintptr      { stall(); v := x.v.Add(delta); stall(); return v }
func (x *Uintptr) And(mask uintptr) (old uintptr) { stall(); old = x.v.And(mask); stall(); return old }
func (x *Uintptr) Or(mask uintptr) (old uintptr)  { stall(); old = x.v.Or(mask); stall(); return old }
func (x *Uintptr) CompareAndSwap(old, new uintptr) bool {
	stall()
	ok := x.v.CompareAndSwap(old, new)
	stall()
	return ok
}
