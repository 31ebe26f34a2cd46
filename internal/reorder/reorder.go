// Package reorder lets package sim run programs in other orders, without
// importing package forkjoin.
package reorder

// Run calls f on the calling goroutine. What f does through package forkjoin runs
// there as well, in an order that depends on the seed alone; 0 is the order of one
// worker. Package forkjoin sets it when it is linked into a program.
var Run func(seed uint64, f func())
