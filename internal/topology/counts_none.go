//go:build !linux && (!(amd64 || 386) || purego)

package topology

// counts says nothing: here the processor cannot be asked.
func counts() Counts { return Counts{} }
