// Package cpunum tells on which processor (CPU) the calling goroutine runs, as
// the operating system counts them.
//
// The answer may be wrong as soon as it is given, since goroutines and threads
// move. It may decide whom to rob first, never whether a result is right.
//
// On amd64 with Linux it is read by RDTSCP, which the kernel has answer with the
// CPU's number; elsewhere on Linux, and under the build tag purego, by the system
// call getcpu; on other systems it is not known.
//
// Rejected: CPUID, whose local APIC ID is not the system's number, and which a
// hypervisor traps; getcpu of the vDSO, which cannot be called without the
// runtime's help; RDPID, which is no faster in this use and newer.
package cpunum

import "sync"

// Reader returns a function that tells the number of the CPU it is called on, in
// a few function calls' time (where it takes a system call, a hundred), or nil if
// there is none. The function returns a negative number when it fails.
var Reader = sync.OnceValue(reader)
