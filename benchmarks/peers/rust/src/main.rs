//! Rust peers: plain sequential code and Rayon.
//! Prints `workload peer workers metric value unit`; see ../README.md for the workloads.
//!
//!     peers WORKERS [WORKLOAD [PEER]]     (filters: parts of the name joined by `|`, with `^` and `$`)
//!
//! `rayon` calls from a thread outside the pool; `rayon-in` runs the measuring loop inside it.
use rayon::prelude::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

// ---- measuring -------------------------------------------------------------

struct Bench {
    workers: usize,
    workloads: Vec<String>,
    peers: Vec<String>,
    name: String,
}

/// The little of regular expressions that the filters need; `.` is everything.
fn matches(pattern: &str, name: &str) -> bool {
    let part = pattern.trim_start_matches('^').trim_end_matches('$');
    match (pattern.starts_with('^'), pattern.ends_with('$')) {
        _ if pattern == "." => true,
        (true, true) => name == part,
        (true, false) => name.starts_with(part),
        (false, true) => name.ends_with(part),
        (false, false) => name.contains(part),
    }
}

impl Bench {
    fn wants_workload(&self, wl: &str) -> bool {
        self.workloads.iter().any(|w| matches(w, wl))
    }

    fn wants(&self, wl: &str, peer: &str) -> bool {
        self.wants_workload(wl) && self.peers.iter().any(|p| matches(p, peer))
    }

    fn print(&self, wl: &str, peer: &str, metric: &str, v: f64, unit: &str) {
        let peer = peer.replacen("rayon", &self.name, 1);
        println!("{wl} {peer} {} {metric} {v:.2} {unit}", self.workers);
    }

    fn print_all(&self, wl: &str, peer: &str, mut v: Vec<f64>) {
        v.sort_by(f64::total_cmp);
        self.print(wl, peer, "med", v[v.len() / 2], "ns");
        self.print(wl, peer, "min", v[0], "ns");
        self.print(wl, peer, "p99", v[v.len() * 99 / 100], "ns");
        self.print(wl, peer, "max", v[v.len() - 1], "ns");
    }

    /// Long operations: five timed runs (three when one takes over 2 s); `reset` is untimed.
    fn slow_with<T>(&self, wl: &str, peer: &str, mut reset: impl FnMut() -> T, mut op: impl FnMut(&mut T)) {
        if !self.wants(wl, peer) {
            return;
        }
        let mut v = vec![];
        let mut reps = 5;
        while v.len() < reps {
            let mut state = reset();
            let t = Instant::now();
            op(&mut state);
            v.push(t.elapsed().as_nanos() as f64);
            if v[0] > 2e9 {
                reps = 3;
            }
        }
        self.print_all(wl, peer, v);
    }

    fn slow(&self, wl: &str, peer: &str, mut op: impl FnMut()) {
        self.slow_with(wl, peer, || (), |_| op());
    }

    /// Short operations back to back: every call timed, for 0.3 s.
    fn quick(&self, wl: &str, peer: &str, mut op: impl FnMut()) {
        if !self.wants(wl, peer) {
            return;
        }
        let warm = Instant::now();
        while warm.elapsed() < Duration::from_millis(50) {
            op();
        }
        let mut v = vec![];
        let start = Instant::now();
        while v.len() < 10 || (start.elapsed() < Duration::from_millis(300) && v.len() < 100_000) {
            let t = Instant::now();
            op();
            v.push(t.elapsed().as_nanos() as f64);
        }
        self.print_all(wl, peer, v);
    }

    /// Short operations after 5 ms without work, when the workers have gone to sleep.
    fn cold(&self, wl: &str, peer: &str, mut op: impl FnMut()) {
        if !self.wants(wl, peer) {
            return;
        }
        op();
        let v = (0..60)
            .map(|_| {
                std::thread::sleep(Duration::from_millis(5));
                let t = Instant::now();
                op();
                t.elapsed().as_nanos() as f64
            })
            .collect();
        self.print_all(wl, peer, v);
    }
}

// ---- joins -------------------------------------------------------------------

trait Join {
    fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send;
}

