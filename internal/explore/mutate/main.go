// Command mutate proves that the checks of this module check something: it applies
// mistakes to copies of the source, one at a time, and fails unless each is
// caught.
//
//	go run ./internal/explore/mutate [-only TEXT] [-sample N -seed N] [-workers N]
//
// It reads verify/mutations.txt and prints a table. An edit that no longer
// applies, or does not compile, is a failure, too.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	list := flag.String("list", "verify/mutations.txt", "the mistakes")
	only := flag.String("only", "", "those with this in protocol or name")
	sample := flag.Int("sample", 0, "only so many, chosen at random; 0: all")
	seed := flag.Uint64("seed", uint64(time.Now().Unix()/86400), "of the sample; another one every day")
	workers := flag.Int("workers", 1, "how many at the same time")
	flag.Parse()

	data, err := os.ReadFile(*list)
	check(err)
	all, err := parse(string(data))
	check(err)
	var chosen []*mutation
	for _, m := range all {
		if strings.Contains(m.protocol+": "+m.name, *only) {
			check(m.applies())
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		check(fmt.Errorf("no mistake has %q in its name", *only))
	}
	if *sample > 0 && *sample < len(chosen) {
		rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		fmt.Printf("%d of %d mistakes, seed %d\n", *sample, len(chosen), *seed)
		chosen = chosen[:*sample]
	}

	fmt.Printf("%-8s %-58s %9s  %s\n", "protocol", "mistake", "schedules", "caught by")
	var todo = make(chan *mutation)
	var out sync.Mutex
	var survivors []string
	var group sync.WaitGroup
	for range *workers {
		group.Go(func() {
			dir, err := os.MkdirTemp("", "mutate")
			check(err)
			defer os.RemoveAll(dir)
			check(copySource(dir))
			for m := range todo {
				v := m.try(dir)
				out.Lock()
				fmt.Printf("%-8s %-58s %9d  %s\n", m.protocol, m.name, v.schedules, v.by)
				if !v.caught {
					survivors = append(survivors, m.protocol+": "+m.name)
				}
				out.Unlock()
			}
		})
	}
	for _, m := range chosen {
		todo <- m
	}
	close(todo)
	group.Wait()
	fmt.Printf("mutate: %d mistakes, %d caught, %d not\n", len(chosen), len(chosen)-len(survivors), len(survivors))
	if len(survivors) > 0 {
		fmt.Println("NOT CAUGHT:\n  " + strings.Join(survivors, "\n  "))
		os.Exit(1)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// A mutation is a mistake: edits of some files.
type mutation struct {
	protocol, name string
	edits          []edit
	test, testFile string // instead of the explorer's programs
	race           bool
	tags           string // of the build
}

type edit struct{ file, old, new string }

// parse reads mistakes in the form that verify/mutations.txt tells.
func parse(text string) (all []*mutation, err error) {
	var m *mutation
	for n, line := range strings.Split(text, "\n") {
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '@':
			protocol, name, ok := strings.Cut(line[1:], ":")
			if !ok {
				return nil, fmt.Errorf("line %d: want @ PROTOCOL: NAME", n+1)
			}
			m = &mutation{protocol: strings.TrimSpace(protocol), name: strings.TrimSpace(name), tags: "explore"}
			all = append(all, m)
			continue
		case m == nil:
			return nil, fmt.Errorf("line %d: before the first mistake", n+1)
		case line == "race":
			m.race = true
			continue
		case line == "channels":
			m.tags += ",channels"
			continue
		}
		if rest, ok := strings.CutPrefix(line, "file "); ok {
			m.edits = append(m.edits, edit{file: rest})
			continue
		}
		if rest, ok := strings.CutPrefix(line, "test "); ok {
			m.test, m.testFile, _ = strings.Cut(rest, " ")
			continue
		}
		if len(m.edits) == 0 {
			return nil, fmt.Errorf("line %d: no file", n+1)
		}
		e := &m.edits[len(m.edits)-1]
		switch line[0] {
		case '-':
			e.old += line[1:] + "\n"
		case '+':
			e.new += line[1:] + "\n"
		case ' ':
			e.old += line[1:] + "\n"
			e.new += line[1:] + "\n"
		default:
			return nil, fmt.Errorf("line %d: want -, + or a blank", n+1)
		}
	}
	return all, nil
}

// mutated returns the changed files of the source in dir.
func (m *mutation) mutated(dir string) (map[string]string, error) {
	files := map[string]string{}
	for _, e := range m.edits {
		text, ok := files[e.file]
		if !ok {
			data, err := os.ReadFile(filepath.Join(dir, e.file))
			if err != nil {
				return nil, err
			}
			text = string(data)
		}
		old, new := strings.TrimSuffix(e.old, "\n"), strings.TrimSuffix(e.new, "\n")
		if n := strings.Count(text, old); n != 1 || old == "" {
			return nil, fmt.Errorf("%s: %s: its text is %d times in %s, want once:\n%s", m.protocol, m.name, n, e.file, old)
		}
		files[e.file] = strings.Replace(text, old, new, 1)
	}
	return files, nil
}

func (m *mutation) applies() error {
	_, err := m.mutated(".")
	return err
}

// copySource copies what the explorer's tests are built from.
func copySource(dir string) error {
	var files []string
	for _, pattern := range []string{"go.mod", "go.sum", "*.go", "internal/*/*.go", "internal/*/*.s", "internal/topology/fixtures/*.txt"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		files = append(files, found...)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") && !strings.HasPrefix(f, "explore") {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A verdict says how a mistake was caught.
type verdict struct {
	caught    bool
	by        string
	schedules int
}

// try applies the mistake to the copy in dir, runs the checks until one fails, and
// takes it back.
func (m *mutation) try(dir string) (v verdict) {
	files, err := m.mutated(dir)
	check(err)
	for name, text := range files {
		was, err := os.ReadFile(filepath.Join(dir, name))
		check(err)
		check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		defer func() { check(os.WriteFile(filepath.Join(dir, name), was, 0o644)) }()
	}
	if m.test != "" {
		return m.tryTest(dir)
	}
	own, others := "^TestExplore$/^"+m.protocol+"$", "^TestExplore$"
	if m.race {
		v.explore(dir, m.tags, true, "-test.run", own, "-explore.most", "300", "-explore.random", "0")
		return v
	}
	for _, args := range [][]string{
		{"-test.run", own, "-explore.most", "300", "-explore.random", "0"},
		{"-test.run", own, "-explore.most", "5000"},
		{"-test.run", others, "-test.skip", own, "-explore.most", "1000"},
	} {
		if v.explore(dir, m.tags, false, args...); v.caught {
			return v
		}
	}
	v.explore(dir, m.tags, true, "-test.run", own, "-explore.most", "1000", "-explore.random", "0")
	return v
}

func (m *mutation) tryTest(dir string) (v verdict) {
	data, err := os.ReadFile(m.testFile)
	check(err)
	to := filepath.Join(dir, m.testFile)
	check(os.WriteFile(to, data, 0o644))
	defer os.Remove(to)
	out, err := command(dir, 5*time.Minute, "go", "test", "-vet=off", "-run", "^"+m.test+"$", ".")
	switch {
	case err == nil:
		return verdict{by: "-"}
	case bytes.Contains(out, []byte("[build failed]")):
		return verdict{by: "DOES NOT BUILD\n" + string(out)}
	}
	return verdict{caught: true, by: m.test}
}

var (
	reported = regexp.MustCompile(`(?m)^(\S.*?) +(\d+) schedules .*$`)
	started  = regexp.MustCompile(`(?m)^=== RUN +TestExplore/(.*)$`)
)

// explore runs the explorer's programs, with the race detector or without, and
// adds what comes of it.
func (v *verdict) explore(dir, tags string, race bool, args ...string) {
	binary, build := "explore.test", []string{"test", "-vet=off", "-tags", tags, "-gcflags=-N -l", "-c"}
	how := ""
	if race {
		build = append(build, "-race")
		how = " with -race"
	}
	if out, err := command(dir, 10*time.Minute, "go", append(build, "-o", binary, ".")...); err != nil {
		v.by = "DOES NOT BUILD\n" + string(out)
		return
	}
	out, err := command(dir, 10*time.Minute, "./"+binary, append(args, "-test.v", "-test.failfast", "-test.timeout", "8m")...)
	failed := ""
	for _, line := range reported.FindAllSubmatch(out, -1) {
		n, _ := strconv.Atoi(string(line[2]))
		v.schedules += n
		if bytes.Contains(line[0], []byte("FAILED")) {
			failed = string(line[1])
		}
	}
	if err == nil {
		v.by = "-"
		return
	}
	v.caught = true
	v.by = failed + how
	if failed == "" {
		runs := started.FindAllSubmatch(out, -1)
		v.by = "a crash" + how
		if len(runs) > 0 {
			v.by += " in " + strings.ReplaceAll(string(runs[len(runs)-1][1]), "_", " ")
		}
		if errors.Is(err, context.DeadlineExceeded) || bytes.Contains(out, []byte("test timed out")) {
			v.by = strings.Replace(v.by, "a crash", "no end", 1)
		}
	}
}

func command(dir string, patience time.Duration, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}
