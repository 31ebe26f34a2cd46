//go:build purego

package iter

// uncleared returns n elements that are all to be written to before any is read.
func uncleared[T any](n int) []T { return make([]T, n) }
