// Kmeans finds the 16 colours that best stand for all those in the pictures of a
// directory, those of Go's own tests if none is named: in sequence, with
// goroutines that take a part of the pixels each, and with package iter.
//
//	go run ./examples/kmeans [DIR]
package main

import (
	_ "embed"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"log"
	"math"
	"os"
	"runtime"
	"sync"

	"github.com/forkjoin-go/forkjoin/examples/internal/compare"
	"github.com/forkjoin-go/forkjoin/iter"
)

//go:embed main.go
var source string

const (
	k     = 16
	steps = 8
)

type colour struct{ r, g, b float64 }

// far reports whether p and q differ by more than rounding.
func (p colour) far(q colour) bool {
	return max(math.Abs(p.r-q.r), math.Abs(p.g-q.g), math.Abs(p.b-q.b)) > 1e-6
}

// A cluster is the sum of some colours, and their number.
type cluster struct {
	sum colour
	n   int
}

func (c *cluster) add(d cluster) {
	c.sum.r += d.sum.r
	c.sum.g += d.sum.g
	c.sum.b += d.sum.b
	c.n += d.n
}

type clusters [k]cluster

// put adds p to the cluster of the mean that is nearest.
func (c *clusters) put(means *[k]colour, p colour) *clusters {
	best, least := 0, math.Inf(1)
	for i, m := range means {
		r, g, b := m.r-p.r, m.g-p.g, m.b-p.b
		if d := r*r + g*g + b*b; d < least {
			best, least = i, d
		}
	}
	c[best].add(cluster{p, 1})
	return c
}

func (c *clusters) merge(d *clusters) *clusters {
	for i := range c {
		c[i].add(d[i])
	}
	return c
}

// solve improves the means step by step. assign puts all pixels into clusters.
func solve(pixels []colour, assign func(pixels []colour, means *[k]colour) *clusters) [k]colour {
	var means [k]colour
	for i := range means {
		means[i] = pixels[(2*i+1)*len(pixels)/(2*k)]
	}
	for range steps {
		for i, c := range assign(pixels, &means) {
			if n := float64(c.n); n > 0 {
				means[i] = colour{c.sum.r / n, c.sum.g / n, c.sum.b / n}
			}
		}
	}
	return means
}

func sequential(pixels []colour, means *[k]colour) *clusters {
	c := new(clusters)
	for _, p := range pixels {
		c.put(means, p)
	}
	return c
}

func chunked(pixels []colour, means *[k]colour) *clusters {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]*clusters, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			parts[w] = sequential(pixels[len(pixels)*w/workers:len(pixels)*(w+1)/workers], means)
		})
	}
	wg.Wait()
	for _, part := range parts[1:] {
		parts[0].merge(part)
	}
	return parts[0]
}

func parallel(pixels []colour, means *[k]colour) *clusters {
	return iter.Fold(iter.Slice(pixels), func() *clusters { return new(clusters) },
		func(c *clusters, p colour) *clusters { return c.put(means, p) }, (*clusters).merge)
}

// load returns the colours in a picture; none if it cannot be read.
func load(name string) []colour {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		return nil
	}
	var all []colour
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			all = append(all, colour{float64(r >> 8), float64(g >> 8), float64(b >> 8)})
		}
	}
	return all
}

func main() {
	files := compare.Files(compare.Dir("src", "image"), "*.*")
	pixels := iter.FlatMap(iter.Slice(files).WithMaxLeaf(1), load).Collect()
	if len(pixels) < k {
		log.Fatal("kmeans: there are no pictures")
	}
	var a, b, c [k]colour
	compare.Table(source,
		compare.Form{Name: "sequential", Do: func() { a = solve(pixels, sequential) }, Funcs: []string{"sequential"}},
		compare.Form{Name: "by hand", Do: func() { b = solve(pixels, chunked) }, Funcs: []string{"sequential", "chunked"}},
		compare.Form{Name: "parallel", Do: func() { c = solve(pixels, parallel) }, Funcs: []string{"parallel"}})

	// Sums of floating-point numbers depend on how they are grouped, a little.
	for i := range a {
		if a[i].far(b[i]) || a[i].far(c[i]) {
			log.Fatal("kmeans: the forms disagree")
		}
	}
	for _, m := range c {
		fmt.Printf("#%02x%02x%02x ", int(m.r), int(m.g), int(m.b))
	}
	fmt.Printf("\n%d pixels, %d steps\n", len(pixels), steps)
}
