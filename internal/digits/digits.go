// Package digits writes numbers for people.
package digits

import (
	"fmt"
	"strings"
)

// Grouped writes a number with a comma between thousands.
func Grouped[N int | int64 | uint64](n N) string {
	s := fmt.Sprint(n)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	for i, r := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return sign + b.String()
}
