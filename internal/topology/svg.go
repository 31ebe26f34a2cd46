package topology

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

// WriteSVG draws the map as nested boxes, one small square for each CPU, shaded by
// how near it is to the thief. It is readable on light and dark.
func (m *Map) WriteSVG(w io.Writer, thief int) error {
	const cell, gap, width = 30, 6, 1000
	var b strings.Builder
	cpus := slices.Clone(m.CPUs)
	slices.SortFunc(cpus, byPlace)
	// Rows of boxes: an L3 is a box, as wide as its CPUs, 16 in a row at most.
	x, y, rowHeight, slow := gap, 80, 0, false
	node := [2]int{-1, -1}
	unknown := m.cachesUnknown() // then a box is a node
	for from := 0; from < len(cpus); {
		to := from + 1
		for to < len(cpus) && (cpus[to].L3 == cpus[from].L3 || unknown && cpus[to].Package == cpus[from].Package) && cpus[to].Node == cpus[from].Node {
			to++
		}
		part := cpus[from:to]
		from = to
		columns := min(len(part), 16)
		rows := (len(part) + columns - 1) / columns
		boxWidth, boxHeight := columns*cell+gap, rows*cell+gap+16
		if at := [2]int{part[0].Package, part[0].Node}; at != node {
			if node[0] >= 0 {
				y += rowHeight + gap
			}
			node, x, rowHeight = at, gap, 0
			fmt.Fprintf(&b, `<text x="%d" y="%d">package %d, node %d</text>`+"\n", gap, y+14, at[0], at[1])
			y += 22
		}
		if x+boxWidth > width {
			x, y, rowHeight = gap, y+rowHeight+gap, 0
		}
		rowHeight = max(rowHeight, boxHeight)
		label := fmt.Sprintf("L3 %d", part[0].L3)
		if unknown {
			label = "caches not known"
			boxWidth = max(boxWidth, 110)
		}
		fmt.Fprintf(&b, `<rect class="b" x="%d" y="%d" width="%d" height="%d" rx="4"/><text class="s" x="%d" y="%d">%s</text>`+"\n", x, y, boxWidth, boxHeight, x+gap, y+13, label)
		for i, c := range part {
			class := fmt.Sprintf("r%d", m.Ring(thief, c.ID))
			switch {
			case c.ID == thief:
				class = "t"
			case !c.Allowed:
				class = "no"
			}
			cx, cy := x+gap+i%columns*cell, y+18+i/columns*cell
			size, inset := cell-gap, 0
			if c.Speed < 1000 {
				size, inset, slow = size-6, 3, true
			}
			fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="3"><title>CPU %d, core %d, L2 %d%s</title></rect><text class="s %s" x="%d" y="%d" text-anchor="middle">%d</text>`+"\n",
				class, cx+inset, cy+inset, size, size, c.ID, c.Core, c.L2, remarks([]CPU{c}), "on"+class, cx+(cell-gap)/2, cy+16, c.ID)
		}
		x += boxWidth + gap
	}
	var legend strings.Builder
	at := gap
	for _, l := range []struct{ class, text string }{{"t", "thief"}, {"r0", ringNames[0]}, {"r1", ringNames[1]}, {"r2", ringNames[2]}, {"r3", ringNames[3]}, {"no", "not for this process"}} {
		fmt.Fprintf(&legend, `<rect class="%s" x="%d" y="44" width="16" height="16" rx="3"/><text x="%d" y="57">%s</text>`+"\n", l.class, at, at+22, l.text)
		at += 38 + 8*len(l.text)
	}
	if slow {
		fmt.Fprintf(&legend, `<text x="%d" y="57">small: slower</text>`+"\n", at)
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" role="img">
<title>%s</title>
<style>.p{fill:#fff}text{fill:#222}.s{font-size:11px}.b{fill:none;stroke:#888}.t{fill:#d55e00}.r0{fill:#0b5394}.r1{fill:#4a90d9}.r2{fill:#a9cdf0}.r3{fill:#e3e6ea}.no{fill:none;stroke:#999;stroke-dasharray:3 2}.ont,.onr0,.onr1{fill:#fff}.onr1,.onr2,.onr3{fill:#111}@media(prefers-color-scheme:dark){.p{fill:#16181c}text{fill:#ddd}.r3{fill:#3a3f46}.onr3{fill:#eee}.onr1,.onr2{fill:#111}}</style>
<rect class="p" width="100%%" height="100%%"/>
<text x="%d" y="24" font-size="16">%s: who is near a thief on CPU %d</text>
%s%s</svg>
`, width+gap, y+rowHeight+gap, html.EscapeString(m.Title), gap, html.EscapeString(m.Title), thief, legend.String(), b.String())
	return err
}
