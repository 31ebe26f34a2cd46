package forkjoin
import ("testing";"time";"runtime";"fmt")
var fibR = Recursive(func(t *Task[int,int], n int) int { if n < 2 {return n}; a,b := t.Join(n-1,n-2); return a+b})
func fibP(n int) int { if n < 2 {return n}; return fibP(n-1)+fibP(n-2)}
func TestZZ(t *testing.T) {
	t0 := time.Now(); x := fibP(38); d0 := time.Since(t0)
	for _, p := range []int{1,2,1,2} {
		runtime.GOMAXPROCS(p)
		s0 := std.Stats()
		t1 := time.Now(); y := fibR(38); d1 := time.Since(t1)
		s1 := std.Stats()
		fmt.Println(p, x==y, d0, d1, float64(d1)/float64(d0), "forks", s1.Forks-s0.Forks, "steals", s1.Steals-s0.Steals, "pub", s1.Publishes-s0.Publishes, "parks", s1.Parks-s0.Parks, "wakes", s1.Wakes-s0.Wakes)
	}
}
