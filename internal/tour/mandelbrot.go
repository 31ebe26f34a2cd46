package tour

import (
	"bytes"
	"image"
	"image/color"
	"math"

	"github.com/forkjoin-go/forkjoin"
)

// mandelbrot computes the picture row by row.
func mandelbrot(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		mandelbrotRow(img, y)
	}
	return img
}

// mandelbrotParallel is mandelbrot as a loop over the rows. They differ a
// hundredfold in cost, which makes this a test of load balance.
func mandelbrotParallel(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	forkjoin.ParallelFor(height, func(y int) { mandelbrotRow(img, y) })
	return img
}

func equalPictures(a, b *image.RGBA) bool {
	return a.Rect == b.Rect && bytes.Equal(a.Pix, b.Pix)
}

// maxSteps is where a point counts as inside the set.
const maxSteps = 400

// mandelbrotRow computes one row of the set's usual view: the width shows the
// real axis from -2.3 to 0.9, and the middle row is the axis itself.
func mandelbrotRow(img *image.RGBA, y int) {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	scale := 3.2 / float64(width)
	im := (float64(y) - float64(height-1)/2) * scale
	for x := range width {
		img.SetRGBA(x, y, shade(escape(float64(x)*scale-2.3, im)))
	}
}

// escape iterates z² + c and returns how soon z leaves the circle of radius 16,
// with a fraction that makes the colours run smoothly; negative if it does not.
func escape(re, im float64) float64 {
	var x, y float64
	for n := range maxSteps {
		xx, yy := x*x, y*y
		if r := xx + yy; r > 256 {
			return float64(n) + 1 - math.Log2(math.Log2(r)/2)
		}
		x, y = xx-yy+re, 2*x*y+im
	}
	return -1
}

// shade turns the result of escape into a colour: black inside the set, and
// blue through white to amber and back, ever more slowly, outside.
func shade(steps float64) color.RGBA {
	if steps < 0 {
		return color.RGBA{A: 255}
	}
	t := 2.2 * math.Log1p(max(steps, 0))
	wave := func(shift float64) uint8 { return uint8(127.5 - 127.5*math.Cos(t+shift)) }
	return color.RGBA{R: wave(0), G: wave(0.5), B: wave(1.1), A: 255}
}
