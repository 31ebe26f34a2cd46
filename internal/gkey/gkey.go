// Package gkey names the calling goroutine.
//
// A key says "the same goroutine as before" and nothing else. It is what lets
// a call find the state that an enclosing call on the same goroutine left,
// without a context passed from hand to hand.
//
//   - A key is never 0, so 0 can stand for "no goroutine".
//   - It does not change while its goroutine lives, whatever thread runs it
//     and however often its stack moves.
//   - Two goroutines alive at the same time have different keys.
//   - It means nothing once its goroutine has ended: a later goroutine may
//     get the same key. Whoever stores a key removes it before that goroutine
//     can end, a panic and runtime.Goexit included.
//   - It is not a pointer to follow, and keeps nothing alive.
//
// There are two implementations, told apart by [Fast]. Where assembly is
// allowed, a key is the address of the runtime's descriptor of the goroutine
// (the g), which the Go ABI keeps in a register or a thread-local word on every
// architecture. The stub copies that word and reads no field behind it, so the
// layout of a g, which changes from release to release, does not matter.
// Descriptors neither move nor return to the heap; the runtime reuses them,
// hence the rule above about ended goroutines. Elsewhere, and under the build
// tag purego, the key is the number that a stack trace begins with.
//
// Rejected: the fields of g, such as its number (at another offset in each Go
// release); profiler labels as carriers (reading one's own needs a private
// symbol of the runtime, and they are inherited); the address of a stack
// variable (stacks move).
package gkey
