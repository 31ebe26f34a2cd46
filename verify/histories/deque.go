package histories

import (
	"slices"

	"github.com/anishathalye/porcupine"
)

// A dequeState is a deque in one piece: the values of its frames, and how many of
// the oldest are claimed (tail) or public (split).
type dequeState struct {
	values      []int64
	tail, split int
}

// dequeModel is what deque.go says, each call at one moment:
//
//   - push adds a private frame.
//   - publish makes the n oldest private frames public.
//   - pop takes the newest frame, unless it is claimed: then it says stolen. If
//     the frame was public, none of the others stays so, but with keep (Arg 1) all.
//   - release removes the newest frame, which is claimed, as all others are.
//   - steal claims the oldest public frame; empty says that there is none, and
//     lost that somebody else changed the deque, which may be so at any time.
var dequeModel = porcupine.Model{
	Init: func() any { return dequeState{} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(dequeState), input.(Event), output.(Event)
		n := len(s.values)
		switch in.Op {
		case "push":
			s.values = append(slices.Clip(s.values), in.Arg)
			return true, s
		case "publish":
			s.split += int(in.Arg)
			return s.split <= n, s
		case "pop":
			switch {
			case n == 0:
				return false, s
			case out.Result == "stolen":
				return s.tail == n, s
			case s.tail == n || out.Out != s.values[n-1]:
				return false, s
			case n-1 < s.split && in.Arg == 1:
				s.split = n - 1
			case n-1 < s.split:
				s.split = s.tail
			}
			s.values = s.values[:n-1]
			return true, s
		case "release":
			if s.tail != n || n == 0 {
				return false, s
			}
			return true, dequeState{s.values[:n-1], n - 1, n - 1}
		case "steal":
			switch {
			case out.Result == "lost":
				return true, s
			case out.Result == "empty":
				return s.tail == s.split, s
			case s.tail == s.split || out.Out != s.values[s.tail]:
				return false, s
			}
			s.tail++
			return true, s
		}
		return false, s
	},
	Equal: func(a, b any) bool {
		x, y := a.(dequeState), b.(dequeState)
		return x.tail == y.tail && x.split == y.split && slices.Equal(x.values, y.values)
	},
}

func checkDeque(h *History) error {
	if !linearizable(dequeModel, h.Events) {
		return &Error{h, "not linearizable"}
	}
	return nil
}

// linearizable reports whether events could have come from model.
func linearizable(model porcupine.Model, events []Event) bool {
	ops := make([]porcupine.Operation, len(events))
	for i, e := range events {
		ops[i] = porcupine.Operation{ClientId: e.Client, Input: e, Call: e.Call, Output: e, Return: e.Ret}
	}
	return porcupine.CheckOperations(model, ops)
}
