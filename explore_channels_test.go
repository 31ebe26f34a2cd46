//go:build explore && (!linux || channels)

package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/explore"

// rests checks that nobody finds a permit in p.
func (p *parker) rests(x *explore.X) {
	if n := len(p.permits()); n != 0 {
		x.Fatalf("%d permits are left", n)
	}
}
