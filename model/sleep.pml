/*
 * Sleeping and waking (sleep.go, steps S1 to S3 and W1 to W3) on a private pool
 * of LIMIT slots, with SENDERS goroutines outside that inject JOBS jobs together,
 * and an owner outside that publishes FRAMES frames, one after the other, and
 * takes back those that nobody stole. So W1 wakes for frames or not, as it likes.
 *
 * Background workers come and go: each may end whenever it has slept. Those with
 * a goroutine own a slot or are listed, so there are never more than LIMIT: when
 * one is hired, nobody is listed. (The end of a goroutine is one step with the
 * one that takes it off the list; nobody can tell.) The futex of park_linux.go is modelled with its
 * three states. With CLOSE the pool is closed when all jobs have run. With MEET
 * no job ends before all have begun, so that each needs a slot of its own.
 */

#ifndef LIMIT
#define LIMIT 1
#endif
#define WORKERS LIMIT
#ifndef SENDERS
#define SENDERS 1
#endif
#ifndef JOBS
#define JOBS 2          /* a multiple of SENDERS */
#endif
#ifndef FRAMES
#define FRAMES 0
#endif
#ifndef CLOSE
#define CLOSE 0
#endif
#ifndef MEET
#define MEET 0
#endif
#ifndef MISTAKE
#define MISTAKE 0
#endif

#define NOBODY 255

/* pool.idle, the fields that matter here. */
short searchers, spare;

/* pool.injected: a job is there when it is counted. */
short size;

byte frames;            /* public frames */
bool stolen_done;       /* the stolen frame is done */

/* Under pool.mu. */
bool mu;
byte used;
byte sleepers[WORKERS], listed;
bool resting[WORKERS];
byte live;
bool stopped;

/* Workers. */
bool go[WORKERS];       /* its goroutine has been started */
bool called[WORKERS];
bool retire[WORKERS];
byte parker[WORKERS];
bool waiting[WORKERS];  /* in the futex call */

#define AWAKE  0
#define PARKED 1
#define PERMIT 2

/* What only the properties look at. */
byte slots[WORKERS];    /* slots a worker owns */
byte running;           /* workers that run a task */
byte begun, ended;      /* jobs */
byte sent;              /* senders, and the owner, that are through */
bool closed;

#define LOCK   atomic { !mu -> mu = true }
#define UNLOCK mu = false

/* The next three are called with mu held. */
inline use(n) {
	used = used + n;
	atomic { spare = spare - (n) ; assert(spare >= 0 && spare == LIMIT - used) }
}

/* claimSlot for worker w. */
inline claim(w, ok) {
	if
	:: used >= LIMIT -> ok = false
	:: else -> use(1); d_step { slots[w]++; ok = true }
	fi
}

/* passSlot; here nobody waits for one. */
inline pass(w) {
	d_step { assert(slots[w] > 0); slots[w]-- };
	use(-1)
}

inline unlist(w, was) {
	d_step {
		was = false;
		n = 0;
		do
		:: n < listed && sleepers[n] != w -> n++
		:: n < listed && sleepers[n] == w -> was = true; break
		:: n >= listed -> break
		od;
		if
		:: was ->
			listed--;
			do
			:: n < listed -> sleepers[n] = sleepers[n + 1]; n++
			:: else -> break
			od;
			sleepers[listed] = 0
		:: else
		fi;
		n = 0
	}
}

inline addSearcher() { atomic { searchers++ } }
inline dropSearcher() { atomic { searchers--; assert(searchers >= 0) } }

/* W2. x becomes the worker woken or NOBODY. */
inline wake(x) {
	x = NOBODY;
	LOCK;
	if
#if MISTAKE == 11
	:: stopped || used >= LIMIT || listed == 0
#else
	:: stopped || used >= LIMIT
#endif
	:: else ->
#if MISTAKE != 12
		use(1);
#endif
#if MISTAKE != 3 && MISTAKE != 13
		addSearcher();
#endif
		d_step {
			if
			:: listed > 0 ->
				listed--;
				x = sleepers[listed];
#if MISTAKE == 14
				listed++
#else
				sleepers[listed] = 0
#endif
			:: else ->
				x = 0;
				do
				:: x < WORKERS && !resting[x] -> x++
				:: else -> break
				od;
				assert(x < WORKERS);
				resting[x] = false;
				live++
			fi;
			called[x] = true;
			slots[x]++
		}
	fi;
	UNLOCK;
	if
	:: x == NOBODY
	:: else ->
		if
		:: !go[x] -> go[x] = true       /* rouse */
		:: else ->
			atomic {
				if
				:: parker[x] == PARKED -> parker[x] = PERMIT; n = 1
#if MISTAKE == 15
				:: else
#else
				:: else -> parker[x] = PERMIT
#endif
				fi
			};
			if
			:: n == 1 -> d_step { waiting[x] = false; n = 0 }
			:: else
			fi
		fi;
#if MISTAKE == 3
		addSearcher();
#endif
	fi;
	x = 0
}

