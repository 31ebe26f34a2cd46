// C++ peers: plain sequential code, oneTBB, OpenMP and the libstdc++ parallel mode.
// Prints `workload peer workers metric value unit`; see ../README.md for the workloads.
//
//   peers WORKERS [WORKLOAD-REGEX [PEER-REGEX]]
#include <linux/futex.h>
#include <parallel/algorithm>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <omp.h>
#define TBB_PREVIEW_GLOBAL_CONTROL 1
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <regex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#ifdef __clang__
static const std::string OMP = "omp-clang";
#else
static const std::string OMP = "omp-gcc";
#endif

static int workers = 1;
static std::regex workload_filter, peer_filter;

// ---- measuring -----------------------------------------------------------

static double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void print(const std::string &wl, const std::string &peer, const char *metric, double v, const char *unit) {
  printf("%s %s %d %s %.2f %s\n", wl.c_str(), peer.c_str(), workers, metric, v, unit);
  fflush(stdout);
}

static void print_all(const std::string &wl, const std::string &peer, std::vector<double> v) {
  std::sort(v.begin(), v.end());
  print(wl, peer, "med", v[v.size() / 2], "ns");
  print(wl, peer, "min", v[0], "ns");
  print(wl, peer, "p99", v[v.size() * 99 / 100], "ns");
  print(wl, peer, "max", v.back(), "ns");
}

static bool wanted(const std::string &wl, const std::string &peer) {
  return std::regex_search(wl, workload_filter) && std::regex_search(peer, peer_filter);
}

static void nothing() {}

// Long operations: five timed runs (three when one takes over 2 s); `reset` runs untimed before each.
static void slow(const std::string &wl, const std::string &peer, std::function<void()> op,
                 std::function<void()> reset = nothing) {
  if (!wanted(wl, peer)) return;
  std::vector<double> v;
  for (int r = 0, reps = 5; r < reps; r++) {
    reset();
    double t = now();
    op();
    v.push_back(now() - t);
    if (v[0] > 2e9) reps = 3;
  }
  print_all(wl, peer, v);
}

// Short operations back to back: every call timed, for 0.3 s.
static void quick(const std::string &wl, const std::string &peer, std::function<void()> op) {
  if (!wanted(wl, peer)) return;
  std::vector<double> v;
  for (double end = now() + 0.05e9; now() < end;) op();
  for (double end = now() + 0.3e9; v.size() < 10 || (now() < end && v.size() < 100000);) {
    double t = now();
    op();
    v.push_back(now() - t);
  }
  print_all(wl, peer, v);
}

// Short operations after 5 ms without work, when the workers have gone to sleep.
static void cold(const std::string &wl, const std::string &peer, std::function<void()> op) {
  if (!wanted(wl, peer)) return;
  std::vector<double> v;
  op();
  for (int i = 0; i < 60; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    double t = now();
    op();
    v.push_back(now() - t);
  }
  print_all(wl, peer, v);
}

static double cpu_seconds() {
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void idle(const std::string &peer, std::function<void()> use) {
  if (!wanted("idle_5s", peer)) return;
  use();
  double c = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(5));
  print("idle_5s", peer, "cpu", (cpu_seconds() - c) * 1e3, "ms");
}

static void check(bool ok, const char *what) {
  if (!ok) { fprintf(stderr, "wrong result: %s\n", what); exit(1); }
}

static volatile double sink;

struct Size { const char *name; long n; };

// ---- joins: a(), b() possibly in parallel ------------------------------------

struct Seq {
  template <class A, class B> static void join(A a, B b) { a(); b(); }
  template <class F> static void root(F f) { f(); }
};

struct Tbb {
  template <class A, class B> static void join(A a, B b) {
    tbb::task_group g;
    g.run(b);
    a();
    g.wait();
  }
  template <class F> static void root(F f) { f(); }
};

struct TbbInvoke {
  template <class A, class B> static void join(A a, B b) { tbb::parallel_invoke(a, b); }
  template <class F> static void root(F f) { f(); }
};

