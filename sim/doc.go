// Package sim records the task trees of programs that use package forkjoin, and
// runs such trees on a virtual clock, with any number of workers and any policy.
//
// [Record] runs a function and returns its [Tree]: what it forked, and what each
// piece cost. A program that is run with the environment variable FORKJOIN_RECORD
// set to the name of a file writes its tree there, without any change to its code;
// [ReadFile] reads it. A [Builder] makes trees by hand. [Tree.Measure] tells how
// long a tree takes on one worker and on any number of them, [Replay] how long on
// a machine that is described.
//
// The package needs nothing of the scheduler but its decisions, so it runs in
// WebAssembly, too; to record something, package forkjoin has to be linked into
// the program, as it is when that uses it.
package sim
