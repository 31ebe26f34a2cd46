/*
 * Waiting for a stolen frame (latch.go, steps L1 to L5).
 *
 * Worker 0 is a guest: its program is task 1. The others are background workers:
 * they steal, run injected jobs and what was left to them as orphans. A task
 * forks its children one after the other and joins each before the next; that is
 * a program whose first branches do nothing, and a frame is on the owner's stack
 * only while it may be stolen. All frames are public from the start, and a claim
 * or a pop is one step: deque.pml is about those.
 *
 * SHAPE says what the tasks are, as CHILD (the first), NEXT (the sibling after)
 * and PARENT. Task FOREIGN is injected and has nothing to do with task 1.
 */

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef SHAPE
#define SHAPE 1
#endif
#ifndef MISTAKE
#define MISTAKE 0
#endif

#if SHAPE == 1          /* the same frame is used twice: 1(2(4) 3(5)), 6(7) */
#define TASKS 7
#define FOREIGN 6
#define CHILD(t)  ((t) == 1 -> 2 : ((t) == 2 -> 4 : ((t) == 3 -> 5 : ((t) == 6 -> 7 : 0))))
#define NEXT(t)   ((t) == 2 -> 3 : 0)
#define PARENT(t) ((t) == 2 || (t) == 3 -> 1 : ((t) == 4 -> 2 : ((t) == 5 -> 3 : ((t) == 7 -> 6 : 0))))
#elif SHAPE == 2        /* deeper: 1(2(3(4))), 5(6) */
#define TASKS 6
#define FOREIGN 5
#define CHILD(t)  ((t) == 1 -> 2 : ((t) == 2 -> 3 : ((t) == 3 -> 4 : ((t) == 5 -> 6 : 0))))
#define NEXT(t)   0
#define PARENT(t) ((t) == 2 -> 1 : ((t) == 3 -> 2 : ((t) == 4 -> 3 : ((t) == 6 -> 5 : 0))))
#elif SHAPE == 3        /* both: 1(2(4(5) 6) 3), 7(8) */
#define TASKS 8
#define FOREIGN 7
#define CHILD(t)  ((t) == 1 -> 2 : ((t) == 2 -> 4 : ((t) == 4 -> 5 : ((t) == 7 -> 8 : 0))))
#define NEXT(t)   ((t) == 2 -> 3 : ((t) == 4 -> 6 : 0))
#define PARENT(t) ((t) == 2 || (t) == 3 -> 1 : ((t) == 4 || (t) == 6 -> 2 : ((t) == 5 -> 4 : ((t) == 8 -> 7 : 0))))
#endif

#define DEPTH 4         /* tasks at once on a worker */
#define HEIGHT 3        /* frames of a worker */
#define FRAME(w, i) ((w) * HEIGHT + (i))
#define NONE 255

#define PENDING 0
#define WAITED  1
#define DONE    2

byte tail[WORKERS], head[WORKERS];

byte task[WORKERS * HEIGHT];    /* frame.job; 0: the frame is free */
byte state[WORKERS * HEIGHT];
byte thief[WORKERS * HEIGHT];   /* a worker's number plus one; 0: nil */

chan wakeup[WORKERS] = [1] of { bit };
chan injected = [TASKS] of { byte, byte };      /* an orphan's frame or NONE, the task */

/* What only the properties look at. */
bool ran[TASKS + 1];
byte waits[WORKERS];    /* parked so often, less the wakeups received */
byte count;             /* tasks that have ended */

/* Claims the oldest frame of v for the calling worker (D4). g is NONE if there is none. */
inline steal(v, g) {
	if
	:: tail[v] < head[v] -> g = FRAME(v, tail[v]); tail[v]++
	:: else -> g = NONE
	fi
}

