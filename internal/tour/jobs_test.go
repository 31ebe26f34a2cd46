package tour

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"
)

// eachWorkers runs f under several values of GOMAXPROCS.
func eachWorkers(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, w := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(w)
		t.Run(plural(w, "worker"), f)
	}
}

// inputs are texts that each job must treat alike in both forms.
func inputs() map[string][]string {
	long := strings.Repeat("word ", 60_000)
	random := make([]string, 40)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range random {
		var b strings.Builder
		for range rng.IntN(2000) {
			fmt.Fprintf(&b, "line%d of_%d%s", rng.IntN(50), rng.IntN(7), strings.Repeat("\n", rng.IntN(3)))
		}
		random[i] = b.String()
	}
	return map[string][]string{
		"none":                nil,
		"empty file":          {""},
		"empty files":         {"", "", ""},
		"one":                 {"package a\n"},
		"no newline at end":   {"a b", "a b\n", "a b\nc"},
		"only newlines":       {"\n\n\n", "\n"},
		"carriage returns":    {"a\r\nb\r\n\r\n", "a\nb\r"},
		"zero bytes":          {"a\x00b\x00\n\x00", "\x00\n\x00"},
		"not UTF-8":           {"é\xff\xc3\na\xe2\x82", "\x80é\xff\xc3"},
		"huge line":           {long, "x\n" + long, long + "y\n"},
		"many equal lines":    {strings.Repeat("same\n", 9000), strings.Repeat("same\n", 4000) + "other"},
		"sorted and reversed": {numbers(5000, 1), numbers(5000, -1)},
		"random":              random,
	}
}

func numbers(n, step int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%06d\n", n+i*step)
	}
	return b.String()
}

func TestJobsAgree(t *testing.T) {
	for name, texts := range inputs() {
		t.Run(name, func(t *testing.T) { checkJobs(t, texts) })
	}
}

// checkJobs compares the sequential form of each job with the plainest way to
// get the result, and the parallel form with the sequential one.
func checkJobs(t *testing.T, texts []string) {
	words := countIdents(texts)
	if want := wantWords(texts); !maps.Equal(words, want) {
		t.Errorf("identifiers are %.200v, want %.200v", words, want)
	}
	lines := splitLines(texts)
	if want := wantLines(texts); !slices.Equal(lines, want) {
		t.Errorf("there are %d lines, want %d: %.200q, want %.200q", len(lines), len(want), lines, want)
	}
	before := slices.Clone(lines)
	inOrder := sorted(lines)
	want := slices.Clone(lines)
	slices.SortStableFunc(want, func(a, b line) int { return strings.Compare(a.text, b.text) })
	if !slices.Equal(inOrder, want) {
		t.Error("the lines are not in the order of SortStableFunc")
	}
	common := longestCommon(inOrder)
	if want := wantCommon(lines); common != want {
		t.Errorf("longest common lines are %.200v, want %.200v", common, want)
	}
	eachWorkers(t, func(t *testing.T) {
		if got := countIdentsParallel(texts); !equalCounts(words, got) {
			t.Errorf("identifiers in parallel are %.200v, want %.200v", got, words)
		}
		if got := splitLinesParallel(texts); !slices.Equal(lines, got) {
			t.Error("the lines split in parallel differ")
		}
		if got := sortedParallel(lines); !slices.Equal(inOrder, got) {
			t.Error("the lines sorted in parallel differ")
		}
		if got := longestCommonParallel(inOrder); got != common {
			t.Errorf("longest common lines in parallel are %.200v, want %.200v", got, common)
		}
	})
	if !slices.Equal(lines, before) {
		t.Error("sorting changed its argument")
	}
}

var word = regexp.MustCompile(`[\p{L}\p{Nd}_]+`)

func wantWords(texts []string) counts {
	c := make(counts)
	for _, text := range texts {
		for _, w := range word.FindAllString(text, -1) {
			if r, _ := utf8.DecodeRuneInString(w); !unicode.IsDigit(r) {
				c[w]++
			}
		}
	}
	return c
}

func wantLines(texts []string) (lines []line) {
	for i, text := range texts {
		for l := range strings.Lines(text) {
			lines = append(lines, line{strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r"), int32(i)})
		}
	}
	return lines
}

func wantCommon(lines []line) (top longest) {
	times, files := map[string]int{}, map[string]map[int32]bool{}
	for _, l := range lines {
		times[l.text]++
		if files[l.text] == nil {
			files[l.text] = map[int32]bool{}
		}
		files[l.text][l.file] = true
	}
	var all []shared
	for s, n := range times {
		if f := len(files[s]); f > 1 && s != "" {
			all = append(all, shared{s, n, f})
		}
	}
	slices.SortFunc(all, func(a, b shared) int {
		if a.better(b) {
			return -1
		}
		return 1
	})
	copy(top[:], all)
	return top
}

func TestIdentifiers(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"a":                    "a",
		"_ _1 x1y":             "_|_1|x1y",
		"1x 0x1F 12 3_a b":     "b",
		"naïve Größe π2 日本語":   "naïve|Größe|π2|日本語",
		"٣x y٣":                "y٣",
		"a.b(c)+\"d\"//e\n\tf": "a|b|c|d|e|f",
		"a\xffb\xc3":           "a|b",
		"a€b":                  "a|b",
	} {
		if got := strings.Join(slices.Collect(identifiers(text)), "|"); got != want {
			t.Errorf("identifiers(%q) = %s, want %s", text, got, want)
		}
	}
	for range identifiers("a b c") {
		break // must not go on
	}
}

func TestCountSummary(t *testing.T) {
	total, top := counts{"b": 2, "a": 2, "c": 1, "d": 1000}.summary(3)
	if got, want := fmt.Sprint(total, top), "1005 [d (1,000) a (2) b (2)]"; got != want {
		t.Errorf("summary = %s, want %s", got, want)
	}
	if total, top := (counts{}).summary(3); total != 0 || len(top) != 0 {
		t.Errorf("summary of nothing = %d %v", total, top)
	}
}

func TestReadAllAgrees(t *testing.T) {
	fsys, files := fstest.MapFS{}, []file(nil)
	for i := range 100 {
		name := fmt.Sprintf("d%d/f%02d", i%7, i)
		fsys[name] = &fstest.MapFile{Data: []byte(strings.Repeat(name, i))}
		files = append(files, file{name: name})
	}
	eachWorkers(t, func(t *testing.T) {
		want := readAll(fsys, files)
		if got := readAllParallel(fsys, files); !slices.Equal(got, want) || got[99] != strings.Repeat("d1/f99", 99) {
			t.Error("the contents read in parallel differ")
		}
	})
}

func TestPictureAndFibAgree(t *testing.T) {
	eachWorkers(t, func(t *testing.T) {
		for _, size := range [][2]int{{1, 1}, {64, 1}, {1, 64}, {160, 120}} {
			want, got := mandelbrot(size[0], size[1]), mandelbrotParallel(size[0], size[1])
			if !equalPictures(want, got) {
				t.Errorf("the pictures of %d × %d points differ", size[0], size[1])
			}
		}
		for n, want := range map[uint64]uint64{0: 0, 1: 1, 2: 1, 10: 55, 20: 6765} {
			if a, b := fib(n), fibParallel(n); a != want || b != want {
				t.Errorf("fib(%d) = %d sequentially, %d in parallel, want %d", n, a, b, want)
			}
		}
	})
	img := mandelbrot(160, 120)
	if in, out := img.RGBAAt(115, 60), img.RGBAAt(0, 0); in == out {
		t.Errorf("the middle and the corner of the picture have the colour %v", in)
	}
}
