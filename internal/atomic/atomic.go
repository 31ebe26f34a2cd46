//go:build !explore && !chaos

// Package atomic stands between the scheduler and package sync/atomic. Its types
// are those of sync/atomic, under the same names, so they cost nothing.
//
// With the build tag explore each operation is a step of the schedule explorer,
// and with the build tag chaos it may be delayed. Both builds are told about in
// docs/VERIFICATION.md.
package atomic

import "sync/atomic"

// The types of sync/atomic that the scheduler uses.
type (
	Bool    = atomic.Bool
	Int32   = atomic.Int32
	Int64   = atomic.Int64
	Uint32  = atomic.Uint32
	Uint64  = atomic.Uint64
	Uintptr = atomic.Uintptr

	Pointer[T any] = atomic.Pointer[T]
)

// A Counter is a Uint64 that nobody decides by, so the explorer need not look at
// it.
type Counter = atomic.Uint64
