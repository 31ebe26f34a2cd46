/*
 * The deque (deque.go, steps D1 to D6): one owner and THIEVES thieves on one
 * stack of FRAMES frames, through which TASKS tasks pass.
 *
 * The owner is any program that an owner could be: it pushes, publishes one or
 * more frames and pops, in any order, and also pushes on top of a frame that was
 * stolen, as a task does that is run while waiting. Each load, each store and
 * each compare-and-swap of a word that others see is one step.
 *
 * A task's number is its generation: it is never given twice, and a frame holds
 * 0 while it is free. So a thief that reads a frame which has been reused sees a
 * number other than that of the frame it claimed.
 */

#ifndef FRAMES
#define FRAMES 3
#endif
#ifndef TASKS
#define TASKS 4
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
#ifndef MISTAKE
#define MISTAKE 0
#endif

/* deque.public, with halves of four bits. */
#define PACK(tail, split) (((tail) << 4) | (split))
#define TAIL(p)           ((p) >> 4)
#define SPLIT(p)          ((p) & 15)

byte public;
byte head;
byte split;             /* owner's copy */

byte task[FRAMES];      /* frame.job */
bool done[FRAMES];      /* frame.state; L1 */
bool finished;

/* What only the properties look at. */
byte pushed;
bool claimed[FRAMES];   /* a thief has claimed it and not finished it */
bool ran[TASKS + 1];

inline execute(t) {
	d_step {
		assert(t > 0 && !ran[t]);       /* exactly once */
		ran[t] = true
	}
}

/* What the owner may rely on between two operations. */
inline consistent() {
	d_step {
		assert(SPLIT(public) == split);
		assert(TAIL(public) <= split && split <= head && head <= FRAMES);
		assert(public == PACK(TAIL(public), SPLIT(public)))     /* the halves fit */
	}
}

inline swap(old, new, ok) {
	atomic {
		if
		:: public == old ->
			assert(TAIL(new) <= SPLIT(new) && SPLIT(new) <= FRAMES);
			public = new;
			ok = true
		:: else ->
			ok = false
		fi
	}
}

/* The owner reuses frame i: nobody may be at it. */
inline reuse(i) {
	d_step {
		assert(!claimed[i]);
		task[i] = 0
	}
}

active proctype owner() {
	byte p, i, n, s, t;
	bool ok, keep;

	do
	:: head < FRAMES && pushed < TASKS ->           /* D1 */
		d_step {
			assert(task[head] == 0 && !done[head]);
			pushed++;
			task[head] = pushed;
			head++
		}

	:: head > split ->                              /* D2 */
		n = 1;
		do
		:: n < head - split -> n++
#if MISTAKE == 9
		:: n == head - split -> n++; break
#endif
		:: break
		od;
		do
		::
			p = public;
#if MISTAKE == 1
			atomic { public = PACK(TAIL(p), split + n); ok = true };
#elif MISTAKE == 10
			swap(p, PACK(TAIL(p), split + n), ok);
			ok = true;
#else
			swap(p, PACK(TAIL(p), split + n), ok);
#endif
			if
			:: ok -> split = split + n; break
			:: else
			fi
		od;
		n = 0; p = 0; ok = false;
		consistent()

	:: head > 0 ->
		i = head - 1;
		if
#if MISTAKE == 2
		:: i + 1 >= split ->
#else
		:: i >= split ->                        /* D3 */
#endif
			head = i;
			t = task[i];
			reuse(i);
			execute(t)
		:: else ->                              /* D5 */
			if :: keep = true :: keep = false fi;
			do
			::
				p = public;
				if
#if MISTAKE == 11
				:: TAIL(p) >= i -> break
#else
				:: TAIL(p) > i -> break
#endif
				:: else
				fi;
#if MISTAKE == 12
				s = (keep -> i + 1 : TAIL(p));
#elif MISTAKE == 13
				s = (keep -> i : 0);
#else
				s = (keep -> i : TAIL(p));
#endif
#if MISTAKE == 3
				atomic { public = PACK(TAIL(p), s); ok = true };
#else
				swap(p, PACK(TAIL(p), s), ok);
#endif
				if
				:: ok ->
					head = i;
#if MISTAKE == 4
					split = TAIL(p);
#else
					split = s;
#endif
					t = task[i];
					reuse(i);
					execute(t);
					break
#if MISTAKE == 14
				:: else -> break
#else
				:: else
#endif
				fi
			od;
			assert(ok || claimed[i] || done[i]);    /* it is stolen */
			if
			:: ok
			:: !ok && (MISTAKE == 5 || done[i]) ->  /* D6 */
				head = i;
				split = i;
#if MISTAKE == 15
				public = PACK(i, i + 1);
#elif MISTAKE == 16
				public = PACK(i + 1, i + 1);
#elif MISTAKE != 6
				public = PACK(i, i);
#endif
				assert(ran[task[i]]);
				reuse(i);
				done[i] = false
			:: !ok && MISTAKE != 5 && !done[i]      /* help, or look again */
			fi
		fi;
		p = 0; i = 0; s = 0; t = 0; ok = false; keep = false;
		consistent()

	:: head == 0 && pushed == TASKS ->
		break
	od;

	for (i : 1 .. TASKS) {
		assert(ran[i])
	}
	finished = true
}

proctype thief() {
	byte p, i, t, mine;
	bool ok;

end:
	do
	:: finished -> break
#if MISTAKE == 17
	:: TAIL(public) <= SPLIT(public) && TAIL(public) < FRAMES ->
		p = public;
#else
	:: TAIL(public) < SPLIT(public) ->              /* D4 */
		p = public;
		if
		:: TAIL(p) >= SPLIT(p) -> goto next
		:: else
		fi;
#endif
		i = TAIL(p);
#if MISTAKE == 7
		t = task[i];
#endif
		atomic {
#if MISTAKE == 8
			/* adds one to tail whatever split has become */
			public = public + PACK(1, 0);
			ok = true;
#else
			swap(p, PACK(i + 1, SPLIT(p)), ok);
#endif
			if
			:: ok ->
				assert(!claimed[i]);
				claimed[i] = true;
				mine = task[i]
			:: else -> goto next
			fi
		};
#if MISTAKE != 7
		t = task[i];
#endif
		assert(t == mine);
		execute(t);
#if MISTAKE == 18
		d_step { claimed[i] = false; done[i] = true };
#endif
		assert(task[i] == mine);                /* the result goes there */
		d_step { claimed[i] = false; done[i] = true };
next:
		p = 0; i = 0; t = 0; mine = 0; ok = false
	od
}

init {
	byte k;
	atomic {
		for (k : 1 .. THIEVES) {
			run thief()
		}
	}
}

/* Under weak fairness the owner gets through. */
ltl ends { <> finished }