struct Omp {
  template <class A, class B> static void join(A a, B b) {
#pragma omp task default(shared)
    b();
    a();
#pragma omp taskwait
  }
  template <class F> static void root(F f) {
#pragma omp parallel
#pragma omp single
    f();
  }
};

template <class J> static long fib(int n) {
  if (n < 2) return n;
  long x, y;
  J::join([&] { x = fib<J>(n - 1); }, [&] { y = fib<J>(n - 2); });
  return x + y;
}

struct Node { long val; Node *left, *right; };

static Node *build(std::vector<Node> &arena, long lo, long hi) {
  if (lo >= hi) return nullptr;
  long mid = lo + (hi - lo) / 2;
  arena.push_back({mid, nullptr, nullptr});
  Node *n = &arena.back();
  n->left = build(arena, lo, mid);
  n->right = build(arena, mid + 1, hi);
  return n;
}

template <class J> static long tree_sum(const Node *n) {
  if (!n) return 0;
  long l, r;
  J::join([&] { l = tree_sum<J>(n->left); }, [&] { r = tree_sum<J>(n->right); });
  return n->val + l + r;
}

// Placements still to try in this row are the bits of avail; one join per placement.
template <class J> static long queens(unsigned all, unsigned cols, unsigned d1, unsigned d2, unsigned avail) {
  if (cols == all) return 1;
  if (!avail) return 0;
  unsigned bit = avail & -avail;
  long x, y;
  J::join(
      [&] {
        unsigned c = cols | bit, l = (d1 | bit) << 1, r = (d2 | bit) >> 1;
        x = queens<J>(all, c, l, r, all & ~(c | l | r));
      },
      [&] { y = queens<J>(all, cols, d1, d2, avail ^ bit); });
  return x + y;
}

// ---- matrix multiply: quadrants down to 64 x 64 --------------------------------

constexpr int MAT = 1024, LEAF = 64;

static void leaf_mul(double *c, const double *a, const double *b) {
  for (int i = 0; i < LEAF; i++)
    for (int k = 0; k < LEAF; k++) {
      double x = a[i * MAT + k];
      for (int j = 0; j < LEAF; j++) c[i * MAT + j] += x * b[k * MAT + j];
    }
}

template <class J> static void mat_mul(double *c, const double *a, const double *b, int n) {
  if (n == LEAF) return leaf_mul(c, a, b);
  int h = n / 2;
  auto quad = [h](auto *m, int i, int j) { return m + (long)i * h * MAT + j * h; };
  for (int k = 0; k < 2; k++) {
    auto part = [&](int i, int j) { mat_mul<J>(quad(c, i, j), quad(a, i, k), quad(b, k, j), h); };
    J::join([&] { J::join([&] { part(0, 0); }, [&] { part(0, 1); }); },
            [&] { J::join([&] { part(1, 0); }, [&] { part(1, 1); }); });
  }
}

template <class J> static void joins(const std::string &peer, bool fast, bool only_fib = false) {
  auto run_fib = [&](const char *wl, int n, long want) {
    slow(wl, peer, [=] { J::root([=] { check(fib<J>(n) == want, "fib"); }); });
  };
  run_fib("fib30", 30, 832040);
  if (fast) run_fib("fib38", 38, 39088169);
  if (only_fib) return;

  for (Size z : {Size{"tree_1e3", 1000}, {"tree_1e5", 100000}, {"tree_1e7", 10000000}}) {
    const char *wl = z.name;
    long n = z.n;
    if (!wanted(wl, peer) && !(z.n == 1000 && wanted("treecold_1e3", peer))) continue;
    std::vector<Node> arena;
    arena.reserve(n);
    const Node *t = build(arena, 0, n);
    auto op = [=] { J::root([=] { check(tree_sum<J>(t) == n * (n - 1) / 2, "tree"); }); };
    if (n > 100000) slow(wl, peer, op); else quick(wl, peer, op);
    if (n == 1000) cold("treecold_1e3", peer, op);
  }

  unsigned all = (1u << 12) - 1;
  slow("queens12", peer, [=] { J::root([=] { check(queens<J>(all, 0, 0, 0, all) == 14200, "queens"); }); });

  if (wanted("matmul1024", peer)) {
    std::vector<double> a(MAT * MAT), b(MAT * MAT), c(MAT * MAT);
    for (int i = 0; i < MAT * MAT; i++) a[i] = i % 7, b[i] = i % 5;
    slow("matmul1024", peer, [&] { J::root([&] { mat_mul<J>(c.data(), a.data(), b.data(), MAT); }); },
         [&] { std::fill(c.begin(), c.end(), 0); });
  }
}

