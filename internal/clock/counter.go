//go:build !purego && !explore && gc && (386 || amd64 || arm64)

package clock

// Now returns the time in ticks since some fixed moment. On one goroutine it
// does not run backwards as long as the machine's counters agree, which those
// of current machines do. It costs a few function calls, allocates nothing, and
// is the real time also inside a testing/synctest bubble.
func Now() int64

// frequency returns the ticks in a second, or 0 if the processor doesn't say.
func frequency() int64
