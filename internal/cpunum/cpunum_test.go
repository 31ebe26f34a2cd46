package cpunum

import (
	"runtime"
	"sync"
	"testing"
)

func TestReader(t *testing.T) {
	read := Reader()
	if read == nil {
		if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
			t.Fatal("the CPU's number is not known")
		}
		t.Skip("the CPU's number is not known here")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				if cpu := read(); cpu < 0 || cpu >= 1<<13 {
					t.Errorf("the CPU's number is %d", cpu)
					return
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	if n := testing.AllocsPerRun(100, func() { read() }); n != 0 {
		t.Errorf("a reading allocates %v times, want 0", n)
	}
}

func BenchmarkReader(b *testing.B) {
	read := Reader()
	if read == nil {
		b.Skip("the CPU's number is not known here")
	}
	for b.Loop() {
		read()
	}
}
