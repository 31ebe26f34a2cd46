/*
 * Slots (slots.go): who may run, who waits for a slot, who hands one over.
 *
 * Background workers run JOBS injected jobs and what GUESTS guests fork. A guest
 * comes ROUNDS times. Each time it forks one frame and then, in any order, joins
 * it and blocks up to BLOCKS times, also one inside the other: a join inside
 * Blocking is one of the cases. What workers run blocks up to BLOCKS times if it
 * is a frame, JOBBLOCKS times if it was injected.
 *
 * With PRIVATE the pool is one made by New, and guests have slots or run as
 * injected jobs; else it is the default pool with its reserved slot. With ENDLESS
 * each job injects itself again when it ends. With RESIZE the limit becomes that,
 * once, at any time. With HOLD there are two jobs that wait for each other while
 * they own slots: the first blocks until the second has begun, and the second
 * ends when the first has got its slot back. Then the watchdog takes part
 * (watchdog.go), which gives out one slot more if a job is blocked and somebody
 * waits for a slot. In all other configurations there is no watchdog, so what is
 * shown holds without it.
 *
 * Sleeping is that of sleep.pml, but nobody's patience ends, and which of the
 * sleepers is woken is not told. Frames are claimed in one step (deque.pml). A
 * section under pool.mu is cut only where it touches something that is read or
 * written without: the rest nobody can see.
 */

#ifndef PRIVATE
#define PRIVATE 0
#endif
#ifndef LIMIT
#define LIMIT 1
#endif
#ifndef JOBS
#define JOBS 1
#endif
#ifndef GUESTS
#define GUESTS 1
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
#ifndef JOBBLOCKS
#define JOBBLOCKS BLOCKS
#endif
#ifndef ENDLESS
#define ENDLESS 0
#endif
#ifndef RESIZE
#define RESIZE 0
#endif
#ifndef HOLD
#define HOLD 0
#endif
#ifndef MISTAKE
#define MISTAKE 0
#endif

/*
 * Workers with a goroutine own a slot, are listed, have blocked in a task, or are on
 * their way to sleep after they have handed their slot to the guest whose frame they
 * ran: one for each frame.
 */
#if PRIVATE
#define FRAMES (GUESTS * ROUNDS)
#else
#define FRAMES GUESTS
#endif
#if RESIZE > LIMIT
#define AWAKE RESIZE
#else
#define AWAKE LIMIT
#endif
#if HOLD
#define BLOCKED (1 + FRAMES)
#elif JOBBLOCKS > 0
#define BLOCKED (JOBS + FRAMES)
#elif BLOCKS > 0 || PRIVATE && LIMIT > 1
#define BLOCKED FRAMES
#else
#define BLOCKED 0
#endif
#define WORKERS (AWAKE + BLOCKED)
#define ALL (WORKERS + GUESTS)
#define NOBODY 255

/* Tasks: the frame of guest k, a call of guest k that a worker runs, a job. */
#define FRAME(k)  (1 + (k))
#define REMOTE(k) (11 + (k))
#define JOB       20

#define PENDING 0
#define WAITED  1
#define DONE    2

/* Read and written by all. */
byte searchers, spare;          /* pool.idle */
byte size;                      /* pool.injected */
byte resumers;
short excess;
bool reserved;

/* Under pool.mu. */
bool mu;
byte limit = LIMIT;
byte used;
bool listed[WORKERS];
bool hired[WORKERS];
chan resuming = [ALL] of { byte };

/* Workers, guests last. */
bool called[WORKERS], permit[WORKERS];
byte away[ALL];
bool granted[ALL];
chan wakeup[ALL] = [1] of { bit };

/* Guests. */
bool key[GUESTS];               /* binding.key is not 0 */
bool parked[GUESTS];
bool public[GUESTS];
byte state[GUESTS];             /* of the frame */
bool replied[GUESTS];           /* the call that a worker ran has ended */

chan injected = [JOBS + GUESTS] of { byte };

/* What only the properties look at. */
byte slots[ALL];                /* owned */
bool inside[GUESTS];            /* a guest of the default pool that runs */
byte ended;                     /* jobs */
byte gone;                      /* guests */

#if HOLD
byte first;                     /* 1: begun, 2: waits for its slot, 3: has it */
bool second;                    /* has begun */
bool stuck;                     /* and is waiting */
#endif

