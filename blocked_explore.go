//go:build explore

package forkjoin

import "github.com/forkjoin-go/forkjoin/internal/explore"

// Here the explorer knows who can run.

func (p *Pool) blockedTasks() (n int, known bool) { return 0, explore.Able() != 0 }

func (d *watchdog) able() int { return explore.Able() }
