// Thumbnails shows forkjoin.Group, the drop-in for errgroup.Group, on tasks that
// read a file, compute, write a file, and can fail: the pictures of a folder are
// decoded, made smaller and encoded again, a few at a time. The first error
// cancels the context, and what has not started by then never does.
//
//	go run ./examples/thumbnails
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/forkjoin-go/forkjoin"
)

const (
	pictures = 32
	shrink   = 8 // pixels per pixel of the thumbnail, each way
)

// thumbnail reads the picture src and writes a small one to dst.
func thumbnail(src, dst string) error {
	data, err := os.ReadFile(src)
	if err != nil {
		return err
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", src, err)
	}
	large := img.(image.RGBA64Image) // as all decoded pictures are
	small := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx()/shrink, img.Bounds().Dy()/shrink))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			small.SetRGBA64(x, y, mean(large, x*shrink, y*shrink))
		}
	}
	return save(small, dst)
}

func save(img image.Image, name string) error {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o666)
}

// mean is the mean colour of the square of pixels at (x0, y0).
func mean(img image.RGBA64Image, x0, y0 int) color.RGBA64 {
	var r, g, b uint32
	for i := range shrink * shrink {
		c := img.RGBA64At(x0+i%shrink, y0+i/shrink)
		r, g, b = r+uint32(c.R), g+uint32(c.G), b+uint32(c.B)
	}
	const n = shrink * shrink
	return color.RGBA64{uint16(r / n), uint16(g / n), uint16(b / n), 0xffff}
}

// all makes the thumbnails of some pictures, at most two per core at a time.
func all(ctx context.Context, names []string, suffix string) error {
	g, ctx := forkjoin.WithContext(ctx)
	g.SetLimit(2 * runtime.GOMAXPROCS(0))
	for _, name := range names {
		g.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return thumbnail(name, name+suffix)
		})
	}
	return g.Wait()
}

func main() {
	dir, err := os.MkdirTemp("", "thumbnails")
	check(err)
	defer os.RemoveAll(dir)
	names := make([]string, pictures)
	forkjoin.ParallelFor(pictures, func(i int) {
		names[i] = filepath.Join(dir, fmt.Sprintf("%02d.jpg", i))
		check(paint(names[i], i))
	})

	start := time.Now()
	for _, name := range names {
		check(thumbnail(name, name+".want"))
	}
	sequential := time.Since(start)
	start = time.Now()
	check(all(context.Background(), names, ".got"))
	parallel := time.Since(start)

	for _, name := range names {
		want, errWant := os.ReadFile(name + ".want")
		got, errGot := os.ReadFile(name + ".got")
		check(errors.Join(errWant, errGot))
		if !bytes.Equal(want, got) {
			log.Fatalf("thumbnails: %s differs from the sequential one", name)
		}
	}
	names[pictures/2] = filepath.Join(dir, "missing.jpg")
	if err := all(context.Background(), names, ".again"); !errors.Is(err, fs.ErrNotExist) {
		log.Fatalf("thumbnails: a missing file gave the error %v", err)
	}
	fmt.Printf("%d thumbnails: sequential %v, parallel %v on %d cores\n", pictures,
		sequential.Round(time.Millisecond), parallel.Round(time.Millisecond), runtime.GOMAXPROCS(0))
}

// paint writes a picture of coloured stripes.
func paint(name string, i int) error {
	img := image.NewRGBA(image.Rect(0, 0, 1024, 768))
	for y := range 768 {
		for x := range 1024 {
			img.SetRGBA(x, y, color.RGBA{uint8(x * i / 8), uint8(y + x/(i+1)), uint8(x * y >> 10), 255})
		}
	}
	return save(img, name)
}

func check(err error) {
	if err != nil {
		log.Fatalf("thumbnails: %v", err)
	}
}
