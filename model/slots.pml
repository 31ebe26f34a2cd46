/*
 * Slots (slots.go): who may run, who waits for a slot, who hands one over.
 *
 * WORKERS background workers run JOBS injected jobs and what GUESTS guests fork.
 * A guest comes ROUNDS times. Each time it forks one frame and then, in any
 * order, joins it and blocks up to BLOCKS times, also inside one another; a join
 * inside Blocking is one of the cases. Every other task blocks up to BLOCKS times.
 * With PRIVATE the pool is one made by New, and guests have slots or run as
 * injected jobs; else it is the default pool with its reserved slot. With ENDLESS
 * each job injects itself again when it ends. With RESIZE the limit becomes that,
 * once, at any time.
 *
 * With HOLD jobs wait for each other while they hold slots: job 1 for job 2 to
 * block, and job 2 to go on for that, and for a slot. Then the watchdog takes part
 * (watchdog.go), which gives out one slot more when it is not otherwise. It does
 * nothing else than that here, so all other properties hold without it.
 *
 * Sleeping is that of sleep.pml, but nobody's patience ends, and which of the
 * sleepers is woken is not told. Frames are claimed in one step (deque.pml).
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
#ifndef WORKERS
#define WORKERS (LIMIT + JOBS + GUESTS)
#endif
#ifndef BLOCKS
#define BLOCKS 1
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

#define ALL (WORKERS + GUESTS)
#define NOBODY 255

/* Tasks: the frame of guest k, a call of guest k on a worker, an injected job. */
#define FRAME(k)  (1 + (k))
#define REMOTE(k) (11 + (k))
#define JOB       20

#define PENDING 0
#define WAITED  1
#define DONE    2

/* Read by all. */
short searchers, spare;         /* pool.idle */
byte size;                      /* pool.injected.size */
short resumers;
short excess;
bool reserved;

/* Under pool.mu. */
short limit = LIMIT;
byte used;
bool listed[WORKERS];
chan resuming = [ALL] of { byte };

/* Workers, guests last. */
bool called[WORKERS], permit[WORKERS];
bool hired[WORKERS];
byte away[ALL];
bool announced[ALL];
chan wakeup[ALL] = [1] of { bit };

/* Guests. */
bool key[GUESTS];               /* binding.key is not 0 */
bool parked[GUESTS];
bool public[GUESTS];
byte state[GUESTS];             /* of the frame */
bool replied[GUESTS];           /* the call on a worker has ended */

chan injected = [JOBS + GUESTS] of { byte };

/* What only the properties look at. */
byte slots[ALL];                /* owned */
bool inside[GUESTS];            /* a guest of the default pool that runs */
byte ended;                     /* jobs */
byte gone;                      /* guests */
byte holding;                   /* jobs that block with their slots */
byte x1, x2;                    /* HOLD: where job 1 and 2 are */

/*
 * pool.mu. Under weak fairness a simple lock may be missed for ever by one who
 * waits for it, which Go's does not allow; it matters with endless jobs only.
 */
#if ENDLESS
#define TURNS (ALL + 4)
byte nextTurn, turn_;
#define LOCK   atomic { ticket = nextTurn; nextTurn = (nextTurn + 1) % TURNS }; turn_ == ticket
#define UNLOCK atomic { consistent(); ticket = 0; turn_ = (turn_ + 1) % TURNS }
#define FREE   (nextTurn == turn_)
#else
bool mu;
#define LOCK   atomic { !mu -> mu = true }
#define UNLOCK atomic { consistent(); mu = false }
#define FREE   (!mu)
#endif

#define LOCALS byte n, x, who; bool ok, yes; short left; byte ticket

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
		for (n : 0 .. ALL - 1) {
			left = left + announced[n]
		}
		n = 0;
		assert(len(resuming) <= resumers && resumers <= len(resuming) + left);
		left = 0;
		assert(used >= limit || empty(resuming));       /* no slot is idle while somebody waits for one */
#if !PRIVATE
		for (n : 0 .. GUESTS - 1) {
			assert(!inside[n] || reserved)
		}
		n = 0;
#endif
#if PRIVATE && !RESIZE && !HOLD
		assert(used <= limit)
#elif !RESIZE && !HOLD
		assert(used <= limit + 1)
#endif
	}
}

inline addSearcher() { searchers++ }
inline dropSearcher() { atomic { searchers--; assert(searchers >= 0) } }

/* Whether a guest of the default pool is running. */
inline guests(yes) {
	yes = false;
#if !PRIVATE
	yes = key[0];
	if
	:: yes -> yes = !parked[0]
	:: else
	fi;
#if GUESTS > 1
	if
	:: yes
	:: else ->
		yes = key[1];
		if
		:: yes -> yes = !parked[1]
		:: else
		fi
	fi
#endif
#endif
}

/* The next ones are called with mu held. */
inline use(d) {
	d_step { used = used + d; spare = (used < limit -> limit - used : 0) };
	excess = used - limit
}

