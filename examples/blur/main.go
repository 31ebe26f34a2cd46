// Blur shows forkjoin.ParallelFor2D: a picture is blurred tile by tile. Tiles
// have a shorter border than strips of rows, so fewer pixels are read twice and
// what a tile needs stays in a core's own cache.
//
//	go run ./examples/blur
package main

import (
	"bytes"
	"fmt"
	"image"
	"log"
	"math"
	"runtime"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const (
	width, height = 1600, 1200
	radius        = 4
)

// blurTile sets the pixels of dst in rows [r0, r1) and columns [c0, c1) to the
// mean of the pixels of src within radius, as far as those exist.
func blurTile(dst, src *image.Gray, r0, r1, c0, c1 int) {
	for y := r0; y < r1; y++ {
		top, bottom := max(y-radius, 0), min(y+radius+1, height)
		for x := c0; x < c1; x++ {
			left, right := max(x-radius, 0), min(x+radius+1, width)
			sum := 0
			for v := top; v < bottom; v++ {
				for _, p := range src.Pix[v*src.Stride+left : v*src.Stride+right] {
					sum += int(p)
				}
			}
			dst.Pix[y*dst.Stride+x] = uint8(sum / ((bottom - top) * (right - left)))
		}
	}
}

// roughness is the mean difference between neighbours in a row.
func roughness(img *image.Gray) float64 {
	sum := 0.0
	for i := 1; i < len(img.Pix); i++ {
		sum += math.Abs(float64(img.Pix[i]) - float64(img.Pix[i-1]))
	}
	return sum / float64(len(img.Pix))
}

func main() {
	src := image.NewGray(image.Rect(0, 0, width, height))
	for i := range src.Pix {
		x, y := i%width-width/2, i/width-height/2
		src.Pix[i] = uint8((x*x + y*y) / 64)
	}
	want, got := image.NewGray(src.Rect), image.NewGray(src.Rect)

	sequential := timed(func() { blurTile(want, src, 0, height, 0, width) })
	parallel := timed(func() {
		forkjoin.ParallelFor2D(height, width, func(r0, r1, c0, c1 int) {
			blurTile(got, src, r0, r1, c0, c1)
		})
	})

	if !bytes.Equal(want.Pix, got.Pix) {
		log.Fatal("blur: the parallel picture differs from the sequential one")
	}
	before, after := roughness(src), roughness(got)
	if after >= before {
		log.Fatalf("blur: roughness went from %.1f to %.1f", before, after)
	}
	fmt.Printf("%d × %d pixels, roughness %.1f to %.1f: sequential %v, parallel %v on %d cores\n",
		width, height, before, after, sequential, parallel, runtime.GOMAXPROCS(0))
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
