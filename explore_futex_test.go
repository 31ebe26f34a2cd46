//go:build explore && linux && !channels

package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/explore"

// rests checks that p is as it was made.
func (p *parker) rests(x *explore.X) {
	if s := p.state.Load(); s != awake {
		x.Fatalf("the parker is left in state %d", s)
	}
}
