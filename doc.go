// Package forkjoin runs the parts of a computation on all cores: joins of two
// or more functions, recursion, loops, reductions, and groups of tasks, on a
// pool of workers that balance the load by stealing.
//
//	func sum(v []int) int {
//		if len(v) < 1000 {
//			return plainSum(v)
//		}
//		a, b := forkjoin.Join2(
//			func() int { return sum(v[:len(v)/2]) },
//			func() int { return sum(v[len(v)/2:]) })
//		return a + b
//	}
//
// # Which function
//
//   - Two halves of a recursion: [Join], or [Join2] when they return values.
//   - Recursion into very small pieces, down to single elements: [Recursive].
//   - A loop: [ParallelFor]; with a cheap body, [ParallelForRange]; over an area,
//     [ParallelFor2D]; with buffers, [ParallelForWith]; that may fail,
//     [ParallelForErr].
//   - A sum, a minimum, a merge over a range: [ParallelReduce],
//     [ParallelReduceErr].
//   - A slice to sort: [Sort], [SortByKey], [SortFunc], [SortStableFunc]; without
//     extra memory, [SortInPlace], [SortInPlaceFunc].
//   - Order besides: [MergeFunc], [SelectFunc], [Partition], [CompactFunc],
//     [IsSortedFunc], [MinMaxFunc], and the forms for ordered elements.
//   - Running totals: [InclusiveSum], [ExclusiveSum]; with any operation,
//     [InclusiveScan], [ExclusiveScan], and [ParallelScan] with loops of one's own.
//   - Several different functions: [JoinAll].
//   - Tasks that block or wait for each other, as goroutines may: [WaitGroup]
//     and [Group].
//
// No set-up is needed. A call runs on the caller's goroutine at once, and
// workers, which start on first need, take parts of it when they are idle. A join
// or loop that is too small to share costs about a hundred nanoseconds more than the
// plain code, a reduction or sequence some microseconds at most. A [Pool] of one's own
// is for bounding how many cores a part of a program uses.
//
// # Recording
//
// A program that is run with the environment variable FORKJOIN_RECORD set to the
// name of a file writes its task tree there: what it forked and what each piece
// cost. In the name, %p stands for the number of the process. Package sim, and the
// command forkjoin, tell from that how the program would run on other numbers of
// workers. The file is brought up to date when a call of this package returns that
// was made outside any other, so it is complete however the program ends, but for
// calls that have not returned. What the program does between two such calls counts as
// sequential work, what it does before the first and after the last is not noted; so
// most is seen of a program that does all in one, such as [Pool.Run] of the default
// pool. [Charge] and [Labeled] are for recordings.
//
// # What holds everywhere
//
// A goroutine that waits in a call of this package runs nothing but parts of
// that call meanwhile. So holding a lock across a call cannot deadlock because
// of where work was placed, and stacks grow only as deep as the program's own
// recursion.
//
// A panic in a function that was given to this package reaches the caller as a
// [*PanicError], when everything that had started has ended; what had not is
// skipped. It is the same whether or not the function had moved to another
// goroutine. [runtime.Goexit] reaches the caller too.
//
// Results do not depend on the schedule: the values and, for reductions, the
// order of combination are the same on any number of workers.
//
// Mistakes in a call (a nil function, a negative length) panic at once, before
// anything has run, with a text that begins with "forkjoin: ".
//
// Functions given to [Join], the loops and the reductions must not wait for each
// other, since they may run one after the other. Those given to groups may.
package forkjoin
