// Command peers measures Go ways to run fork-join work.
// It prints `workload peer workers metric value unit`; see ../README.md for the workloads.
//
//	peers WORKERS [WORKLOAD-REGEX [PEER-REGEX]]
package main

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
)

// peers lists everything measured; add a new peer here.
var peers = []*Peer{
	forkjoinPeer, forkjoinIn, forkjoinInPlace, forkjoinOp, forkjoinJoin, forkjoinJoin2, forkjoinGroup, forkjoinWaitGroup, forkjoinIter,
	goroutine, goroutineDynamic, goroutinePerRow,
	errgroupPeer, errgroupEach,
	concPeer, concIter, concPool,
	pargoPeer,
	antsPeer, antsEach,
	pondPeer, pondEach,
	loPeer,
	sortyPeer, radix,
}

func main() {
	arg := func(i int, otherwise string) string {
		if i < len(os.Args) {
			return os.Args[i]
		}
		return otherwise
	}
	workers, _ = strconv.Atoi(arg(1, "1"))
	workloadFilter = regexp.MustCompile(arg(2, "."))
	peerFilter = regexp.MustCompile(arg(3, "."))
	runtime.GOMAXPROCS(workers)

	if workers == 1 {
		run(sequential)
		run(sequentialStable)
	}
	for _, p := range peers {
		run(p)
	}
}