/*
 * pool.mu. Under weak fairness somebody who waits for a simple lock may be passed
 * over for ever. Go's lock does not do that, and if jobs are endless it matters.
 */
#if ENDLESS
#define TURNS (ALL + 2)
byte next, now;
#define ACQUIRE ticket = next; next = (next + 1) % TURNS; now == ticket; ticket = 0; mu = true
#define RELEASE consistent(); now = (now + 1) % TURNS; mu = false
#else
#define ACQUIRE !mu -> mu = true
#define RELEASE consistent(); mu = false
#endif

/* claimSlot's first part, inside a section. */
#if PRIVATE
#define LOOK
#else
#define LOOK }; if :: used >= limit -> unreserve() :: else fi; atomic {
#endif

#define LOCALS byte n, x, who, ticket; bool ok, yes; short left

inline consistent() {
	d_step {
		left = (PRIVATE -> 0 : reserved);
		for (n : 0 .. ALL - 1) {
			left = left + slots[n]
		}
		n = 0;
		assert(used == left);
		left = 0;
		assert(excess == used - limit);
		assert(spare == (used < limit -> limit - used : 0));
		assert(resumers == len(resuming));
		assert(used >= limit || empty(resuming));       /* no slot is free while somebody waits for one */
#if !PRIVATE
		for (n : 0 .. GUESTS - 1) {
			assert(!inside[n] || reserved)
		}
		n = 0;
#endif
#if !RESIZE && !HOLD
		assert(used <= limit + !PRIVATE)
#endif
	}
}

/* Whether a guest of the default pool is running. */
inline guests(yes) {
	yes = key[0];
	atomic {
		if
		:: yes -> yes = !parked[0]
		:: else
		fi
	};
#if GUESTS > 1
	atomic {
		if
		:: !yes -> yes = key[1]; n = 1
		:: else
		fi
	};
	atomic {
		if
		:: yes && n == 1 -> yes = !parked[1]
		:: else
		fi;
		n = 0
	};
#endif
	skip
}

inline unreserve() {
	do
	:: reserved ->
		guests(yes);
		if
		:: yes -> yes = false; break
		:: else
		fi;
		reserved = false;
#if MISTAKE != 2
		guests(yes);
#endif
		atomic {
			if
			:: yes -> yes = false; reserved = true
#if MISTAKE == 3
			:: else -> use(-1)
#else
			:: else -> passSlot()
#endif
			fi
		}
#if MISTAKE == 13
		; break
#endif
	:: !reserved -> break
	od
}

/* These are parts of one step of a section. */

inline use(d) {
	used = used + d;
	spare = (used < limit -> limit - used : 0);
	excess = used - limit
}

inline resumeOne() {
	resuming ? who;
	resumers--;
	assert(slots[who] == 0 && empty(wakeup[who]));
	slots[who]++;
	wakeup[who] ! 0;
	who = 0
}

/* The caller owned the slot and has lowered slots. */
inline passSlot() {
	if
#if MISTAKE == 12
	:: nempty(resuming) -> resumeOne()
#elif MISTAKE != 1
	:: nempty(resuming) && used <= limit -> resumeOne()
#endif
	:: else -> use(-1)
	fi
}

/* x becomes who is to be roused, or NOBODY. */
inline recruit() {
	if
	:: used < limit ->
#if MISTAKE != 15
		use(1);
#endif
		searchers++;
		x = 0;
		do
		:: x < WORKERS && !listed[x] -> x++
		:: else -> break
		od;
		if
		:: x < WORKERS -> listed[x] = false
		:: else ->
			x = 0;
			do
			:: x < WORKERS && hired[x] -> x++
			:: else -> break
			od;
			assert(x < WORKERS);
			hired[x] = true
		fi;
		called[x] = true;
		slots[x]++
	:: else -> x = NOBODY
	fi
}

inline rouse() {
	if
	:: x == NOBODY
	:: else -> permit[x] = true
	fi;
	x = 0
}

/* And these are made of such steps. */

inline serveResumers() {
	do
	::
		atomic {
			nempty(resuming);
			LOOK
			if
			:: used < limit && nempty(resuming) -> use(1); resumeOne()
			:: else -> break
			fi
		}
	:: empty(resuming) -> break
	od
}

inline wake() {
	atomic {
		ACQUIRE;
		LOOK
		recruit();
		RELEASE;
		rouse()
	}
}