proctype worker(byte me) {
	byte sp;                /* tasks begun and not ended */
	byte now[DEPTH];        /* which */
	byte from[DEPTH];       /* the frame it was claimed in, or NONE */
	byte child[DEPTH];      /* of it, that comes next */
	byte f, g, v, old;

	if
	:: atomic { me == 0 -> g = NONE; v = 1; goto begin }
	:: else
	fi;

find:
	assert(sp == 0 && head[me] == 0);
end:
	if
	:: atomic { count == TASKS -> goto stop }
	:: atomic { me != 0 && tail[0] < head[0] -> steal(0, g); v = task[g] }
	:: atomic { me != 1 && tail[1] < head[1] -> steal(1, g); v = task[g] }
#if WORKERS > 2
	:: atomic { me != 2 && tail[2] < head[2] -> steal(2, g); v = task[g] }
#endif
#if WORKERS > 3
	:: atomic { me != 3 && tail[3] < head[3] -> steal(3, g); v = task[g] }
#endif
	:: atomic { injected ? g, v }
	fi;

begin:  /* run task v, claimed in frame g */
	atomic {
		if
		:: g != NONE ->
			assert(task[g] == v);
			thief[g] = me + 1
		:: else
		fi;
		assert(sp < DEPTH);
		now[sp] = v;
		from[sp] = g;
		child[sp] = CHILD(v);
		sp++;
		v = 0; g = 0
	};

fork:   /* the innermost task's next child */
	if
	:: child[sp - 1] == 0 -> goto ended
	:: else
	fi;
	atomic {
		assert(head[me] < HEIGHT);
		f = FRAME(me, head[me]);
		assert(task[f] == 0);
		task[f] = child[sp - 1];
		head[me]++
	};
	atomic {        /* take */
		f = FRAME(me, head[me] - 1);
		if
		:: tail[me] < head[me] ->
			head[me]--;
			v = task[f];
			task[f] = 0;
			g = NONE;
			goto begin
		:: else
		fi
	};

await:  /* the newest frame is stolen */
	f = FRAME(me, head[me] - 1);
	if
	:: state[f] == DONE -> goto joined              /* L3 */
	:: else
	fi;
	if
	:: v = thief[f];                                /* L4 */
		if
		:: v == 0 -> goto await
		:: else
		fi;
#if MISTAKE == 5
		if
		:: state[f] == DONE -> v = 0; goto joined
		:: else
		fi;
#endif
#if MISTAKE == 10
		if
		:: v = 1
		:: v = 2
		:: v = WORKERS
		fi;
#elif MISTAKE == 11
		/* follows the chain of thieves: steals from who helps the thief */
		if
		:: tail[v - 1] < head[v - 1]
		:: tail[v - 1] > 0 && thief[FRAME(v - 1, 0)] != 0 -> v = thief[FRAME(v - 1, 0)]
		:: else
		fi;
#endif
		atomic { steal(v - 1, g); v = 0 };
		if
		:: g == NONE -> g = 0; goto await
		:: else
		fi;
		if
		:: state[f] == DONE && MISTAKE != 4 && MISTAKE != 5 ->
#if MISTAKE == 12
			injected ! NONE, task[g];
#elif MISTAKE != 6
			injected ! g, task[g];
#endif
#if MISTAKE == 13
			atomic { v = task[g]; goto begin };
#endif
			g = 0;
			goto await
		:: else
		fi;
		atomic {
			v = task[g];
			old = v;
			do
			:: old == task[f] -> break
			:: else ->
				old = PARENT(old);
				assert(old != 0)        /* nothing but its own subtree */
			od;
			old = 0;
			goto begin
		}
	:: true                                         /* L5: has spun enough */
	fi;
#if MISTAKE == 2
	atomic { state[f] = WAITED; waits[me]++ };
#else
	atomic {
		if
		:: state[f] == PENDING -> state[f] = WAITED; waits[me]++
#if MISTAKE == 14
		:: else -> waits[me]++
#else
		:: else -> goto joined
#endif
		fi
	};
#endif
#if MISTAKE == 15
	goto joined;
#endif
	atomic {
		wakeup[me] ? _;
		assert(waits[me] > 0);
		waits[me]--
	};

joined: /* the stolen frame is done: release (D6) and reset */
	atomic {
		assert(state[f] == DONE && ran[task[f]]);
		assert(waits[me] == 0 && empty(wakeup[me]))
	};
#if MISTAKE == 16
	head[me]--;
#else
	atomic { head[me]--; tail[me] = head[me] };
#endif
	task[f] = 0;
#if MISTAKE != 9
	thief[f] = 0;
#endif
#if MISTAKE != 8
	state[f] = PENDING;
#endif
	d_step { f = 0; old = 0; child[sp - 1] = NEXT(child[sp - 1]) };
	goto fork;

ended:  /* the innermost task */
	atomic {
		v = now[sp - 1];
		g = from[sp - 1];
		assert(!ran[v]);
		ran[v] = true;
		count++
	};
	if
	:: g != NONE ->
		assert(task[g] == v);                   /* L1: writes the result */
#if MISTAKE == 1
		old = state[g];
		state[g] = DONE;
#elif MISTAKE == 17
		old = state[g];
		if
		:: old == WAITED -> wakeup[g / HEIGHT] ! 0; old = PENDING
		:: else
		fi;
		state[g] = DONE;
#else
		atomic { old = state[g]; state[g] = DONE };
#endif
#if MISTAKE == 7
		assert(task[g] == v);
#endif
		if
		:: old == WAITED || MISTAKE == 3 ->     /* L2 */
			atomic {
#if MISTAKE == 18
				assert(nfull(wakeup[me]));
				wakeup[me] ! 0
#else
				assert(nfull(wakeup[g / HEIGHT]));
				wakeup[g / HEIGHT] ! 0
#endif
			}
		:: else
		fi
	:: else
	fi;
	d_step { sp--; now[sp] = 0; from[sp] = 0; child[sp] = 0; old = 0 };
	if
	:: sp == 0 ->
		d_step { v = 0; g = 0 };
		if
		:: me == 0 -> goto stop
		:: else -> goto find
		fi
	:: sp > 0 && g == NONE ->               /* it was taken back */
		d_step { v = 0; g = 0; child[sp - 1] = NEXT(child[sp - 1]) };
		goto fork
	:: sp > 0 && g != NONE ->               /* it ran while waiting */
		d_step { v = 0; g = 0 };
		goto await
	fi;

stop:
	skip
}

init {
	byte k;
	atomic {
		injected ! NONE, FOREIGN;
		for (k : 0 .. WORKERS - 1) {
			run worker(k)
		}
	}
}

/* Under weak fairness every owner gets on, and so all tasks end. */
ltl ends { <> (count == TASKS) }