struct Seq;
impl Join for Seq {
    #[inline]
    fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        (a(), b())
    }
}

struct Rayon;
impl Join for Rayon {
    #[inline]
    fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        rayon::join(a, b)
    }
}

fn fib<J: Join>(n: u32) -> u64 {
    if n < 2 {
        return n as u64;
    }
    let (x, y) = J::join(|| fib::<J>(n - 1), || fib::<J>(n - 2));
    x + y
}

struct Node {
    val: u64,
    left: *const Node,
    right: *const Node,
}
unsafe impl Sync for Node {}
unsafe impl Send for Node {}

fn build(arena: &mut Vec<Node>, lo: u64, hi: u64) -> *const Node {
    if lo >= hi {
        return std::ptr::null();
    }
    let mid = lo + (hi - lo) / 2;
    let at = arena.len();
    assert!(at < arena.capacity());
    arena.push(Node { val: mid, left: std::ptr::null(), right: std::ptr::null() });
    let left = build(arena, lo, mid);
    let right = build(arena, mid + 1, hi);
    arena[at].left = left;
    arena[at].right = right;
    &arena[at]
}

fn tree_sum<J: Join>(n: Option<&Node>) -> u64 {
    let Some(n) = n else { return 0 };
    let (l, r) = J::join(
        || tree_sum::<J>(unsafe { n.left.as_ref() }),
        || tree_sum::<J>(unsafe { n.right.as_ref() }),
    );
    n.val + l + r
}

