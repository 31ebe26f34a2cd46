//go:build !race

package explore

const raceEnabled = false

func raceHide()       {}
func raceShow()       {}
func raceErrors() int { return 0 }
