//go:build purego

// Package fresh gives memory that is not cleared first.
package fresh

// Slice returns n elements that are all to be written to before any is read.
func Slice[T any](n int) []T { return make([]T, n) }
