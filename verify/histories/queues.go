package histories

import (
	"fmt"
	"slices"

	"github.com/anishathalye/porcupine"
)

// queueModel is a queue, first in, first out. The state is what is in it.
var queueModel = porcupine.Model{
	Init: func() any { return []int64(nil) },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.([]int64), input.(Event), output.(Event)
		switch {
		case in.Op == "push":
			return true, append(slices.Clip(s), in.Arg)
		case in.Op == "pop" && out.Result == "empty":
			return len(s) == 0, s
		case in.Op == "pop":
			return len(s) > 0 && s[0] == out.Out, s[min(1, len(s)):]
		}
		return false, s
	},
	Equal: func(a, b any) bool { return slices.Equal(a.([]int64), b.([]int64)) },
}

// checkList checks a group's list, which is one queue.
func checkList(h *History) error {
	if !linearizable(queueModel, h.Events) {
		return &Error{h, "not linearizable"}
	}
	return nil
}

// checkInjector checks an injection queue. It is several queues, of which each
// giver uses one, so what one giver gives is a queue, first in, first out; a job
// says by its thousands who gave it. A taker looks into the queues one after the
// other. So it may come back with nothing though there never was a moment at which all
// were empty; but it must not miss a job that was there all the time. The
// same goes for the length, which whoever is about to sleep relies on.
func checkInjector(h *History) error {
	type span struct {
		value                    int64
		begins, there            int64 // when its push began and ended
		perhapsGone, certainGone int64 // when its pop began and ended
	}
	const never = 1<<63 - 1
	jobs := map[int64]*span{}
	givers := map[int64][]Event{}
	events := byCall(h.Events)
	for _, e := range events {
		if e.Op == "push" {
			if jobs[e.Arg] != nil {
				return &Error{h, fmt.Sprintf("job %d is pushed twice", e.Arg)}
			}
			jobs[e.Arg] = &span{e.Arg, e.Call, e.Ret, never, never}
			givers[e.Arg/1000] = append(givers[e.Arg/1000], e)
		}
	}
	for _, e := range events {
		if e.Op == "pop" && e.Result == "" {
			j := jobs[e.Out]
			if j == nil || j.certainGone != never {
				return &Error{h, fmt.Sprintf("job %d is taken twice, or is none", e.Out)}
			}
			j.perhapsGone, j.certainGone = e.Call, e.Ret
			givers[e.Out/1000] = append(givers[e.Out/1000], e)
		}
	}
	for g, events := range givers {
		if !linearizable(queueModel, events) {
			return &Error{h, fmt.Sprintf("what giver %d gave is not linearizable", g)}
		}
	}
	for _, e := range events {
		least, most := int64(0), int64(0)
		for _, j := range jobs {
			if j.there < e.Call && j.perhapsGone > e.Ret {
				least++
				if e.Result == "empty" {
					return &Error{h, fmt.Sprintf("job %d is missed: %v", j.value, e)}
				}
			}
			if j.begins < e.Ret && j.certainGone > e.Call {
				most++
			}
		}
		if e.Op == "length" && (e.Out < least || e.Out > most) {
			return &Error{h, fmt.Sprintf("the length is %d, want %d to %d: %v", e.Out, least, most, e)}
		}
	}
	return nil
}
