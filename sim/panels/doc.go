// Package panels runs the experiments on the far end of the deque that are known
// as panels A to E, on the tick model of package tick: when is it worth anything
// that a thief takes the oldest task instead of the newest? [Story] tells them,
// [WriteJSON] writes every figure, and [Check] compares a file of such figures
// with the simulation. [Study] adds what the model leaves out, a rule at a time.
//
// What is written is the same, to the byte, on every platform.
package panels