/* Looks at one thing after the other. */
inline hasWork(ok) {
	if
	:: size > 0 -> ok = true
	:: else -> ok = (frames > 0)
	fi
}

/* offers: what thieves would find, n jobs and whether the owner has frames. */
inline offers(n) {
	n = size;
	if
	:: frames > 0 -> n++
	:: else
	fi
}

#define FRAME 1
#define JOB   2

/* find; what becomes 0 if there is nothing. */
inline find(what) {
	what = 0;
	atomic {
		if
		:: frames > 0 -> frames--; what = FRAME
		:: else
		fi
	};
	if
	:: what == 0 ->
		if
		:: atomic { size > 0 -> size--; what = JOB }
		:: else
		fi
	:: else
	fi
}

proctype worker(byte me) {
	byte what, n, x, more, relays;
	bool ok, woken, was, spun;
	short left;

rest:
end:
	go[me];

turn:
	/* A worker that is awake owns one slot and is not listed. */
	assert(slots[me] == 1);
	if
	:: called[me]
	:: else ->
		find(what);
		if
		:: what != 0 -> goto do_it
		:: else
		fi
	fi;

	/* search */
	if
#if MISTAKE == 17
	:: called[me] -> called[me] = false; woken = true; addSearcher()
#else
	:: called[me] -> called[me] = false; woken = true
#endif
	:: else ->
		atomic { searchers++; left = searchers };
		if
#if MISTAKE == 18
		:: left > (LIMIT + 1) / 2 -> left = 0; goto sleep
#else
		:: left > (LIMIT + 1) / 2 -> left = 0; dropSearcher(); goto sleep
#endif
		:: else -> left = 0
		fi
	fi;
	do
	::
		find(what);
		if
		:: what != 0 ->
			atomic {
				searchers--;
				assert(searchers >= 0);
				left = searchers;
				ok = (spare > 0)
			};
#if MISTAKE != 4
			do                                      /* W3 */
			:: ok && relays < 2 ->
				offers(more);
				if
				:: left < more && left < (LIMIT + 1) / 2 ->
					wake(x);
					relays++;
					atomic { left = searchers; ok = (spare > 0) }
				:: else -> break
				fi
			:: else -> break
			od;
#endif
			left = 0;
			more = 0;
			relays = 0;
			ok = false;
			spun = false;
			goto do_it
		:: else
		fi;
		if
		:: !spun -> spun = true                         /* looks once more */
		:: true -> spun = false; break
		fi
	od;
#if MISTAKE != 5
	dropSearcher();
#endif
	woken = false;
#if MISTAKE == 23
	find(what);
	if
	:: what != 0 -> goto do_it
	:: else
	fi;
#endif
	goto sleep;

do_it:
	atomic {
		woken = false;
		running++;
		assert(running <= LIMIT)
	};
	if
	:: what == FRAME ->
		atomic { running--; stolen_done = true }
	:: else ->
		begun++;
#if MEET
		begun == JOBS;
#endif
		atomic { running--; ended++ }
	fi;
	what = 0;
	goto turn;

sleep:
#if MISTAKE == 2
	hasWork(ok);
	was = ok;
	ok = false;
#endif
	LOCK;                                                   /* S1 */
	if
	:: stopped ->
		pass(me);
		UNLOCK;
		goto part
	:: else
	fi;
#if MISTAKE == 19
	pass(me);
	UNLOCK;
	LOCK;
	d_step { sleepers[listed] = me; listed++ };
#else
	d_step { sleepers[listed] = me; listed++ };
	pass(me);
#endif
	UNLOCK;

#if MISTAKE == 1
	ok = false;
#elif MISTAKE == 2
	ok = was;
	was = false;
#elif MISTAKE == 16
	ok = (frames > 0);
#else
	hasWork(ok);                                            /* S2 */
#endif
#if MISTAKE == 5
	dropSearcher();
#endif
	if
	:: ok ->
		LOCK;
		claim(me, ok);
		if
		:: ok ->
			unlist(me, was);
			if
			:: was || MISTAKE == 6 ->
#if MISTAKE != 10
				addSearcher();
				called[me] = true;
#endif
				UNLOCK;
				ok = false;
				was = false;
				goto turn
			:: else ->
#if MISTAKE != 7
				pass(me)
#endif
			fi
		:: else
		fi;
		UNLOCK;
		ok = false
	:: else
	fi;

	/* S3: park, as long as it is patient. */
	atomic {
		if
		:: parker[me] == PERMIT -> parker[me] = AWAKE; goto woke
		:: else
		fi
	};
#if MISTAKE == 20
	parker[me] = PARKED;
#else
	atomic {
		if
		:: parker[me] == AWAKE -> parker[me] = PARKED
		:: else -> parker[me] = AWAKE; goto woke
		fi
	};
#endif
	do
	::
		atomic {        /* the kernel compares and begins to wait */
			if
			:: parker[me] == PARKED -> waiting[me] = true
			:: else
			fi
		};
endless:
		if
		:: !waiting[me]
		:: waiting[me] -> waiting[me] = false; ok = true        /* time is over */
		fi;
		atomic {
			if
			:: parker[me] == PERMIT -> parker[me] = AWAKE; ok = false; goto woke
			:: else
			fi
		};
		if
		:: ok ->
			ok = false;
			atomic {
				if
				:: parker[me] == PARKED -> parker[me] = AWAKE
				:: else -> parker[me] = AWAKE; goto woke
				fi
			};
			break
		:: else
		fi
	od;
	LOCK;
	unlist(me, was);
	if
	:: was || MISTAKE == 8 -> was = false; goto ends        /* and part */
	:: else
	fi;
	UNLOCK;
	/* Somebody has taken it off the list: the unpark is on the way. A park
	   without end, told as one step. */
#if MISTAKE != 21
	atomic { parker[me] == PERMIT -> parker[me] = AWAKE };
#endif

woke:
	if
	:: retire[me] -> goto part
	:: else -> goto turn
	fi;

part:
	LOCK;
ends:
	atomic {
		assert(slots[me] == 0 && !called[me]);
		go[me] = false;
		resting[me] = true;
		live--
	};
	UNLOCK;
	goto rest
}

