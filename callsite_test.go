package forkjoin

import (
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/callsite"
)

// What an option of package callsite marks as alike has one site, whatever the
// function; without a mark the function tells.
func TestMarkedSites(t *testing.T) {
	site := func(code uintptr, options ...Option) *site {
		l := parse("test", options)
		return l.siteOf(code)
	}
	var a, b, none Option
	callsite.Mark(&a, callsite.Mix(1, 2))
	callsite.Mark(&b, callsite.Mix(2, 1))
	callsite.Mark(&none, 0)
	if site(7, a) != site(8, a) {
		t.Error("calls with the same mark have different sites")
	}
	if site(7, a) == site(7, b) {
		t.Error("calls with different marks have the same site")
	}
	if site(7) != siteOf(7) || site(7, none) != siteOf(7) {
		t.Error("a call without a mark has not the site of its function")
	}
	if site(7, MinLeaf(3), a, Label("x")) != site(8, a) {
		t.Error("a mark beside other options is lost")
	}
}