inline resumeOne(yes) {
	if
	:: nempty(resuming) ->
		atomic { resuming ? who; yes = true };
		atomic { resumers--; assert(resumers >= 0) };
		atomic {
			assert(slots[who] == 0 && empty(wakeup[who]));
			slots[who]++;
			wakeup[who] ! 0;
			who = 0
		}
	:: else -> yes = false
	fi
}

/* The slot is the caller's no more: slots has been lowered. */
inline passSlot() {
	if
#if MISTAKE == 1
	:: true
#else
	:: used <= limit || MISTAKE == 12 -> resumeOne(yes)
	:: else
#endif
	fi;
	if
	:: yes -> yes = false
	:: else -> use(-1)
	fi
}

inline unreserve() {
#if !PRIVATE
	if
	:: reserved ->
		guests(yes);
		if
		:: yes
		:: else ->
			reserved = false;
#if MISTAKE != 2
			guests(yes);
#endif
			if
			:: yes -> reserved = true
			:: else ->
#if MISTAKE == 3
				use(-1)
#else
				passSlot()
#endif
			fi
		fi;
		yes = false
	:: else
	fi
#else
	skip
#endif
}

inline claimSlot(ok) {
	if
	:: used >= limit -> unreserve()
	:: else
	fi;
	if
	:: used >= limit -> ok = false
	:: else -> use(1); ok = true
	fi
}

inline serveResumers() {
	do
	:: nempty(resuming) ->
		claimSlot(ok);
		if
		:: ok -> ok = false; resumeOne(yes); yes = false
		:: else -> break
		fi
	:: else -> break
	od
}

