//go:build !explore && (purego || !gc || !(386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x || wasm))

package gkey

import "testing"

func TestParseHeader(t *testing.T) {
	good := map[string]uint64{
		"goroutine 1 [running]:\nmain.main()":        1,
		"goroutine 9 [running, synctest bubble 1]:":  9,
		"goroutine 42 gp=0xc000 m=3 mp=0x1 [running": 42,
		"goroutine 18446744073709551615 [":           1<<64 - 1,
	}
	for in, want := range good {
		if got, ok := parseHeader([]byte(in)); !ok || got != want {
			t.Errorf("parseHeader(%q) = %d, %v, want %d, true", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "goroutine", "goroutine ", "goroutine 12", "goroutine 0 [", "goroutine x1 [", "thread 1 ["} {
		if got, ok := parseHeader([]byte(in)); ok {
			t.Errorf("parseHeader(%q) = %d, true, want false", in, got)
		}
	}
}