inline inject(job) {
	atomic { size++; injected ! job };
	if
	:: searchers == 0 -> wake()
	:: else
	fi
}

inline hasWork(yes) {
	yes = (size > 0);
	atomic {
		if
		:: !yes -> yes = public[0]
		:: else
		fi
	}
#if GUESTS > 1
	;
	atomic {
		if
		:: !yes -> yes = public[1]
		:: else
		fi
	}
#endif
}

inline mustRest(yes) {
	left = excess;
#if MISTAKE != 4
	yes = (resumers > 0);
#endif
	if
	:: yes || left < 1
	:: !yes && left > 1 -> yes = true
	:: !yes && left == 1 ->
#if PRIVATE
		yes = true
#else
		yes = !reserved;
		if
		:: yes
		:: else -> guests(yes)
		fi
#endif
	fi;
	left = 0
}

/* yieldSlot of worker me, which owns a slot or is guest k of the default pool. */
inline yieldSlot(slot, k) {
	away[me]++;
	if
	:: away[me] == 1 || MISTAKE == 8 ->
		if
		:: slot ->
			atomic {
				ACQUIRE;
				assert(slots[me] > 0);
				slots[me]--;
				passSlot()
			}
		:: else ->
			atomic { inside[k] = false; parked[k] = true };
			atomic { ACQUIRE };
			unreserve()
		fi;
		yes = (searchers == 0);
		if
		:: yes -> hasWork(yes)
		:: else
		fi;
#if MISTAKE == 16
		yes = false;
#endif
		if
		:: yes ->
			atomic {
				yes = false;
				LOOK
				recruit();
				RELEASE;
				rouse()
			}
		:: else ->
			atomic { RELEASE }
		fi
	:: else
	fi
}

inline resumeSlot(slot, k) {
	away[me]--;
	if
	:: away[me] > 0 && granted[me] ->
		granted[me] = false;
#if MISTAKE != 9
		releaseSlot()
#endif
	:: away[me] > 0 && !granted[me] && MISTAKE != 8
	:: away[me] == 0 && !(slot) ->
#if MISTAKE != 20
		parked[k] = false;
#endif
		if
		:: reserved
		:: else -> reserve()
		fi;
		atomic { assert(mu || reserved); inside[k] = true }
	:: away[me] == 0 && slot && granted[me] ->
#if MISTAKE == 17
		atomic { assert(slots[me] == 1) }
#else
		atomic { granted[me] = false; assert(slots[me] == 1) }
#endif
	:: (away[me] == 0 || MISTAKE == 8) && slot && !granted[me] ->
		atomic {
			ACQUIRE;
			assert(slots[me] == 0);
			resuming ! me;
			resumers++
		};
#if MISTAKE != 5
		serveResumers();
#endif
		atomic { RELEASE };
		atomic { wakeup[me] ? _; assert(slots[me] == 1) }
	fi
}

inline releaseSlot() {
	atomic {
		ACQUIRE;
		assert(slots[me] == 1);
		slots[me]--;
		passSlot()
	};
	atomic {
		if
		:: size > 0 -> recruit()
		:: else -> x = NOBODY
		fi;
		RELEASE;
		rouse()
	}
}

inline reserve() {
	atomic {
		ACQUIRE;
		if
		:: reserved
		:: else -> reserved = true; use(1)
		fi;
		RELEASE
	}
}

/* Takes a frame or a job; task becomes 0 if there is none. */
inline find() {
	atomic {
		if
		:: public[0] -> public[0] = false; task = FRAME(0)
		:: else -> task = 0
		fi
	};
#if GUESTS > 1
	atomic {
		if
		:: task == 0 && public[1] -> public[1] = false; task = FRAME(1)
		:: else
		fi
	};
#endif
	atomic {
		if
		:: task == 0 && size > 0 -> injected ? task; size--
		:: else
		fi
	}
}

