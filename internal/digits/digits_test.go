package digits

import (
	"math"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 123456: "123,456",
		1234567: "1,234,567", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
	if got := Grouped(uint64(math.MaxUint64)); got != "18,446,744,073,709,551,615" {
		t.Errorf("Grouped(2^64-1) = %q", got)
	}
}
