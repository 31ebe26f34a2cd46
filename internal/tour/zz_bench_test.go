package tour
import ("testing";"os";"context";"runtime";"strings";"slices"; "github.com/forkjoin-go/forkjoin")
var bin *tree
func in(b *testing.B) *tree { if bin==nil { t,err:=load(context.Background(), os.DirFS(runtime.GOROOT()+"/src")); if err!=nil{b.Fatal(err)}; bin=t }; return bin }
func par(texts []string, n int) counts { return forkjoin.ParallelReduce(len(texts), nil,
		func(lo, hi int) counts { return countIdents(texts[lo:hi]) },
		mergeCounts, forkjoin.MaxLeaf(max(1, len(texts)/n))) }
func BenchmarkIdents(b *testing.B){ x:=in(b).text()
 b.Run("seq",func(b *testing.B){ for b.Loop(){ countIdents(x)}})
 for _,n:=range []int{16,64,128,256,512,1024}{ b.Run("par"+commas(n),func(b *testing.B){ for b.Loop(){ par(x,n)}}) }
}
func BenchmarkSort(b *testing.B){ l:=splitLines(in(b).text())
 b.Run("seq",func(b *testing.B){ for b.Loop(){ sorted(l,oneByOne)}})
 b.Run("par",func(b *testing.B){ for b.Loop(){ sorted(l,inParallel)}})
 b.Run("slices",func(b *testing.B){ for b.Loop(){ c:=slices.Clone(l); slices.SortFunc(c,func(a,b line)int{return strings.Compare(a.text,b.text)})}})
}
func BenchmarkRead(b *testing.B){ f:=in(b).files; fs:=os.DirFS(runtime.GOROOT()+"/src")
 b.Run("seq",func(b *testing.B){ for b.Loop(){ readAll(fs,f)}})
 b.Run("par",func(b *testing.B){ for b.Loop(){ readAllParallel(fs,f)}})
 b.Run("blocking",func(b *testing.B){ for b.Loop(){ texts := make([]string, len(f))
	forkjoin.ParallelFor(len(f), func(i int) { forkjoin.Blocking(func(){
		texts[i], _ = readFile(fs, f[i].name) })
	}) }})
}