proctype worker(byte me) {
	LOCALS;
	byte task, blocks;

end:
	atomic { permit[me] -> permit[me] = false };

turn:
	assert(slots[me] == 1 && away[me] == 0);                /* awake: one slot */
	mustRest(yes);
	if
	:: yes ->
		atomic {
			yes = false;
			if
			:: called[me] -> called[me] = false; assert(searchers > 0); searchers--
			:: else
			fi
		};
		goto sleep
	:: else
	fi;
	if
	:: called[me] -> called[me] = false
	:: else ->
		find();
		if
		:: task != 0 -> goto run_it
		:: else
		fi;
		atomic {
			if
			:: searchers + 1 > (limit + 1) / 2 -> goto sleep
			:: else -> searchers++
			fi
		}
	fi;
	do      /* search */
	::
		find();
		if
		:: task != 0 ->
			atomic {
				assert(searchers > 0);
				searchers--;
				ok = (searchers == 0 && spare > 0)
			};
			if
			:: ok ->
				ok = false;
				hasWork(yes);
				if
				:: yes -> yes = false; wake()   /* W3 */
				:: else
				fi
			:: else
			fi;
			goto run_it
		:: else
		fi;
		if
		:: resumers > 0 -> break
		:: resumers == 0                                /* spins on */
		:: resumers == 0 -> break
		fi
	od;
	atomic { assert(searchers > 0); searchers-- };
	goto sleep;

run_it:
	atomic { blocks = (task < REMOTE(0) -> BLOCKS : JOBBLOCKS) };
#if !PRIVATE
	if
	:: task >= REMOTE(0) && reserved ->                     /* freeReserved */
		guests(yes);
		if
		:: yes -> yes = false
		:: else ->
			atomic { ACQUIRE };
			unreserve();
			atomic { RELEASE }
		fi
	:: else
	fi;
#endif
#if HOLD
	atomic {
		if
		:: task == JOB && first == 0 -> first = 1; blocks = 1
		:: task == JOB && first > 0 -> second = true; blocks = 0
		:: else
		fi
	};
	if
	:: task == JOB && blocks == 0 ->
		stuck = true;
		first == 3;
		stuck = false
	:: else
	fi;
#endif
	do
	:: blocks > 0 -> blocks--; yieldSlot(1, 0)
#if HOLD
	:: away[me] > 0 ->
		if
		:: task == JOB -> second; first = 2
		:: else
		fi;
		resumeSlot(1, 0);
		if
		:: task == JOB -> first = 3
		:: else
		fi
	:: away[me] == 0 && (task != JOB || blocks == 0) -> break
#else
	:: away[me] > 0 -> resumeSlot(1, 0)
	:: away[me] == 0 -> blocks = 0; break
#endif
	od;
	blocks = 0;
	if
	:: task < REMOTE(0) ->                                  /* complete */
		atomic { left = state[task - FRAME(0)]; state[task - FRAME(0)] = DONE };
		if
		:: left == WAITED ->
			atomic {
				who = WORKERS + task - FRAME(0);
				left = 0;
				task = 0;
				assert(empty(wakeup[who]));
				wakeup[who] ! 0;
#if PRIVATE
				/* It hands its slot over and goes to sleep without. */
				assert(slots[who] <= 1 && !granted[who]);  /* 1: it has not parked yet */
				granted[who] = true;
				slots[who]++;
				who = 0;
#if MISTAKE == 10
				goto turn
#else
				slots[me]--;
				goto sleep
#endif
#else
				who = 0
#endif
			}
		:: else
		fi;
		left = 0
	:: task >= REMOTE(0) && task < JOB -> replied[task - REMOTE(0)] = true
	:: task == JOB ->
#if ENDLESS
		inject(JOB)
#else
		ended++
#endif
	fi;
	task = 0;
	goto turn;

sleep:
	atomic {                                                /* S1 */
		ACQUIRE;
		if
		:: slots[me] > 0 -> slots[me]--; passSlot()
		:: else
		fi;
		assert(slots[me] == 0);
		listed[me] = true;
		RELEASE
	};
	hasWork(yes);                                           /* S2 */
	if
	:: yes ->
		atomic {
			yes = false;
			ACQUIRE;
			LOOK
			if
			:: used < limit && listed[me] ->
				use(1);
				slots[me]++;
				listed[me] = false;
				called[me] = true;
				searchers++;
				RELEASE;
				goto turn
			:: else                                 /* also if somebody has woken it */
			fi;
			RELEASE
		}
	:: else
	fi;
end2:
	atomic { permit[me] -> permit[me] = false };            /* S3 */
	goto turn
}

