//go:build explore

package clock

import (
	"time"

	"github.com/forkjoin-go/forkjoin/internal/explore"
)

// Now goes on by a microsecond at each look, for each goroutine apart: what one
// does must not depend on when others did something, or the explorer could not
// repeat it.
func Now() int64 { return 1<<30 + explore.Tick(time.Microsecond).Nanoseconds() }

// Nanos converts a difference of two readings of Now to nanoseconds.
func Nanos(ticks int64) int64 { return ticks }

// Ticks converts a duration to the difference that two readings of Now have when
// that much time passes between them.
func Ticks(d time.Duration) int64 { return int64(d) }