proctype sender(byte k) {
	byte x, n, i;

	i = JOBS / SENDERS;
	do
	:: i > 0 ->
		i--;
#if MISTAKE == 9
		x = (searchers == 0);
		size++;
		if
		:: x -> wake(x)
		:: else
		fi
#else
		size++;
		if                                              /* W1 */
		:: searchers == 0 -> wake(x)
		:: else
		fi
#endif
	:: else -> break
	od;
	sent++
}

/* A guest that forks. It runs what nobody steals, so it need not wake anybody. */
proctype owner() {
	byte x, n, i;

	do
	:: i < FRAMES ->
		i++;
		frames++;                                       /* D2 */
		if                                              /* W1 */
		:: searchers == 0 && spare > 0 -> wake(x)
		:: true
		fi;
		if
		:: atomic { frames > 0 -> frames-- }            /* D5 */
		:: atomic { stolen_done -> stolen_done = false }
		fi
	:: else -> break
	od;
	sent++
}

#if CLOSE
proctype closer() {
	byte k;

	ended == JOBS;
	LOCK;
	stopped = true;
	do
	:: listed > 0 ->
		k = listed - 1;
		k = sleepers[k];
		listed--;
		sleepers[listed] = 0;
#if MISTAKE != 22
		retire[k] = true;
#endif
		atomic {
			if
			:: parker[k] == PARKED -> parker[k] = PERMIT; waiting[k] = false
			:: else -> parker[k] = PERMIT
			fi
		}
	:: else -> break
	od;
	UNLOCK;
	live == 0;
	closed = true
}
#endif

/* Nothing is queued for ever while all sleep. */
#define SENT    (SENDERS + (FRAMES > 0))
#define ASLEEP(w) (resting[w] || (waiting[w] && parker[w] == PARKED))

#if WORKERS == 1
#define ALL_ASLEEP ASLEEP(0)
#elif WORKERS == 2
#define ALL_ASLEEP (ASLEEP(0) && ASLEEP(1))
#elif WORKERS == 3
#define ALL_ASLEEP (ASLEEP(0) && ASLEEP(1) && ASLEEP(2))
#endif

active proctype monitor() {
end:
	atomic {
		sent == SENT && ALL_ASLEEP -> assert(size == 0 && frames == 0 && ended == JOBS);
		assert(searchers == 0 && used == 0 && spare == LIMIT)
	}
}

init {
	byte k;
	atomic {
		spare = LIMIT;
		for (k : 0 .. WORKERS - 1) {
			resting[k] = true;
			run worker(k)
		}
		for (k : 1 .. SENDERS) {
			run sender(k)
		}
#if FRAMES > 0
		run owner();
#endif
#if CLOSE
		run closer();
#endif
	}
}

/* Under weak fairness every job is run. */
ltl served { <> (ended == JOBS) }

/* Close returns; without CLOSE, there is nothing to prove. */
ltl closes { <> (closed || !CLOSE) }
