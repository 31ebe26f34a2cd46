package forkjoin

import (
	"sync"
	"testing"
)

// Recordings name functions by their code, which is found in two ways.
func TestCodeIn(t *testing.T) {
	if !pointsToCode {
		t.Error("function values do not point to their code: recording is slower than it need be")
	}
	direct := pointsToCode
	defer func() { pointsToCode = direct }()
	n := 0
	closures := []func(){func() {}, func() { n++ }, new(sync.WaitGroup).Wait}
	for i := range 2 {
		closures = append(closures, func() { n += i }) // the code is the same
	}
	code := make([]uintptr, len(closures))
	for i, f := range closures {
		pointsToCode = direct
		code[i] = codeIn(&f)
		pointsToCode = false
		if by := codeIn(&f); code[i] != by {
			t.Errorf("function %d is at %#x, and at %#x for reflect", i, code[i], by)
		}
	}
	if code[3] != code[4] || code[0] == code[1] || code[1] == code[2] || code[2] == code[3] {
		t.Errorf("functions are at %#x, want the last two at one place, the others not", code)
	}
	g := func() int { return n }
	if codeIn(&g) != codeOf(g) {
		t.Error("a function with a result is found elsewhere than by reflect")
	}
}
