package tour

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/cputime"
)

func TestMeasureFindsDifference(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	m := newMeter(t.Context(), 2, nil)
	m.workers = []int{1, 2, 3}
	runs := 0
	_, err := measure(m, "job", func() int { return 1 }, func() int { runs++; return max(1, runs-5) }, equal)
	if got, want := fmt.Sprint(err), "job, 3 workers: the result differs from that of the first, sequential run"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	m = newMeter(cancelled(t), 1, nil)
	_, err = measure(m, "job", func() int { t.Error("ran though cancelled"); return 1 }, func() int { return 1 }, equal)
	if !errors.Is(err, errStop) {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestMedian(t *testing.T) {
	for want, walls := range map[time.Duration][]time.Duration{
		7: {7}, 2: {9, 2}, 5: {9, 5, 1}, 4: {4, 8, 9, 1},
	} {
		samples := make([]sample, len(walls))
		for i, w := range walls {
			samples[i].wall = w
		}
		if got := middle(samples).wall; got != want {
			t.Errorf("the median of %v is %v, want %v", walls, got, want)
		}
	}
	m, runs := newMeter(t.Context(), 1, nil), 0
	defer m.restore()
	s, err := m.median(3, 1, "", func() func() error { runs++; time.Sleep(time.Millisecond); return nil })
	if err != nil || runs != 3 || s.wall < time.Millisecond {
		t.Errorf("%d runs with median %v, error %v; want 3 of at least 1 ms", runs, s.wall, err)
	}
}

func TestWorkerCounts(t *testing.T) {
	for most, want := range map[int]string{
		1: "[1]", 2: "[1 2]", 4: "[1 2 3 4]", 5: "[1 2 3 4 5]", 8: "[1 2 3 4 8]", 12: "[1 2 3 4 8 12]", 96: "[1 2 3 4 8 16 32 64 96]",
	} {
		if got := fmt.Sprint(workerCounts(most)); got != want {
			t.Errorf("workerCounts(%d) = %s, want %s", most, got, want)
		}
	}
}

func TestCPUTime(t *testing.T) {
	before := cputime.Used()
	if before < 0 {
		t.Skip("this system does not tell")
	}
	for deadline := time.Now().Add(time.Minute); cputime.Used()-before < 20*time.Millisecond; {
		if time.Now().After(deadline) {
			t.Fatalf("%v of processor time in a minute of computing", cputime.Used()-before)
		}
	}
	s := take(func() { time.Sleep(50 * time.Millisecond) })
	if c, ok := s.cores(); !ok || c > float64(runtime.NumCPU()) {
		t.Errorf("%.2f cores used while sleeping (known: %v)", c, ok)
	}
}

func TestTable(t *testing.T) {
	m := &meter{workers: []int{1, 2}, rows: []row{
		{"short", sample{wall: 1500 * time.Millisecond}, []sample{{}, {wall: 750 * time.Millisecond, cpu: 1425 * time.Millisecond, forks: 63_245_985, steals: 12}}},
		{"a longer name", sample{wall: 40 * time.Microsecond}, []sample{{wall: 50 * time.Microsecond}, {wall: 0, cpu: -1, forks: 99_999}}},
	}}
	var b bytes.Buffer
	m.table(&b)
	want := strings.Join([]string{
		"job            sequential  1 worker  2 workers  speed-up   forks  steals  cores",
		"short              1.50 s      0 ns     750 ms      2.00   63.2M      12   1.90",
		"a longer name     40.0 µs   50.0 µs       0 ns         -  99,999       0      -",
		"",
	}, "\n")
	if b.String() != want {
		t.Errorf("table is\n%s\nwant\n%s", b.String(), want)
	}
}

// Figures are doubted if threads had to wait for more than a tenth of the time.
func TestTableOfABusyMachine(t *testing.T) {
	for delay, say := range map[time.Duration]bool{0: false, 100: false, 101: true, 5000: true} {
		m := &meter{workers: []int{1}, rows: []row{
			{"a", sample{wall: 300, delay: delay / 2}, []sample{{wall: 300, delay: delay - delay/2}}},
			{"b", sample{wall: 200}, []sample{{wall: 200}}},
		}}
		var b bytes.Buffer
		m.table(&b)
		if got := strings.Contains(b.String(), "\nThe figures cannot be trusted: "); got != say {
			t.Errorf("waited for %v of 1 µs: says so %v, want %v:\n%s", delay, got, say, b.String())
		}
	}
}

func TestFormats(t *testing.T) {
	for got, want := range map[string]string{
		commas(0):                     "0",
		commas(999):                   "999",
		commas(1000):                  "1,000",
		commas(-1234567):              "-1,234,567",
		commas(^uint64(0)):            "18,446,744,073,709,551,615",
		short(99_999):                 "99,999",
		short(100_000):                "100k",
		short(999_600):                "1.0M",
		short(^uint64(0)):             "1.84e+19",
		byteSize(1):                   "1 byte",
		byteSize(999):                 "999 bytes",
		byteSize(999_960):             "1.0 MB",
		byteSize(127_562_029):         "127.6 MB",
		duration(0):                   "0 ns",
		duration(999):                 "999 ns",
		duration(999_600):             "1.00 ms",
		duration(9_994_999):           "9.99 ms",
		duration(99_960_000):          "100 ms",
		duration(999_600_000):         "1.00 s",
		duration(123_456_789_000):     "123 s",
		excerpt("a\tb\x1b[31m", 40):   `"a\tb\x1b[31m"`,
		excerpt("日本語日本語", 3):          `"日本語"…`,
		excerpt("\xff\xff", 2):        `"\xff\xff"`,
		plural(1, "worker"):           "1 worker",
		plural(1024, "worker"):        "1,024 workers",
		fmt.Sprint((&tree{bytes: 5})): "0 files, 5 bytes",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWritePNG(t *testing.T) {
	needFiles(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "set.png")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	img := image.NewRGBA(image.Rect(0, 0, 300, 200))
	if err := writePNG(cancelled(t), path, img); !errors.Is(err, errStop) {
		t.Errorf("cancelled: error %v", err)
	}
	if old, err := os.ReadFile(path); err != nil || string(old) != "old" {
		t.Errorf("a cancelled picture left %.20q, error %v", old, err)
	}
	if err := writePNG(t.Context(), path, img); err != nil {
		t.Fatal(err)
	}
	checkPicture(t, path, 300, 200)
	missing := filepath.Join(dir, "missing", "set.png")
	if err := writePNG(t.Context(), missing, img); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing folder: error %v", err)
	}
	if err := checkTarget(os.DevNull); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a device for a picture: error %v", err)
	}
}
