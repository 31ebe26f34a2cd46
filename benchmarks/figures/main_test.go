package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	runs := []string{
		"goos: linux\nBenchmarkFigures/tree/warm-2 \t 3\t 12 ns\t 2.000 max-x-seq\t 2.5 x-seq\nPASS\n",
		"BenchmarkFigures/tree/warm-2 \t 3\t 14 ns\t 2.000 max-x-seq\t 1.5 x-seq\n",
		"BenchmarkFigures/tree/warm-2 \t 3\t 13 ns\t 2.000 max-x-seq\t 1 x-seq\nBenchmarkFigures/idle \t 1\t 1.900 min-speedup\t 1.25 speedup\n",
	}
	var figures []*figure
	for _, r := range runs {
		figures = collect(figures, []byte(r))
	}
	var out strings.Builder
	table(&out, figures)
	want := `| figure | unit | bound | median | min | max | |
| --- | --- | --- | --- | --- | --- | --- |
| tree/warm | x-seq | <= 2 | 1.5 | 1 | 2.5 | held |
| tree/warm | ns |  | 13 | 12 | 14 |  |
| idle | speedup | >= 1.9 | 1.25 | 1.25 | 1.25 | missed |
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
