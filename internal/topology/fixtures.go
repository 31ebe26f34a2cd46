package topology

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"
)

//go:embed fixtures/*.txt
var descriptions embed.FS

// Fixtures names the machines that [Fixture] knows, in alphabetical order.
func Fixtures() []string {
	names, err := fs.Glob(descriptions, "fixtures/*.txt")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(name, "fixtures/"), ".txt")
	}
	return names
}

var fixtures struct {
	sync.Mutex
	maps map[string]*Map
}

// Fixture returns the map of a machine by its name. The files that Linux would
// show there are made from a description and then parsed as on that machine.
func Fixture(name string) (*Map, error) {
	fixtures.Lock()
	defer fixtures.Unlock()
	if m := fixtures.maps[name]; m != nil {
		return m, nil
	}
	text, err := descriptions.ReadFile("fixtures/" + name + ".txt")
	if err != nil {
		return nil, fmt.Errorf("forkjoin: fixture is %q, want one of %s", name, strings.Join(Fixtures(), ", "))
	}
	m, err := FromDescription(string(text))
	if err != nil {
		return nil, err
	}
	m.Source = "fixture " + name
	if fixtures.maps == nil {
		fixtures.maps = map[string]*Map{}
	}
	fixtures.maps[name] = m
	return m, nil
}

// FromDescription returns the map of the machine that [Describe] makes.
func FromDescription(text string) (*Map, error) {
	root, title, allowed, err := Describe(text)
	if err != nil {
		return nil, err
	}
	sys, err := fs.Sub(root, "sys")
	if err != nil {
		return nil, err
	}
	m := Parse(sys, allowed)
	m.Title, m.Quota = title, Quota(root)
	return m, nil
}
