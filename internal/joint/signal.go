//go:build !explore

package joint

import "time"

func offer(c Signal) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func receiveWithin(c Signal, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}