/* x becomes who must be roused, or NOBODY. */
inline recruit() {
	claimSlot(ok);
	if
	:: ok ->
		ok = false;
		addSearcher();
		d_step {
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
				assert(x < WORKERS);            /* or WORKERS is too small */
				hired[x] = true
			fi;
			called[x] = true;
			slots[x]++
		}
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

inline wake() {
	LOCK;
	recruit();
	UNLOCK;
	rouse()
}

inline inject(job) {
	size++;
	injected ! job;
	if
	:: searchers == 0 -> wake()
	:: else
	fi
}

inline hasWork(yes) {
	if
	:: size > 0 -> yes = true
	:: else ->
		yes = public[0];
#if GUESTS > 1
		if
		:: yes
		:: else -> yes = public[1]
		fi
#endif
	fi
}

inline mustRest(yes) {
	left = excess;
	if
#if MISTAKE == 4
	:: false
#else
	:: resumers > 0 -> yes = true
#endif
	:: else ->
		if
		:: left > 1 -> yes = true
		:: left == 1 && PRIVATE -> yes = true
		:: left == 1 && !PRIVATE ->
			if
			:: reserved -> guests(yes)
			:: else -> yes = true
			fi
		:: left < 1
		fi
	fi;
	left = 0
}

/* yieldSlot for worker me, which is guest k of the default pool unless slot. */
inline yieldSlot(slot, k) {
	away[me]++;
	if
	:: away[me] == 1 || MISTAKE == 8 ->
		if
		:: slot
		:: else -> inside[k] = false; parked[k] = true
		fi;
		LOCK;
		if
		:: slot -> d_step { assert(slots[me] > 0); slots[me]-- }; passSlot()
		:: else -> unreserve()
		fi;
		x = NOBODY;
		if
		:: searchers == 0 ->
			hasWork(yes);
			if
			:: yes -> yes = false; recruit()
			:: else
			fi
		:: else
		fi;
		UNLOCK;
		rouse()
	:: else
	fi
}

inline resumeSlot(slot, k) {
	away[me]--;
	if
	:: away[me] > 0 && MISTAKE != 8 ->
#if MISTAKE == 9
		announced[me] = false
#else
		if
		:: announced[me] -> d_step { announced[me] = false; resumers-- }
		:: else
		fi
#endif
	:: else ->
		if
		:: !(slot) ->
			parked[k] = false;
			if
			:: reserved
			:: else -> reserve()
			fi;
			atomic { assert(!FREE || reserved); inside[k] = true }
		:: else ->
			LOCK;
			d_step { assert(slots[me] == 0); resuming ! me };
#if MISTAKE == 10
			resumers++;
#else
			if
			:: announced[me]
			:: else -> resumers++
			fi;
#endif
			announced[me] = false;
#if MISTAKE != 5
			serveResumers();
#endif
			UNLOCK;
			wakeup[me] ? _;
			assert(slots[me] == 1)
		fi
	fi
}

inline reserve() {
	LOCK;
	if
	:: reserved
	:: else -> reserved = true; use(1)
	fi;
	UNLOCK
}

/* complete, for the frame of guest k. */
inline complete(k) {
	atomic { left = state[k]; state[k] = DONE };
	if
	:: left == WAITED ->
#if PRIVATE
		announced[WORKERS + k] = true;
		resumers++;
#endif
		atomic { assert(empty(wakeup[WORKERS + k])); wakeup[WORKERS + k] ! 0 }
	:: else
	fi;
	left = 0
}

/* find: task becomes 0 if there is nothing. */
inline find() {
	atomic {
		if
		:: public[0] -> public[0] = false; task = FRAME(0)
		:: else -> task = 0
		fi
	};
#if GUESTS > 1
	if
	:: task == 0 ->
		atomic {
			if
			:: public[1] -> public[1] = false; task = FRAME(1)
			:: else
			fi
		}
	:: else
	fi;
#endif
	if
	:: task == 0 && size > 0 ->
		atomic {
			if
			:: injected ? task
			:: empty(injected)
			fi
		};
		if
		:: task != 0 -> size--
		:: else
		fi
	:: else
	fi
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
		yes = false;
		if
		:: called[me] -> called[me] = false; dropSearcher()
		:: else
		fi;
		goto sleep
	:: else
	fi;
	if
	:: called[me] -> called[me] = false
	:: else ->
		find();
		if
		:: task != 0 -> goto do_it
		:: else
		fi;
		atomic { searchers++; left = searchers };
		if
		:: left > (limit + 1) / 2 -> left = 0; dropSearcher(); goto sleep
		:: else -> left = 0
		fi
	fi;
	do      /* search */
	::
		find();
		if
		:: task != 0 ->
			atomic {
				searchers--;
				assert(searchers >= 0);
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
			goto do_it
		:: else
		fi;
		if
		:: resumers > 0 -> break
		:: resumers == 0                                /* spins on */
		:: resumers == 0 -> break
		fi
	od;
	dropSearcher();
	goto sleep;

do_it:
#if !PRIVATE
	if
	:: task >= REMOTE(0) && reserved ->                     /* freeReserved */
		guests(yes);
		if
		:: yes -> yes = false
		:: else -> LOCK; unreserve(); UNLOCK
		fi
	:: else
	fi;
#endif
#if HOLD
	if
	:: task == JOB && x1 == 0 ->
		x1 = 1;
		yieldSlot(1, 0);
		x2 >= 1;                /* inside Blocking */
		resumeSlot(1, 0);
		x1 = 2
	:: task == JOB && x1 > 0 ->
		atomic { holding++; x2 = 1 };
		atomic { x1 == 2; holding-- }
	:: else
	fi;
#else
	blocks = BLOCKS;
	do
	:: blocks > 0 -> blocks--; yieldSlot(1, 0)
	:: away[me] > 0 -> resumeSlot(1, 0)
	:: away[me] == 0 -> break
	od;
	blocks = 0;
#endif
	if
	:: task < REMOTE(0) -> complete(task - FRAME(0))
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
	LOCK;                                                   /* S1 */
	listed[me] = true;
	d_step { assert(slots[me] == 1); slots[me]-- };
	passSlot();
	UNLOCK;
	hasWork(yes);                                           /* S2 */
	if
	:: yes ->
		yes = false;
		LOCK;
		claimSlot(ok);
		if
		:: ok && listed[me] ->
			d_step { listed[me] = false; slots[me]++; ok = false };
			addSearcher();
			called[me] = true;
			UNLOCK;
			goto turn
		:: ok && !listed[me] -> ok = false; passSlot()
		:: else
		fi;
		UNLOCK
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
	/* Run: admit, or runElsewhere */
	LOCK;
	claimSlot(ok);
	d_step { slots[me] = ok };
	UNLOCK;
	if
	:: ok -> ok = false
	:: else ->
		inject(REMOTE(k));
		replied[k];
		replied[k] = false;
		goto again
	fi;
#else
	/* enter */
#if MISTAKE == 7
	ok = reserved;
	key[k] = true;
#else
	key[k] = true;
	ok = reserved;
#endif
	if
	:: ok -> ok = false
	:: else -> reserve()
	fi;
	atomic { assert(!FREE || reserved); inside[k] = true };
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
		joined = true;
		atomic {
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
	:: waits -> wakeup[me] ? _; waits = false
	:: else -> goto step
	fi;
resume:
	resumeSlot(PRIVATE, k);
	goto step;

leave:
	state[k] = PENDING;

#if PRIVATE
	LOCK;                                                   /* releaseSlot */
	d_step { assert(slots[me] == 1); slots[me]-- };
	passSlot();
	x = NOBODY;
	if
	:: size > 0 -> recruit()
	:: else
	fi;
	UNLOCK;
	rouse();
#else
#if MISTAKE == 11
	ok = (resumers != 0 || size > 0);
	atomic { inside[k] = false; key[k] = false };
#else
	atomic { inside[k] = false; key[k] = false };
	ok = (resumers != 0 || size > 0);
#endif
#if MISTAKE == 6
	ok = false;
#endif
	if
	:: ok ->
		ok = false;
		LOCK;                                           /* guestLeft */
		serveResumers();
		x = NOBODY;
		if
		:: size > 0 && searchers == 0 -> recruit()
		:: else
		fi;
		UNLOCK;
		rouse()
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

	LOCK;
	limit = RESIZE;
	use(0);
	serveResumers();
	UNLOCK
}
#endif

#if HOLD
proctype watchdog() {
	LOCALS;

end:
	do
	:: holding > 0 && resumers > 0 && searchers == 0 ->
		LOCK;
		resumeOne(yes);
		if
		:: yes -> yes = false; use(1)
		:: else
		fi;
		UNLOCK
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
