//go:build !linux

package topology

import "runtime"

func readMachine() *Map { return FromCounts(runtime.NumCPU(), counts()) }

func (m *Map) restrict() *Map { return m }

// Leave does nothing: it is not known which CPU the thread runs on.
func Leave(id, least int) {}
