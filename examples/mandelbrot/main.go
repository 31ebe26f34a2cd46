// Mandelbrot shows forkjoin.ParallelFor on a loop whose iterations differ
// greatly in cost. The loop is not cut into fixed pieces: whoever runs out of
// work takes half of what another worker has left.
//
//	go run ./examples/mandelbrot [-png FILE]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const (
	width, height = 1200, 800
	maxSteps      = 300
)

// drawRow draws one row of a view into the Seahorse Valley.
func drawRow(img *image.Gray, y int) {
	const scale = 0.03 / width
	im := 0.1 + float64(y-height/2)*scale
	for x := range width {
		re := -0.75 + float64(x-width/2)*scale
		img.SetGray(x, y, color.Gray{Y: uint8(steps(re, im) * 255 / maxSteps)})
	}
}

// steps counts how often z² + c can be iterated before z leaves the circle of
// radius 2.
func steps(re, im float64) int {
	var x, y float64
	for n := range maxSteps {
		if x*x+y*y > 4 {
			return n
		}
		x, y = x*x-y*y+re, 2*x*y+im
	}
	return maxSteps
}

func main() {
	file := flag.String("png", filepath.Join(os.TempDir(), "mandelbrot.png"), "write the picture to `FILE`")
	flag.Parse()
	want := image.NewGray(image.Rect(0, 0, width, height))
	got := image.NewGray(want.Rect)

	sequential := timed(func() {
		for y := range height {
			drawRow(want, y)
		}
	})
	parallel := timed(func() {
		forkjoin.ParallelFor(height, func(y int) { drawRow(got, y) })
	})

	if !bytes.Equal(want.Pix, got.Pix) {
		log.Fatal("mandelbrot: the parallel picture differs from the sequential one")
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, got); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*file, buf.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d × %d points: sequential %v, parallel %v on %d cores; picture in %s\n",
		width, height, sequential, parallel, runtime.GOMAXPROCS(0), *file)
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start).Round(10 * time.Microsecond)
}
