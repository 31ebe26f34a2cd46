package tour

import (
	"fmt"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/digits"
)

// commas writes a number with a comma between thousands.
func commas[N int | int64 | uint64](n N) string { return digits.Grouped(n) }

// short writes a count in at most seven characters: in full below 100,000, else
// three digits of it.
func short(n uint64) string {
	if n < 100_000 {
		return commas(n)
	}
	f := float64(n)
	for _, unit := range []string{"k", "M", "G", "T"} {
		f /= 1000
		switch {
		case f < 99.95:
			return fmt.Sprintf("%.1f%s", f, unit)
		case f < 999.5:
			return fmt.Sprintf("%.0f%s", f, unit)
		}
	}
	return fmt.Sprintf("%.3g", float64(n))
}

// byteSize writes a number of bytes in decimal units.
func byteSize(n int64) string {
	if n < 1000 {
		return plural(int(n), "byte")
	}
	f, units := float64(n)/1000, []string{"kB", "MB", "GB", "TB", "PB", "EB"}
	for f >= 999.95 && len(units) > 1 {
		f, units = f/1000, units[1:]
	}
	return fmt.Sprintf("%.1f %s", f, units[0])
}

// duration writes a time with three digits.
func duration(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d < time.Millisecond-500*time.Nanosecond:
		return threeDigits(d.Seconds()*1e6) + " µs"
	case d < time.Second-500*time.Microsecond:
		return threeDigits(d.Seconds()*1e3) + " ms"
	}
	return threeDigits(d.Seconds()) + " s"
}

func threeDigits(f float64) string {
	switch {
	case f < 9.995:
		return fmt.Sprintf("%.2f", f)
	case f < 99.95:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.0f", f)
}

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return commas(n) + " " + unit + "s"
}