// ---- loops and sums ---------------------------------------------------------

static void axpy_leaf(double a, const double *x, double *y, long lo, long hi) {
  for (long i = lo; i < hi; i++) y[i] += a * x[i];
}

static double sum_leaf(const double *x, long lo, long hi) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  long i = lo;
  for (; i + 4 <= hi; i += 4) s0 += x[i], s1 += x[i + 1], s2 += x[i + 2], s3 += x[i + 3];
  for (; i < hi; i++) s0 += x[i];
  return s0 + s1 + s2 + s3;
}

using Range = tbb::blocked_range<long>;

static void loops() {
  std::vector<double> xv(10000000, 1), yv(10000000, 1);
  double *x = xv.data(), *y = yv.data();
  for (Size z : {Size{"1e3", 1000}, {"1e4", 10000}, {"1e5", 100000}, {"1e6", 1000000}, {"1e7", 10000000}}) {
    long len = z.n;
    auto both = [&](const std::string &peer, std::function<void()> op) {
      quick(std::string("axpy_") + z.name, peer, op);
      cold(std::string("axpycold_") + z.name, peer, op);
    };
    auto body = [=](const Range &r) { axpy_leaf(1e-9, x, y, r.begin(), r.end()); };
    if (workers == 1) both("c++-seq", [=] { axpy_leaf(1e-9, x, y, 0, len); });
    both("tbb", [=] { tbb::parallel_for(Range(0, len), body); });
    both("tbb-static", [=] { tbb::parallel_for(Range(0, len), body, tbb::static_partitioner()); });
    both(OMP, [=] {
#pragma omp parallel for schedule(static)
      for (long i = 0; i < len; i++) y[i] += 1e-9 * x[i];
    });
  }
}

static void sums() {
  for (Size z : {Size{"sum_1e4", 10000}, {"sum_1e6", 1000000}, {"sum_1e8", 100000000}}) {
    const char *wl = z.name;
    long len = z.n;
    if (!std::regex_search(wl, workload_filter)) continue;
    std::vector<double> xv(len, 1);
    const double *x = xv.data();
    auto go = [&](const std::string &peer, std::function<double()> op) {
      if (!wanted(wl, peer)) return;
      check(op() == (double)len, "sum");
      auto f = [=] { sink = op(); };
      if (len > 1000000) slow(wl, peer, f); else quick(wl, peer, f);
    };
    if (workers == 1) go("c++-seq", [=] { return sum_leaf(x, 0, len); });
    go("tbb", [=] {
      return tbb::parallel_reduce(Range(0, len, 4096), 0.0,
          [=](const Range &r, double s) { return s + sum_leaf(x, r.begin(), r.end()); }, std::plus<double>());
    });
    go(OMP, [=] {
      double s = 0;
#pragma omp parallel reduction(+ : s)
      {
        long p = omp_get_num_threads(), k = omp_get_thread_num();
        s += sum_leaf(x, len * k / p, len * (k + 1) / p);
      }
      return s;
    });
  }
}

// ---- Mandelbrot: 2000 rows, the set in the upper half, so rows are uneven ---------

constexpr int SIDE = 2000, LIMIT = 1000;

static void mandel_row(int row, unsigned short *out) {
  double ci = -0.25 + 1.5 * row / SIDE;
  for (int col = 0; col < SIDE; col++) {
    double cr = -2.0 + 2.5 * col / SIDE, r = 0, i = 0;
    int k = 0;
    for (; k < LIMIT; k++) {
      double r2 = r * r, i2 = i * i;
      if (r2 + i2 > 4) break;
      i = 2 * r * i + ci;
      r = r2 - i2 + cr;
    }
    out[col] = k;
  }
}

