package panels

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"
)

// A fraction is a figure that is kept exact until it is shown.
type fraction struct{ num, den int64 }

// decimal writes f rounded to so many places, halves up; "none" if it is of nothing.
// It must not be negative.
func (f fraction) decimal(places int) string {
	if f.den == 0 {
		return "none"
	}
	scale := int64(1)
	for range places {
		scale *= 10
	}
	n := new(big.Int).Mul(big.NewInt(2*f.num), big.NewInt(scale))
	n.Add(n, big.NewInt(f.den))
	n.Quo(n, big.NewInt(2*f.den))
	if places == 0 {
		return n.String()
	}
	digits := n.String()
	if short := places + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	return digits[:len(digits)-places] + "." + digits[len(digits)-places:]
}

// signed writes f with its sign, also if that is a plus.
func (f fraction) signed(places int) string {
	if f.num < 0 {
		return "-" + fraction{-f.num, f.den}.decimal(places)
	}
	return "+" + f.decimal(places)
}

// atLeast compares f with a over b.
func (f fraction) atLeast(a, b int64) bool { return f.num*b >= a*f.den }

func (f fraction) above(a, b int64) bool { return f.num*b > a*f.den }

// deviation returns the population's standard deviation of values, to four
// places.
func deviation(values []int64) string {
	n, sum, squares := int64(len(values)), int64(0), int64(0)
	for _, v := range values {
		sum += v
		squares += v * v
	}
	return fmt.Sprintf("%.4f", math.Sqrt(float64(n*squares-sum*sum))/float64(n))
}

// sameNumber says whether two numbers in JSON are equal: 1.1 is 1.100. Those
// with an exponent are none of ours.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > 40 || strings.ContainsAny(a, "eE") {
		return false
	}
	x, ok := new(big.Rat).SetString(a)
	y, okToo := new(big.Rat).SetString(b)
	return ok && okToo && x.Cmp(y) == 0
}

// raw makes a value of a claim from a number that has been written.
func raw(s string) json.RawMessage { return json.RawMessage(s) }