/// Placements still to try in this row are the bits of `avail`; one join per placement.
fn queens<J: Join>(all: u32, cols: u32, d1: u32, d2: u32, avail: u32) -> u64 {
    if cols == all {
        return 1;
    }
    if avail == 0 {
        return 0;
    }
    let bit = avail & avail.wrapping_neg();
    let (x, y) = J::join(
        || {
            let (c, l, r) = (cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
            queens::<J>(all, c, l, r, all & !(c | l | r))
        },
        || queens::<J>(all, cols, d1, d2, avail ^ bit),
    );
    x + y
}

const MAT: usize = 1024;
const LEAF: usize = 64;

#[derive(Clone, Copy)]
struct Mat(*mut f64);
unsafe impl Send for Mat {}
unsafe impl Sync for Mat {}

impl Mat {
    fn quad(self, i: usize, j: usize, h: usize) -> Mat {
        Mat(unsafe { self.0.add(i * h * MAT + j * h) })
    }
    unsafe fn row<'a>(self, i: usize) -> &'a mut [f64] {
        std::slice::from_raw_parts_mut(self.0.add(i * MAT), LEAF)
    }
}

fn leaf_mul(c: Mat, a: Mat, b: Mat) {
    for i in 0..LEAF {
        let (cr, ar) = unsafe { (c.row(i), a.row(i)) };
        for k in 0..LEAF {
            let (x, br) = (ar[k], unsafe { b.row(k) });
            for j in 0..LEAF {
                cr[j] += x * br[j];
            }
        }
    }
}

fn mat_mul<J: Join>(c: Mat, a: Mat, b: Mat, n: usize) {
    if n == LEAF {
        return leaf_mul(c, a, b);
    }
    let h = n / 2;
    for k in 0..2 {
        let part = |i, j| mat_mul::<J>(c.quad(i, j, h), a.quad(i, k, h), b.quad(k, j, h), h);
        J::join(
            || J::join(|| part(0, 0), || part(0, 1)),
            || J::join(|| part(1, 0), || part(1, 1)),
        );
    }
}

fn joins<J: Join>(b: &Bench, peer: &str) {
    b.slow("fib30", peer, || assert_eq!(fib::<J>(black_box(30)), 832040));
    b.slow("fib38", peer, || assert_eq!(fib::<J>(black_box(38)), 39088169));
    for (wl, n) in [("tree_1e3", 1000u64), ("tree_1e5", 100_000), ("tree_1e7", 10_000_000)] {
        if !b.wants(wl, peer) {
            continue;
        }
        let mut arena = Vec::with_capacity(n as usize);
        let root = unsafe { build(&mut arena, 0, n).as_ref() };
        let op = || assert_eq!(tree_sum::<J>(black_box(root)), n * (n - 1) / 2);
        if n > 100_000 {
            b.slow(wl, peer, op)
        } else {
            b.quick(wl, peer, op)
        }
    }
    if b.wants("treecold_1e3", peer) {
        let mut arena = Vec::with_capacity(1000);
        let root = unsafe { build(&mut arena, 0, 1000).as_ref() };
        b.cold("treecold_1e3", peer, || assert_eq!(tree_sum::<J>(black_box(root)), 499500));
    }
    let all = (1 << 12) - 1;
    b.slow("queens12", peer, || assert_eq!(queens::<J>(black_box(all), 0, 0, 0, all), 14200));
    if b.wants("matmul1024", peer) {
        let mut x: Vec<f64> = (0..MAT * MAT).map(|i| (i % 7) as f64).collect();
        let mut y: Vec<f64> = (0..MAT * MAT).map(|i| (i % 5) as f64).collect();
        let (x, y) = (Mat(x.as_mut_ptr()), Mat(y.as_mut_ptr()));
        b.slow_with("matmul1024", peer, || vec![0.0; MAT * MAT], |c| mat_mul::<J>(Mat(c.as_mut_ptr()), x, y, MAT));
    }
}

// ---- loops and sums -----------------------------------------------------------

fn loops(b: &Bench, peer: &str, parallel: bool, enter: &dyn Fn(&mut (dyn FnMut() + Send))) {
    for (name, n) in [("1e3", 1000usize), ("1e4", 10_000), ("1e5", 100_000), ("1e6", 1_000_000), ("1e7", 10_000_000)] {
        let (warm, cold) = (format!("axpy_{name}"), format!("axpycold_{name}"));
        if !b.wants(&warm, peer) && !b.wants(&cold, peer) {
            continue;
        }
        let (x, mut y) = (vec![1.0f64; n], vec![1.0f64; n]);
        let mut op = || {
            if parallel {
                enter(&mut || y.par_iter_mut().zip(x.par_iter()).for_each(|(y, x)| *y += 1e-9 * x));
            } else {
                y.iter_mut().zip(x.iter()).for_each(|(y, x)| *y += 1e-9 * x);
            }
            black_box(&mut y);
        };
        b.quick(&warm, peer, &mut op);
        b.cold(&cold, peer, &mut op);
    }
}

fn sum_leaf(x: &[f64]) -> f64 {
    let mut s = [0.0; 4];
    let chunks = x.chunks_exact(4);
    let rest: f64 = chunks.remainder().iter().sum();
    for c in chunks {
        for k in 0..4 {
            s[k] += c[k];
        }
    }
    s[0] + s[1] + s[2] + s[3] + rest
}

fn sums(b: &Bench, pool: &rayon::ThreadPool) {
    for (wl, n) in [("sum_1e4", 10_000usize), ("sum_1e6", 1_000_000), ("sum_1e8", 100_000_000)] {
        if !b.wants_workload(wl) {
            continue;
        }
        let x = vec![1.0f64; n];
        let go = |peer: &str, op: &(dyn Fn() -> f64 + Sync)| {
            let f = || assert_eq!(black_box(op()), n as f64);
            if n > 1_000_000 {
                b.slow(wl, peer, f)
            } else {
                b.quick(wl, peer, f)
            }
        };
        if b.workers == 1 {
            go("rust-seq", &|| sum_leaf(black_box(&x)));
        }
        go("rayon", &|| pool.install(|| x.par_chunks(4096).map(sum_leaf).sum()));
        go("rayon-iter", &|| pool.install(|| x.par_iter().sum()));
    }
}

// ---- Mandelbrot ----------------------------------------------------------------

const SIDE: usize = 2000;

fn mandel_row(row: usize, out: &mut [u16]) {
    let ci = -0.25 + 1.5 * row as f64 / SIDE as f64;
    for col in 0..SIDE {
        let cr = -2.0 + 2.5 * col as f64 / SIDE as f64;
        let (mut r, mut i, mut k) = (0.0, 0.0, 0);
        while k < 1000 {
            let (r2, i2) = (r * r, i * i);
            if r2 + i2 > 4.0 {
                break;
            }
            i = 2.0 * r * i + ci;
            r = r2 - i2 + cr;
            k += 1;
        }
        out[col] = k;
    }
}

fn mandel(b: &Bench, pool: &rayon::ThreadPool) {
    let mut pix = vec![0u16; SIDE * SIDE];
    if b.workers == 1 {
        b.slow("mandel", "rust-seq", || pix.chunks_mut(SIDE).enumerate().for_each(|(i, r)| mandel_row(i, r)));
    }
    b.slow("mandel", "rayon", || {
        pool.install(|| pix.par_chunks_mut(SIDE).enumerate().for_each(|(i, r)| mandel_row(i, r)))
    });
}

// ---- a skewed loop -------------------------------------------------------------

const SKEW: usize = 100_000;

/// One iteration in a thousand is dear: at a random place of every thousand, or all in the first tenth.
fn dear(front: bool) -> Vec<bool> {
    let mut rng = Rng(42);
    let mut v = vec![false; SKEW];
    if front {
        (0..SKEW / 10).step_by(100).for_each(|i| v[i] = true);
    } else {
        (0..SKEW).step_by(1000).for_each(|i| v[i + (rng.next() % 1000) as usize] = true);
    }
    v
}

fn skew_body(i: usize, dear: bool) -> u64 {
    let mut x = i as u64 + 1;
    for _ in 0..if dear { 10_000 } else { 10 } {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    x
}

fn skew(b: &Bench, pool: &rayon::ThreadPool) {
    let mut out = vec![0u64; SKEW];
    for (wl, front) in [("skew", false), ("skewfront", true)] {
        let dear = dear(front);
        if b.workers == 1 {
            b.slow(wl, "rust-seq", || out.iter_mut().enumerate().for_each(|(i, o)| *o = skew_body(i, dear[i])));
        }
        b.slow(wl, "rayon", || {
            pool.install(|| out.par_iter_mut().enumerate().for_each(|(i, o)| *o = skew_body(i, dear[i])))
        });
    }
}

// ---- sorting -------------------------------------------------------------------

struct Rng(u64); // splitmix64
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
}

#[derive(Clone)]
struct Rec {
    key: i64,
    seq: i64,
    #[allow(dead_code)]
    pad: [i64; 6],
}

fn sorts(b: &Bench, pool: &rayon::ThreadPool) {
    let one = b.workers == 1;
    let mut rng = Rng(42);
    for pattern in ["random", "sorted", "reversed", "fewuniq"] {
        for (name, n) in [("1e5", 100_000i64), ("1e6", 1_000_000), ("1e7", 10_000_000)] {
            let wl = format!("sort_{pattern}_{name}");
            if !b.wants_workload(&wl) {
                continue;
            }
            let data: Vec<i64> = (0..n)
                .map(|i| match pattern {
                    "random" => rng.next() as i64,
                    "sorted" => i,
                    "reversed" => n - i,
                    _ => (rng.next() % 100) as i64,
                })
                .collect();
            if one {
                b.slow_with(&wl, "rust-seq", || data.clone(), |v| v.sort_unstable());
                b.slow_with(&wl, "rust-seq-stable", || data.clone(), |v| v.sort());
            }
            b.slow_with(&wl, "rayon", || data.clone(), |v| pool.install(|| v.par_sort_unstable()));
            b.slow_with(&wl, "rayon-stable", || data.clone(), |v| pool.install(|| v.par_sort()));
        }
    }

    if b.wants_workload("sortrec_1e6") || b.wants_workload("sortrecstable_1e6") {
        let recs = |keys: u64| -> Vec<Rec> {
            let mut rng = Rng(42);
            (0..1_000_000).map(|i| Rec { key: (rng.next() % keys) as i64, seq: i, pad: [0; 6] }).collect()
        };
        let by_key = |a: &Rec, b: &Rec| a.key.cmp(&b.key);
        let data = recs(1 << 62);
        if one {
            b.slow_with("sortrec_1e6", "rust-seq", || data.clone(), |v| v.sort_unstable_by(by_key));
        }
        b.slow_with("sortrec_1e6", "rayon", || data.clone(), |v| pool.install(|| v.par_sort_unstable_by(by_key)));
        let data = recs(1000);
        if one {
            b.slow_with("sortrecstable_1e6", "rust-seq", || data.clone(), |v| v.sort_by(by_key));
        }
        b.slow_with("sortrecstable_1e6", "rayon", || data.clone(), |v| {
            pool.install(|| v.par_sort_by(by_key));
            debug_assert!(v.windows(2).all(|w| (w[0].key, w[0].seq) < (w[1].key, w[1].seq)));
        });
    }

    if b.wants_workload("sortbykey_1e6") {
        let mut rng = Rng(42);
        let data: Vec<Rec> =
            (0..1_000_000).map(|i| Rec { key: (rng.next() % 1000) as i64, seq: i, pad: [0; 6] }).collect();
        if one {
            b.slow_with("sortbykey_1e6", "rust-seq", || data.clone(), |v| v.sort_by_cached_key(|r| r.key));
        }
        b.slow_with("sortbykey_1e6", "rayon", || data.clone(), |v| pool.install(|| v.par_sort_by_cached_key(|r| r.key)));
    }

    if b.wants_workload("sortstr_1e6") {
        let letters: String = (0..16_000_000).map(|_| (b'a' + (rng.next() % 26) as u8) as char).collect();
        let data: Vec<&str> = (0..1_000_000).map(|i| &letters[16 * i..16 * i + 16]).collect();
        if one {
            b.slow_with("sortstr_1e6", "rust-seq", || data.clone(), |v| v.sort_unstable());
        }
        b.slow_with("sortstr_1e6", "rayon", || data.clone(), |v| pool.install(|| v.par_sort_unstable()));
    }
}

fn cpu_ms() -> f64 {
    // Fields 14 and 15 of the stat line are user and system time in ticks of 10 ms.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) * 10.0
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let list = |i: usize| args.get(i).map_or("", |s| s.as_str()).split('|').map(String::from).collect();
    let b = Bench {
        workers: args.get(1).map_or(1, |s| s.parse().unwrap()),
        workloads: list(2),
        peers: list(3),
        name: std::env::var("RAYON_NAME").unwrap_or("rayon".into()),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(b.workers).build().unwrap();

    if b.workers == 1 {
        joins::<Seq>(&b, "rust-seq");
        loops(&b, "rust-seq", false, &|_| ());
    }
    // Deep joins start in the pool; the small trees are measured from both sides.
    pool.install(|| joins::<Rayon>(&b, "rayon-in"));
    for (wl, n) in [("tree_1e3", 1000u64), ("tree_1e5", 100_000)] {
        let mut arena = Vec::with_capacity(n as usize);
        let root = unsafe { build(&mut arena, 0, n).as_ref() };
        let op = || assert_eq!(pool.install(|| tree_sum::<Rayon>(black_box(root))), n * (n - 1) / 2);
        b.quick(wl, "rayon", op);
        if n == 1000 {
            b.cold("treecold_1e3", "rayon", op);
        }
    }
    loops(&b, "rayon", true, &|f| pool.install(f));
    pool.install(|| loops(&b, "rayon-in", true, &|f| f()));
    sums(&b, &pool);
    mandel(&b, &pool);
    skew(&b, &pool);
    sorts(&b, &pool);
    b.quick("inject", "rayon", || pool.install(|| ()));
    b.cold("injectcold", "rayon", || pool.install(|| ()));
    if b.wants("idle_5s", "rayon") {
        let mut y = vec![1.0; 100_000];
        (0..100).for_each(|_| pool.install(|| y.par_iter_mut().for_each(|y| *y += 1.0)));
        let c = cpu_ms();
        std::thread::sleep(Duration::from_secs(5));
        b.print("idle_5s", "rayon", "cpu", cpu_ms() - c, "ms");
    }
}
