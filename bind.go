package forkjoin

import (
	"github.com/forkjoin-go/forkjoin/internal/atomic"
	"github.com/forkjoin-go/forkjoin/internal/gkey"
)

// A binding ties a goroutine to the worker it acts as, from its outermost call
// until that returns; a worker's own goroutine is bound while it lives. It is
// how a nested call finds its worker.
type binding struct {
	// key is the goroutine's key, 0 when the binding is free. A goroutine
	// claims a binding by compare-and-swap from 0 and frees it by storing 0,
	// so the plain fields belong to the goroutine whose key this is.
	key    atomic.Uintptr
	worker *worker // the innermost one, if calls on several pools are nested
	kept   bool    // of the first table; never changes
	home   *worker // of the default pool, kept for the next goroutine; in the first table only
	_      [128 - 4*8]byte
}

// A bindingTable is a hash table whose entries are never moved or removed. A
// key lies within a window of its hash in one of the tables of the chain, so a
// search ends after a bounded number of loads.
type bindingTable struct {
	entries []binding
	shift   uint
	next    atomic.Pointer[bindingTable]
}

const (
	bindingWindow = 4
	bindingBits   = 6 // of the first table
)

var (
	firstBindings [1<<bindingBits + bindingWindow]binding
	bindings      = bindingTable{entries: firstBindings[:], shift: 64 - bindingBits}
)

func init() {
	for i := range firstBindings {
		firstBindings[i].kept = true
	}
}

func (t *bindingTable) window(key uintptr) []binding {
	i := uint64(key) * 0x9E3779B97F4A7C15 >> t.shift
	return t.entries[i : i+bindingWindow : i+bindingWindow]
}

// lookup returns the binding of the goroutine with this key, or nil.
func lookup(key uintptr) *binding {
	for t := &bindings; t != nil; t = t.next.Load() {
		window := t.window(key)
		for i := range window {
			if window[i].key.Load() == key {
				return &window[i]
			}
		}
	}
	return nil
}

// bind claims a free binding for key, which must have none.
func bind(key uintptr) *binding {
	for t, bits := &bindings, uint(bindingBits); ; bits += 2 {
		window := t.window(key)
		for i := range window {
			if b := &window[i]; b.key.Load() == 0 && b.key.CompareAndSwap(0, key) {
				return b
			}
		}
		next := t.next.Load()
		if next == nil {
			next = &bindingTable{entries: make([]binding, 1<<(bits+2)+bindingWindow), shift: 64 - (bits + 2)}
			if !t.next.CompareAndSwap(nil, next) {
				next = t.next.Load()
			}
		}
		t = next
	}
}

// current returns the worker that the calling goroutine acts as, or nil.
func current() *worker {
	if b := lookup(gkey.Get()); b != nil {
		return b.worker
	}
	return nil
}

// enter returns the worker that the calling goroutine acts as. A goroutine that
// is not one becomes a guest of the default pool: then entered is true and the
// caller must see to it that w.leave is called on every way out.
func enter() (w *worker, entered bool) {
	key := gkey.Get()
	if b := lookup(key); b != nil {
		return b.worker, false
	}
	b := bind(key)
	w = b.home
	if w == nil {
		w = std.newGuest(b)
	}
	b.worker = w
	if !std.reserved.Load() {
		std.reserve() // pairs with unreserve
	}
	if recordsAll() {
		w.beginCall()
	}
	return w, true
}

// leave ends what enter began.
func (w *worker) leave() {
	w.settle()
	if w.tape != nil {
		w.endCall()
	}
	b := w.binding
	b.worker = nil
	if b.home == nil {
		w.dismiss()
	}
	b.key.Store(0)
	w.pool.leftBehind() // after the above: pairs with resumeSlot and inject
}

// newGuest returns a worker for the first call of the goroutine that has claimed
// b. A binding of the first table keeps it.
func (p *Pool) newGuest(b *binding) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.newVisitor(false)
	w.binding = b
	w.host.Store(b)
	if b.kept {
		b.home = w
	}
	return w
}

// dismiss keeps w, a guest of the default pool, for whoever comes next.
func (w *worker) dismiss() {
	w.host.Store(nil)
	w.binding = nil
	w.pool.mu.Lock()
	w.pool.keep(w)
	w.pool.mu.Unlock()
}

// occupy keeps the worker that b has for guests of the default pool from being
// taken for a running guest, because the goroutine runs as another worker.
func (b *binding) occupy(yes bool) {
	if b.home != nil {
		b.home.occupied.Store(yes)
	}
}
