//go:build race

package explore

import "runtime"

// raceEnabled: decisions are made on a goroutine of their own, since the race
// detector must see neither that goroutines take turns nor what the explorer
// notes of them.
const raceEnabled = true

func raceHide()       { runtime.RaceDisable() }
func raceShow()       { runtime.RaceEnable() }
func raceErrors() int { return runtime.RaceErrors() }
