package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/joint"
)

// heldGroups are the groups whose ticket is held back (G5), for the watchdog.
type heldGroups struct {
	mu     joint.Mutex // locked after a group's
	groups []*taskGroup
	count  atomic.Int32
}

// hold keeps g's ticket back and lists g for the watchdog. The caller holds g.mu, and
// turns the watchdog on when it no longer does: that locks groups that are queued, of
// which g may be one, with a ticket from an earlier use.
func (p *Pool) hold(g *taskGroup) {
	g.held = true
	if g.listed != p {
		g.listed, g.seen = p, g.list.claimed()
		p.held.add(g)
	}
}

func (h *heldGroups) add(g *taskGroup) {
	h.mu.Lock()
	h.groups = append(h.groups, g)
	h.count.Store(int32(len(h.groups)))
	h.mu.Unlock()
}

func (h *heldGroups) takeAll() []*taskGroup {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.groups
	h.groups = nil
	h.count.Store(0)
	return all
}

// lookAtHeld is the watchdog's look at groups whose ticket is held back. Where
// nothing was claimed since the last look, the ticket is injected.
func (p *Pool) lookAtHeld() {
	for _, g := range p.held.takeAll() {
		g.mu.Lock()
		if g.listed != p { // another pool's by now
			g.mu.Unlock()
			continue
		}
		claimed, ticket := g.list.claimed(), false
		switch {
		case !g.held || g.list.waiting() == 0:
			g.held, g.listed = false, nil
		case claimed != g.seen:
			g.seen = claimed
			p.held.add(g)
		default:
			g.held, g.listed = false, nil
			if ticket = g.ticketed != p && g.room(); ticket {
				g.ticketed = p
			}
		}
		g.mu.Unlock()
		if ticket {
			p.inject(g)
		}
	}
}
