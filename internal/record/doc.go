// Package record is the writing side of recordings: what workers note while a
// recorded program runs, and the file that comes of it. Package sim reads it.
//
// Each worker writes events into a track of its own, a string of bytes that only
// grows. Between two events is a strand, code of the program, whose cost the
// second event carries. What one goroutine does in one go is a sequence of events
// that ends with an End; sequences of the parts of a fork or loop follow in the
// order in which the worker ran them, nested in each other. A part that another
// worker ran is a segment of that worker's track, and the place where it belongs
// has a reference to it. So workers write without asking each other; the reader
// puts the pieces together.
//
// A recording is a sequence of chunks, each with a length and a checksum: names,
// pieces of tracks, and at the end a summary. A recording that goes to a file is
// written as the program runs; each write replaces the old summary by new chunks
// and a new one, so the file is complete at any time.
//
// docs/FORMAT.md describes the bytes.
package record
