//go:build explore

package joint

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/forkjoin-go/forkjoin/internal/explore"
)

// FutexWait compares and falls asleep in one step, and wakes in another one.
func FutexWait(word unsafe.Pointer, value uint32, d time.Duration) {
	explore.Step(explore.Futex, word, nil)
	if atomic.LoadUint32((*uint32)(word)) == value {
		explore.Sleep(word, d)
	}
}

// FutexWake wakes the one that sleeps on the word.
func FutexWake(word unsafe.Pointer) {
	explore.Step(explore.Futex, word, nil)
	explore.Rouse(word)
}

// Now is the time that has passed for the calling goroutine.
func Now() time.Time { return time.Unix(1<<30, explore.Elapsed().Nanoseconds()) }