static void mandel() {
  std::vector<unsigned short> pix((long)SIDE * SIDE);
  auto row = [&](int i) { mandel_row(i, &pix[(long)i * SIDE]); };
  auto body = [&](const Range &r) { for (long i = r.begin(); i < r.end(); i++) row(i); };
  if (workers == 1) slow("mandel", "c++-seq", [&] { for (int i = 0; i < SIDE; i++) row(i); });
  slow("mandel", "tbb", [&] { tbb::parallel_for(Range(0, SIDE), body); });
  slow("mandel", "tbb-static", [&] { tbb::parallel_for(Range(0, SIDE), body, tbb::static_partitioner()); });
  slow("mandel", OMP + "-static", [&] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < SIDE; i++) row(i);
  });
  slow("mandel", OMP + "-dynamic", [&] {
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < SIDE; i++) row(i);
  });
}

// ---- sorting ------------------------------------------------------------------

struct Rng { // splitmix64
  uint64_t s = 42;
  uint64_t next() {
    uint64_t z = (s += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

struct Rec { int64_t key, seq, pad[6]; };

template <class T, class F>
static void sort_one(const std::string &wl, const std::string &peer, const std::vector<T> &data, F sort) {
  if (!wanted(wl, peer)) return;
  std::vector<T> work;
  slow(wl, peer, [&] { sort(work.begin(), work.end()); }, [&] { work = data; });
}

// ---- a skewed loop: one iteration in a thousand is dear -----------------------------

constexpr int SKEW = 100000;

static uint64_t skew_body(uint64_t i, bool dear) {
  uint64_t x = i + 1;
  for (int k = dear ? 10000 : 10; k > 0; k--) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x;
}

static void skew() {
  std::vector<uint64_t> out(SKEW);
  for (std::string wl : {"skew", "skewfront"}) {
    std::vector<char> dear(SKEW); // at a random place of every thousand, or all in the first tenth
    Rng rng;
    if (wl == "skew") for (int i = 0; i < SKEW; i += 1000) dear[i + rng.next() % 1000] = 1;
    else for (int i = 0; i < SKEW / 10; i += 100) dear[i] = 1;
    auto one = [&](long i) { out[i] = skew_body(i, dear[i]); };
    auto body = [&](const Range &r) { for (long i = r.begin(); i < r.end(); i++) one(i); };
    if (workers == 1) slow(wl, "c++-seq", [&] { for (int i = 0; i < SKEW; i++) one(i); });
    slow(wl, "tbb", [&] { tbb::parallel_for(Range(0, SKEW), body); });
    slow(wl, OMP + "-static", [&] {
#pragma omp parallel for schedule(static)
      for (int i = 0; i < SKEW; i++) one(i);
    });
    slow(wl, OMP + "-dynamic", [&] {
#pragma omp parallel for schedule(dynamic, 1)
      for (int i = 0; i < SKEW; i++) one(i);
    });
  }
}

static std::vector<int64_t> ints(const std::string &pattern, long n) {
  Rng rng;
  std::vector<int64_t> v(n);
  for (long i = 0; i < n; i++)
    v[i] = pattern == "random" ? (int64_t)rng.next() : pattern == "sorted" ? i : pattern == "reversed" ? n - i : (int64_t)(rng.next() % 100);
  return v;
}

static void sorts() {
  bool one = workers == 1;
  for (std::string pattern : {"random", "sorted", "reversed", "fewuniq"})
    for (Size z : {Size{"1e5", 100000}, {"1e6", 1000000}, {"1e7", 10000000}}) {
      std::string wl = "sort_" + pattern + "_" + z.name;
      if (!std::regex_search(wl, workload_filter)) continue;
      auto data = ints(pattern, z.n);
      if (one) sort_one(wl, "c++-seq", data, [](auto b, auto e) { std::sort(b, e); });
      if (one) sort_one(wl, "c++-seq-stable", data, [](auto b, auto e) { std::stable_sort(b, e); });
      sort_one(wl, "tbb", data, [](auto b, auto e) { tbb::parallel_sort(b, e); });
      sort_one(wl, OMP + "-gnupar", data, [](auto b, auto e) { __gnu_parallel::sort(b, e); });
    }

  if (!std::regex_search("sortrec_1e6 sortrecstable_1e6 sortstr_1e6", workload_filter)) return;
  Rng rng;
  std::vector<Rec> recs(1000000), few(1000000);
  for (size_t i = 0; i < recs.size(); i++) {
    recs[i] = {(int64_t)rng.next(), (int64_t)i, {}};
    few[i] = {(int64_t)(rng.next() % 1000), (int64_t)i, {}};
  }
  auto less = [](const Rec &a, const Rec &b) { return a.key < b.key; };
  if (one) sort_one("sortrec_1e6", "c++-seq", recs, [=](auto b, auto e) { std::sort(b, e, less); });
  sort_one("sortrec_1e6", "tbb", recs, [=](auto b, auto e) { tbb::parallel_sort(b, e, less); });
  sort_one("sortrec_1e6", OMP + "-gnupar", recs, [=](auto b, auto e) { __gnu_parallel::sort(b, e, less); });
  if (one) sort_one("sortrecstable_1e6", "c++-seq", few, [=](auto b, auto e) { std::stable_sort(b, e, less); });
  sort_one("sortrecstable_1e6", OMP + "-gnupar", few, [=](auto b, auto e) { __gnu_parallel::stable_sort(b, e, less); });

  std::vector<char> letters(16 * 1000000);
  std::vector<std::string_view> strs;
  for (auto &c : letters) c = 'a' + rng.next() % 26;
  for (int i = 0; i < 1000000; i++) strs.emplace_back(&letters[16 * i], 16);
  if (one) sort_one("sortstr_1e6", "c++-seq", strs, [](auto b, auto e) { std::sort(b, e); });
  sort_one("sortstr_1e6", "tbb", strs, [](auto b, auto e) { tbb::parallel_sort(b, e); });
  sort_one("sortstr_1e6", OMP + "-gnupar", strs, [](auto b, auto e) { __gnu_parallel::sort(b, e); });
}

// ---- an empty job from outside, and the cost of doing nothing -----------------------

static void outside() {
  auto both = [](const std::string &peer, std::function<void()> op) {
    quick("inject", peer, op);
    cold("injectcold", peer, op);
  };
  tbb::task_arena arena(workers, 0); // no slot kept for the caller: it only waits
  std::atomic<int> done{0};
  both("tbb", [&] {
    done = 0;
    arena.enqueue([&] { done = 1; done.notify_one(); });
    done.wait(0);
  });
  both("tbb-group", [&] { tbb::task_group g; g.run([] {}); g.wait(); });
  both(OMP, [&] {
#pragma omp parallel
    { __asm__ volatile(""); }
  });
}

static void idles() {
  std::vector<double> v(100000, 1);
  idle("tbb", [&] { for (int i = 0; i < 100; i++) tbb::parallel_for(Range(0, 100000), [&](const Range &r) { axpy_leaf(1, v.data(), v.data(), r.begin(), r.end()); }); });
  idle(OMP, [&] {
    for (int k = 0; k < 100; k++) {
#pragma omp parallel for
      for (int i = 0; i < 100000; i++) v[i] += 1;
    }
  });
}

int main(int argc, char **argv) {
  workers = argc > 1 ? atoi(argv[1]) : 1;
  workload_filter = argc > 2 ? argv[2] : ".";
  peer_filter = argc > 3 ? argv[3] : ".";
  omp_set_num_threads(workers);
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);

  if (workers == 1) joins<Seq>("c++-seq", true);
  joins<Tbb>("tbb", true);
  joins<TbbInvoke>("tbb-invoke", false, true);
  joins<Omp>(OMP, false);
  loops();
  sums();
  mandel();
  skew();
  sorts();
  outside();
  idles();
}
