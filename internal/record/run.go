package record

// Run runs f on one worker or, with parallel, on the default pool, and returns
// the recording as a file. Package forkjoin sets it when it is linked into a
// program, so that package sim can record without importing it.
var Run func(f func(), parallel bool, program string) []byte
