//go:build !linux

package topology

import "runtime"

func readMachine() *Map { return FromCounts(runtime.NumCPU(), counts()) }

func (m *Map) restrict() *Map { return m }
