package histories

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/anishathalye/porcupine"
)

// A placed event knows where its value is in its queue, counted from 0. It is the same
// for all that is done with the value.
type placed struct {
	Event
	place int
}

// queueModel is a queue, first in, first out, with what each call is for known. The
// state is how many values have been pushed and popped, so that there is little
// to search.
var queueModel = porcupine.Model{
	Init: func() any { return [2]int{} },
	Step: func(state, input, output any) (bool, any) {
		s, in := state.([2]int), input.(placed)
		switch {
		case in.Op == "push" && in.place == s[0]:
			return true, [2]int{s[0] + 1, s[1]}
		case in.Op == "pop" && in.place == s[1] && s[1] < s[0]:
			return true, [2]int{s[0], s[1] + 1}
		}
		return false, s
	},
}

// inOrder reports whether a queue could have done events, in order of call. All are
// pushes and pops that gave something pushed. Pushes have their places from their
// results in a list, and otherwise as they come, from one client.
func inOrder(kind string, events []Event) bool {
	var pushes []Event
	for _, e := range events {
		if e.Op == "push" {
			pushes = append(pushes, e)
		}
	}
	if kind == "list" {
		slices.SortStableFunc(pushes, func(a, b Event) int { return cmp.Compare(a.Out, b.Out) })
	}
	place := map[int64]int{}
	for i, e := range pushes {
		place[e.Arg] = i
	}
	ops := make([]porcupine.Operation, len(events))
	for i, e := range events {
		p := placed{e, place[e.Arg]}
		if e.Op == "pop" {
			p.place = place[e.Out]
		}
		ops[i] = porcupine.Operation{ClientId: e.Client, Input: p, Call: e.Call, Output: p, Return: e.Ret}
	}
	return porcupine.CheckOperations(queueModel, ops)
}

// The injection queue and a group's list are several queues each, in one of which
// a value is:
//
//   - in the injection queue one for each giver, whom a value names by its
//     thousands;
//   - in a list one for each chunk of 64 tasks, as they come.
//
// Each is a queue, first in, first out. Who finds nothing has looked into several
// of them, or at several words, one after the other. So it may come back with nothing
// though there never was a moment at which all was empty; but it must not miss a
// value that was there all the time. The same goes for the length, which whoever
// is about to sleep relies on.
func queueOf(kind string, push Event) int64 {
	if kind == "list" {
		return push.Out / 64
	}
	return push.Arg / 1000
}

// A span is when a value was in its queue.
type span struct {
	value, queue      int64
	begins, there     int64 // when its push began and ended
	perhapsGone, gone int64 // when its pop began and ended
}

const never = 1<<63 - 1

func checkQueues(h *History) error {
	events := byCall(h.Events)
	values := map[int64]*span{}
	queues := map[int64][]Event{}
	for _, e := range events {
		if e.Op == "push" {
			if values[e.Arg] != nil {
				return &Error{h, fmt.Sprintf("%d is pushed twice", e.Arg)}
			}
			q := queueOf(h.Kind, e)
			values[e.Arg] = &span{e.Arg, q, e.Call, e.Ret, never, never}
			queues[q] = append(queues[q], e)
		}
	}
	for _, e := range events {
		if (e.Op == "pop" || e.Op == "enter") && e.Result == "" {
			v := values[e.Out]
			if v == nil || v.gone != never {
				return &Error{h, fmt.Sprintf("%d is taken twice, or was not given: %v", e.Out, e)}
			}
			if h.Kind == "list" && e.Op == "pop" && e.Arg/64 != v.queue {
				return &Error{h, fmt.Sprintf("%d is taken from another chunk: %v", e.Out, e)}
			}
			v.perhapsGone, v.gone = e.Call, e.Ret
			e.Op = "pop" // enter takes from whatever chunk
			queues[v.queue] = append(queues[v.queue], e)
		}
	}
	for q, events := range queues {
		if !inOrder(h.Kind, events) {
			return &Error{h, fmt.Sprintf("queue %d is not linearizable", q)}
		}
	}
	for _, e := range events {
		if err := checkLook(h, e, values); err != nil {
			return err
		}
	}
	return nil
}

// checkLook checks what e says of how many values there are, if it does.
func checkLook(h *History, e Event, values map[int64]*span) error {
	if e.Op != "length" && e.Result != "empty" {
		return nil
	}
	least, most := int64(0), int64(0)
	for _, v := range values {
		if h.Kind == "list" && e.Op == "pop" && e.Arg/64 != v.queue {
			continue // it looked into one chunk
		}
		if v.there < e.Call && v.perhapsGone > e.Ret {
			least++
			if e.Result == "empty" {
				return &Error{h, fmt.Sprintf("%d is missed: %v", v.value, e)}
			}
		}
		if v.begins < e.Ret && v.gone > e.Call {
			most++
		}
	}
	if e.Op == "length" && (e.Out < least || e.Out > most) {
		return &Error{h, fmt.Sprintf("the length is %d, want %d to %d: %v", e.Out, least, most, e)}
	}
	return nil
}
