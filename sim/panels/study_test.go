package panels

import "testing"

// What the readings of the study say is so.
func TestStudyReadings(t *testing.T) {
	parts, err := studied()
	if err != nil {
		t.Fatal(err)
	}
	variant := func(p, v int, name string) studiedVariant {
		t.Helper()
		got := parts[p].Variants[v]
		if got.Name != name {
			t.Fatalf("variant %d of %q is %q, want %q", v, parts[p].Title, got.Name, name)
		}
		return got
	}
	holds := func(what string, is bool) {
		t.Helper()
		if !is {
			t.Errorf("not so: %s", what)
		}
	}

	noJoins, anyWork, leapfrog := variant(0, 0, "no joins"), variant(0, 2, "any work"), variant(0, 3, "leapfrog")
	park, dearPark := variant(0, 4, "park"), variant(0, 5, "park, 20 to resume")
	holds("bags have no joins", dearPark.Bags == noJoins.Bags && dearPark.PanelAB == noJoins.PanelAB && dearPark.PanelC == noJoins.PanelC)
	holds("waiting at work costs little", 10*max(anyWork.Trees.Far, leapfrog.Trees.Far) < 11*noJoins.Trees.Far)
	holds("parking costs less", park.Trees.Far < min(anyWork.Trees.Far, leapfrog.Trees.Far))
	holds("with a price it is the dearest", dearPark.Trees.Far > anyWork.Trees.Far && dearPark.Trees.Far > leapfrog.Trees.Far)
	depth := func(v studiedVariant) pair { return v.Figures[0].pair }
	holds("any work buries at the own end", depth(anyWork).Own > 5*depth(park).Own)
	holds("leapfrogging does a little there", depth(leapfrog).Own > depth(park).Own)
	holds("at the far end nothing does", depth(anyWork).Far == depth(park).Far && depth(leapfrog).Far == depth(park).Far)

	never, early, round := variant(1, 0, "never"), variant(1, 1, "after 1"), variant(1, 3, "after a round")
	holds("sleeping early leaves the bag to its owner", early.Bags.Far > 2*never.Bags.Far && early.Bags.Own > 2*never.Bags.Own)
	holds("and the tree at the own end suffers", early.Trees.Own > 2*never.Trees.Own && 2*early.Trees.Far < 3*never.Trees.Far)
	chain := variant(1, 2, "after 1, chain")
	holds("a chain of wakes is no help then", alike(chain.Bags.Far, early.Bags.Far) && alike(chain.Bags.Own, early.Bags.Own))
	holds("few wakes at the far end", early.Figures[1].Own > 10*early.Figures[1].Far)
	holds("after a round hardly anything changes", alike(round.Trees.Far, never.Trees.Far) && alike(round.Trees.Own, never.Trees.Own))

	one, half := variant(2, 0, "one"), variant(2, 1, "half")
	oneCheap, halfCheap := variant(2, 2, "one, cost 1"), variant(2, 3, "half, cost 1")
	oneDear, halfDear := variant(2, 4, "one, cost 32"), variant(2, 5, "half, cost 32")
	holds("bags gain", half.Bags.Far < one.Bags.Far && half.Bags.Own < one.Bags.Own)
	holds("equal tasks most of all", 2*half.PanelC < one.PanelC)
	holds("the ends are alike", alike(half.Trees.Far, half.Trees.Own))
	holds("the far end is harmed", half.Trees.Far > one.Trees.Far && !alike(half.Trees.Far, one.Trees.Far))
	holds("it grows with the price", halfDear.Trees.Far*one.Trees.Far > half.Trees.Far*oneDear.Trees.Far &&
		halfDear.Bags.Far*one.Bags.Far < half.Bags.Far*oneDear.Bags.Far)
	holds("and is gone at 1", alike(halfCheap.Trees.Far, oneCheap.Trees.Far) && alike(halfCheap.Trees.Own, oneCheap.Trees.Own) &&
		alike(halfCheap.Bags.Far, oneCheap.Bags.Far))

	flat, inTurn, near := variant(3, 0, "no distance"), variant(3, 1, "in turn"), variant(3, 3, "neighbours first")
	regained := func(whole, far, near mean) mean { return 100 * (far - near) / (far - whole) } // percent
	holds("neighbours first win back most on bags", regained(flat.Bags.Far, inTurn.Bags.Far, near.Bags.Far) > 50 && near.PanelC < flat.PanelC)
	holds("and at the own end", regained(flat.Trees.Own, inTurn.Trees.Own, near.Trees.Own) > 50)
	some := regained(flat.Trees.Far, inTurn.Trees.Far, near.Trees.Far)
	holds("and part of it on trees at the far end", some > 20 && some < 60)

	turn, held, long := variant(4, 0, "in turn"), variant(4, 1, "in turn, held 2"), variant(4, 2, "in turn, held 8")
	rich, richLong := variant(4, 3, "richest"), variant(4, 5, "richest, held 8")
	holds("in turn they hardly meet", alike(held.Trees.Far, turn.Trees.Far) && long.Figures[0].Far < 10)
	lost := func(before, after, turn mean) mean { return 100 * (after - before) / (turn - before) }
	holds("queuing loses what knowing gained", lost(rich.PanelC, richLong.PanelC, turn.PanelC) > 50 &&
		lost(rich.Trees.Own, richLong.Trees.Own, turn.Trees.Own) > 50)
	holds("less at the far end", 6*richLong.Trees.Far < 7*rich.Trees.Far)

	public0, private0 := variant(5, 0, "public, pop free"), variant(5, 1, "private, pop free")
	public4, private4 := variant(5, 4, "public, pop 4"), variant(5, 5, "private, pop 4")
	holds("the price of a pop disappears", alike(private4.Trees.Far, private0.Trees.Far) && 10*public4.Trees.Far > 15*public0.Trees.Far)
	holds("few tasks are public", private4.Figures[0].Far < 40)
	holds("deafness costs on trees", private0.Trees.Far > public0.Trees.Far)
	holds("and on bags", 10*private0.Bags.Far > 11*public0.Bags.Far)

	for i, joins := range []string{"last", "any work", "leapfrog"} {
		public, private := variant(6, 1+i, "public, "+joins), variant(6, 4+i, "private, "+joins)
		holds("the far end wins: "+joins, 2*public.Trees.Own > 3*public.Trees.Far)
		holds("private tasks win on trees: "+joins, private.Trees.Far < public.Trees.Far)
		holds("and lose on bags: "+joins, private.Bags.Far > public.Bags.Far)
		if i > 0 {
			before := variant(6, i, parts[6].Variants[i].Name)
			holds("waiting costs a little more: "+joins, public.Trees.Far > before.Trees.Far && 10*public.Trees.Far < 11*before.Trees.Far)
		}
	}
	holds("any work buries", variant(6, 2, "public, any work").Figures[1].Own > 4*variant(6, 3, "public, leapfrog").Figures[1].Own)
}

// alike says that two means are within four percent of each other.
func alike(a, b mean) bool { return 25*max(a, b) < 26*min(a, b) }
