//go:build !linux

package topology

import "runtime"

func readMachine() *Map {
	if leaf := cpuidLeaf(); leaf != nil {
		return FromCPUID(runtime.NumCPU(), leaf)
	}
	m := Flat(runtime.NumCPU())
	m.Title = "this machine"
	return m
}

func (m *Map) restrict() *Map { return m }
