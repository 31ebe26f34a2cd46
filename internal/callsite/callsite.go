// Package callsite lets package iter tell package forkjoin which of its calls are
// alike.
//
// What a loop has learned of its iterations is kept by the function that it was
// given. The loops of package iter are all given the same few functions, which call
// those of the user; so without more, pipelines that have nothing in common would
// disturb each other. The functions here are set by package forkjoin, which package
// iter imports: its own functions could not be called from there without being
// offered to everybody.
package callsite

var (
	// CodeOf returns where the code of f is, which is a function.
	CodeOf func(f any) uintptr

	// Mark has option, which is a *forkjoin.Option, say that loops with the same
	// number are alike, and others not. 0 says nothing.
	Mark func(option any, number uintptr)
)

// Mix returns a number for what consists of a and then b.
func Mix(a, b uintptr) uintptr { return a*31 + b }
