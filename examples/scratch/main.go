// Scratch shows forkjoin.ParallelForWith: each goroutine that takes part in a
// loop gets something of its own to work with. Here it is a compressor, which
// takes longer to make than a small block takes to compress, and which two
// goroutines must not use at once.
//
//	go run ./examples/scratch
package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const (
	blocks    = 2000
	blockSize = 4 << 10
)

// compressor is the scratch of one goroutine.
type compressor struct {
	out bytes.Buffer
	w   *flate.Writer
}

var made atomic.Int32

func newCompressor() *compressor {
	made.Add(1)
	c := &compressor{}
	c.w, _ = flate.NewWriter(&c.out, flate.BestCompression) // fails only for an unknown level
	return c
}

// compress returns the block in compressed form, which does not depend on what
// the compressor has done before.
func (c *compressor) compress(block []byte) []byte {
	c.out.Reset()
	c.w.Reset(&c.out)
	c.w.Write(block) // a bytes.Buffer never fails
	c.w.Close()
	return bytes.Clone(c.out.Bytes())
}

// makeText returns words in random order.
func makeText() []byte {
	words := []string{"fork", "join", "worker", "steal", "frame", "deque", "leaf", "grain", "span", "split"}
	rng := rand.New(rand.NewPCG(1, 2))
	var text []byte
	for len(text) < blocks*blockSize {
		text = append(append(text, words[rng.IntN(len(words))]...), ' ')
	}
	return text[:blocks*blockSize]
}

func main() {
	text := makeText()
	block := func(i int) []byte { return text[i*blockSize : (i+1)*blockSize] }
	want, got := make([][]byte, blocks), make([][]byte, blocks)

	sequential := timed(func() {
		c := newCompressor()
		for i := range blocks {
			want[i] = c.compress(block(i))
		}
	})
	made.Store(0)
	parallel := timed(func() {
		forkjoin.ParallelForWith(blocks, newCompressor, func(c *compressor, i int) {
			got[i] = c.compress(block(i))
		})
	})

	if !slices.EqualFunc(want, got, bytes.Equal) {
		log.Fatal("scratch: a block was compressed otherwise in parallel")
	}
	size := 0
	for i, b := range got {
		size += len(b)
		back, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
		if err != nil || !bytes.Equal(back, block(i)) {
			log.Fatalf("scratch: block %d does not decompress to itself (error: %v)", i, err)
		}
	}
	fmt.Printf("%d blocks, %d to %d bytes, %d compressors made: sequential %v, parallel %v on %d cores\n",
		blocks, len(text), size, made.Load(), sequential, parallel, runtime.GOMAXPROCS(0))
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