proctype guest(byte me; byte k) {
	LOCALS;
	byte blocks, rounds;
	bool joined, waits;

	rounds = ROUNDS;
again:
	if
	:: rounds == 0 -> goto done
	:: else -> rounds--
	fi;
#if PRIVATE
	atomic {                                                /* admit */
		ACQUIRE;
		if
		:: used < limit -> use(1); slots[me] = 1
		:: else
		fi;
		RELEASE
	};
	if
	:: slots[me] == 1
	:: else ->                                              /* runElsewhere */
		inject(REMOTE(k));
		atomic { replied[k] -> replied[k] = false };
		goto again
	fi;
#else
#if MISTAKE == 7
	ok = reserved;                                          /* enter */
	key[k] = true;
#else
	key[k] = true;                                          /* enter */
	ok = reserved;
#endif
	if
	:: ok -> ok = false
#if MISTAKE == 18
	:: else -> ok = false
#else
	:: else -> reserve()
#endif
	fi;
	atomic { assert(mu || reserved); inside[k] = true };
#endif

	public[k] = true;                                       /* fork */
	if                                                      /* W1 */
	:: searchers == 0 && spare > 0 -> wake()
	:: true
	fi;
	blocks = BLOCKS;
	joined = false;
step:
	if
	:: blocks > 0 -> blocks--                               /* Blocking begins */
	:: away[me] > 0 -> goto resume                          /* Blocking ends */
	:: !joined ->                                           /* join */
		atomic {
			joined = true;
			if
			:: public[k] -> public[k] = false; goto step
			:: !public[k] && state[k] == PENDING -> state[k] = WAITED; waits = true
			:: !public[k] && state[k] == DONE -> goto step
			fi
		}
	:: joined && away[me] == 0 -> goto leave
	fi;
	yieldSlot(PRIVATE, k);
	if
	:: waits -> atomic { wakeup[me] ? _; waits = false; assert(state[k] == DONE) }
	:: else -> goto step
	fi;
resume:
	resumeSlot(PRIVATE, k);
	goto step;

leave:
	atomic { blocks = 0; state[k] = PENDING };
#if PRIVATE
	releaseSlot();
#else
#if MISTAKE == 11
	ok = (resumers != 0);
	atomic { inside[k] = false; key[k] = false };
#else
	atomic { inside[k] = false; key[k] = false };
	ok = reserved;                                          /* leftBehind */
	if
	:: ok ->
		ok = (resumers != 0);
		if
		:: !ok && size > 0 -> ok = (searchers == 0)
		:: else
		fi
	:: else
	fi;
#endif
#if MISTAKE == 6
	ok = false;
#endif
	if
	:: ok ->                                                /* guestLeft */
		ok = false;
		atomic { ACQUIRE };
		serveResumers();
		yes = (size > 0);
		if
		:: yes -> yes = (searchers == 0)
		:: else
		fi;
		if
		:: yes ->
			atomic {
				yes = false;
				LOOK
				recruit();
				RELEASE;
				rouse()
			}
		:: else ->
			atomic { RELEASE }
		fi
	:: else
	fi;
#endif
	goto again;

done:
	gone++
}

proctype sender() {
	LOCALS;
	byte jobs;

	jobs = JOBS;
	do
	:: jobs > 0 -> jobs--; inject(JOB)
	:: else -> break
	od;
#if !ENDLESS
	ended == JOBS
#endif
}

#if RESIZE
proctype resizer() {
	LOCALS;

	atomic { ACQUIRE; limit = RESIZE; use(0) };
#if MISTAKE != 19
	serveResumers();
#endif
	atomic { RELEASE }
}
#endif

#if HOLD
proctype watchdog() {
	LOCALS;

end:
	do
	:: stuck && resumers > 0 && searchers == 0 && MISTAKE != 14 ->
		atomic {
			ACQUIRE;
			if
			:: nempty(resuming) -> resumeOne(); use(1)
			:: else
			fi;
			RELEASE
		}
	od
}
#endif

init {
	byte k;
	atomic {
#if !PRIVATE
		reserved = true;
		used = 1;
#endif
		spare = limit - used;
		excess = used - limit;
		for (k : 0 .. WORKERS - 1) {
			run worker(k)
		}
		for (k : 1 .. GUESTS) {
			run guest(WORKERS + k - 1, k - 1)
		}
#if JOBS > 0
		run sender();
#endif
#if RESIZE
		run resizer();
#endif
#if HOLD
		run watchdog();
#endif
	}
}

/* Under weak fairness everybody gets on: so each resumer gets a slot. */
ltl served { <> (gone == GUESTS && (ENDLESS || ended == JOBS)) }
