// Package iter has sequences that are computed by all cores: lazy pipelines with
// the vocabulary of the standard packages slices, maps and iter.
//
//	counts := iter.CountBy(iter.Words(text), strings.ToLower)
//	total := iter.Sum(iter.Map(iter.Slice(orders), price))
//	for page := range iter.Map(iter.Channel(urls), fetch).All() { … } // in order
//
// A pipeline has a source ([Slice], [Range], [Lines], [FromSeq], …), any number
// of adaptors ([Map], [Filter], [Zip], [Take], …), and a consumer that runs it
// ([Seq.ForEach], [Seq.Collect], [Sum], [GroupBy], [FindFirst], …). Nothing is
// computed before a consumer asks for it. Functions have type parameters and
// methods cannot, so most adaptors and consumers are functions.
//
// # What holds everywhere
//
// Consumers run on the caller's goroutine and on the workers of package
// [forkjoin], with the rules of that package: a panic in any function reaches the
// caller as a [*forkjoin.PanicError] when everything that had started has ended,
// [runtime.Goexit] reaches it too, and a lock held across a consumer cannot
// deadlock. What was done before the consumer was called is synchronized before
// each call of a function in the pipeline, and all those before the consumer
// returns. Functions are called by several goroutines at the same time, for
// different elements; each is called once for an element where not stated
// otherwise.
//
// Results do not depend on the number of workers or on timing. Elements keep
// their order; what combines them ([Reduce], [Fold], [Sum], …) does so in an order
// that depends on their positions alone, so that sums of floating-point numbers
// are the same to the last bit. [FindAny] is the exception, and [Seq.ForEach] has
// no order.
//
// A call with a nil function or a number that makes no sense panics at once, with
// a text that begins with "forkjoin: ".
//
// # Numbers of elements
//
// A sequence is split by positions. Where each position has one element, as in a
// slice, and after [Map], [Zip], [Take] and the like, the number of each element
// is known before any is computed: [Seq.Collect] writes it straight to its place.
// After [Filter], [FlatMap], [Words] and the like it is not. Such sequences are
// still split and run in the same way, but adaptors that need the numbers ([Zip],
// [Enumerate], [Chunked], …) collect them first; each says so.
//
// # Cost
//
// Adaptors do not make slices of intermediate results: elements go through a
// pipeline a few hundred at a time, fewer where they take long, so an adaptor
// costs the call of its function and storing the result. Calling a consumer costs
// about what [forkjoin.ParallelFor] or [forkjoin.ParallelReduce] does, a small
// allocation for each adaptor, and one buffer for each adaptor and worker.
package iter
