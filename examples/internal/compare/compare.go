// Package compare runs several forms of the same computation, in turn, and
// prints how long each takes and how many lines of code it has.
package compare

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// A Form is one way to compute something.
type Form struct {
	Name string
	Do   func()
	// Funcs are the functions of the program that make it up.
	Funcs []string
}

const rounds = 5

// Table runs the forms and prints the table. source is the text of the program.
// Times are medians; the first form is what the others are compared with.
func Table(source string, forms ...Form) {
	took := make([][]time.Duration, len(forms))
	for range rounds {
		for i, f := range forms {
			start := time.Now()
			f.Do()
			took[i] = append(took[i], time.Since(start))
		}
	}
	lines := lengths(source)
	fmt.Printf("%-12s %12s %9s %6s   (%d cores)\n", "form", "time", "speed-up", "lines", runtime.GOMAXPROCS(0))
	for i, f := range forms {
		n := 0
		for _, name := range f.Funcs {
			if lines[name] == 0 {
				log.Fatalf("compare: the source has no function %s", name)
			}
			n += lines[name]
		}
		for j := range took {
			slices.Sort(took[j])
		}
		t := took[i][rounds/2]
		fmt.Printf("%-12s %12v %9.2f %6d\n", f.Name, t.Round(10*time.Microsecond), float64(took[0][rounds/2])/float64(t), n)
	}
}

// lengths returns the number of lines of each function.
func lengths(source string) map[string]int {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "main.go", source, 0)
	if err != nil {
		log.Fatalf("compare: %v", err)
	}
	lines := make(map[string]int)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			lines[f.Name.Name] = files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1
		}
	}
	return lines
}

// Dir returns the directory named on the command line, or else one below Go's
// own tree, or else the current one.
func Dir(elem ...string) string {
	if len(os.Args) > 1 {
		return os.Args[1]
	}
	dir := filepath.Join(append([]string{build.Default.GOROOT}, elem...)...)
	if s, err := os.Stat(dir); err == nil && s.IsDir() {
		return dir
	}
	return "."
}

// Files returns the names of all files below dir whose names match pattern.
func Files(dir, pattern string) []string {
	var names []string
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ok, err := filepath.Match(pattern, d.Name()); err != nil || !ok || !d.Type().IsRegular() {
			return err
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	return names
}

// Read returns what is in a file.
func Read(name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	return string(data)
}
