// Java peers: plain sequential code, ForkJoinPool, parallel streams and Arrays.parallelSort.
// Prints `workload peer workers metric value unit`; see ../README.md for the workloads.
//
//   java -Djava.util.concurrent.ForkJoinPool.common.parallelism=WORKERS Peers.java WORKERS [WORKLOAD-REGEX [PEER-REGEX]]
//
// `java` calls from a thread outside the pool; `java-in` runs the measuring loop inside it.
// Arrays.parallelSort looks at the parallelism of the common pool, whatever pool it runs in.
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.regex.Pattern;
import java.util.stream.*;

public class Peers {
    static int workers;
    static Pattern workloadFilter, peerFilter;
    static ForkJoinPool pool;

    // ---- measuring -------------------------------------------------------------

    static boolean wants(String wl, String peer) {
        return workloadFilter.matcher(wl).find() && peerFilter.matcher(peer).find();
    }

    static void print(String wl, String peer, String metric, double v, String unit) {
        System.out.printf("%s %s %d %s %.2f %s%n", wl, peer, workers, metric, v, unit);
    }

    static void printAll(String wl, String peer, double[] v) {
        Arrays.sort(v);
        print(wl, peer, "med", v[v.length / 2], "ns");
        print(wl, peer, "min", v[0], "ns");
        print(wl, peer, "p99", v[v.length * 99 / 100], "ns");
        print(wl, peer, "max", v[v.length - 1], "ns");
    }

    /** Long operations: untimed runs for the compiler (two at least, and 1.5 s), then five timed ones; one and three over 2 s. */
    static void slow(String wl, String peer, Runnable reset, Runnable op) {
        if (!wants(wl, peer)) return;
        double warm = 0, last = 0;
        for (int r = 0; r < 2 && last < 2e9 || warm < 1.5e9; r++) {
            last = timed(reset, op);
            warm += last;
        }
        double[] v = new double[last > 2e9 ? 3 : 5];
        for (int r = 0; r < v.length; r++) v[r] = timed(reset, op);
        printAll(wl, peer, v);
    }

    static double timed(Runnable reset, Runnable op) {
        reset.run();
        long t = System.nanoTime();
        op.run();
        return System.nanoTime() - t;
    }

    static void slow(String wl, String peer, Runnable op) { slow(wl, peer, () -> {}, op); }

    /** Short operations back to back: every call timed, for 0.3 s, after 0.5 s for the compiler. */
    static void quick(String wl, String peer, Runnable op) {
        if (!wants(wl, peer)) return;
        for (long end = System.nanoTime() + 500_000_000L; System.nanoTime() < end; ) op.run();
        double[] v = new double[100_000];
        int n = 0;
        for (long end = System.nanoTime() + 300_000_000L; n < 10 || System.nanoTime() < end && n < v.length; n++) {
            long t = System.nanoTime();
            op.run();
            v[n] = System.nanoTime() - t;
        }
        printAll(wl, peer, Arrays.copyOf(v, n));
    }

    /** Short operations after 5 ms without work, when the workers have gone to sleep. */
    static void cold(String wl, String peer, Runnable op) {
        if (!wants(wl, peer)) return;
        for (long end = System.nanoTime() + 100_000_000L; System.nanoTime() < end; ) op.run();
        double[] v = new double[60];
        for (int i = 0; i < v.length; i++) {
            sleep(5);
            long t = System.nanoTime();
            op.run();
            v[i] = System.nanoTime() - t;
        }
        printAll(wl, peer, v);
    }

    static void sleep(int ms) {
        try { Thread.sleep(ms); } catch (InterruptedException e) { throw new Error(e); }
    }

    static void check(boolean ok, String what) { if (!ok) throw new Error("wrong result: " + what); }

    // ---- joins -----------------------------------------------------------------

    static long fibSeq(int n) { return n < 2 ? n : fibSeq(n - 1) + fibSeq(n - 2); }

    static final class Fib extends RecursiveTask<Long> {
        final int n;
        long result; // read after join: no boxing
        Fib(int n) { this.n = n; }
        protected Long compute() { run(); return null; }
        void run() {
            if (n < 2) { result = n; return; }
            Fib b = new Fib(n - 2), a = new Fib(n - 1);
            b.fork();
            a.run();
            b.join();
            result = a.result + b.result;
        }
    }

    static final class Node {
        final long val;
        final Node left, right;
        Node(long lo, long hi) {
            val = lo + (hi - lo) / 2;
            left = lo < val ? new Node(lo, val) : null;
            right = val + 1 < hi ? new Node(val + 1, hi) : null;
        }
    }

    static long treeSeq(Node n) { return n == null ? 0 : n.val + treeSeq(n.left) + treeSeq(n.right); }

    static final class Tree extends RecursiveAction {
        final Node n;
        long result;
        Tree(Node n) { this.n = n; }
        protected void compute() {
            if (n == null) return;
            Tree b = new Tree(n.right), a = new Tree(n.left);
            b.fork();
            a.compute();
            b.join();
            result = n.val + a.result + b.result;
        }
    }

    static int queenSeq(int all, int cols, int d1, int d2, int avail) {
        if (cols == all) return 1;
        if (avail == 0) return 0;
        int bit = avail & -avail, c = cols | bit, l = (d1 | bit) << 1, r = (d2 | bit) >>> 1;
        return queenSeq(all, c, l, r, all & ~(c | l | r)) + queenSeq(all, cols, d1, d2, avail ^ bit);
    }

    static final class Queens extends RecursiveAction {
        final int all, cols, d1, d2, avail;
        int result;
        Queens(int all, int cols, int d1, int d2, int avail) {
            this.all = all; this.cols = cols; this.d1 = d1; this.d2 = d2; this.avail = avail;
        }
        protected void compute() {
            if (cols == all) { result = 1; return; }
            if (avail == 0) return;
            int bit = avail & -avail, c = cols | bit, l = (d1 | bit) << 1, r = (d2 | bit) >>> 1;
            Queens b = new Queens(all, cols, d1, d2, avail ^ bit), a = new Queens(all, c, l, r, all & ~(c | l | r));
            b.fork();
            a.compute();
            b.join();
            result = a.result + b.result;
        }
    }

    static final int MAT = 1024, LEAF = 64;

    static void leafMul(double[] c, int ci, double[] a, int ai, double[] b, int bi) {
        for (int i = 0; i < LEAF; i++)
            for (int k = 0; k < LEAF; k++) {
                double x = a[ai + i * MAT + k];
                int cr = ci + i * MAT, br = bi + k * MAT;
                for (int j = 0; j < LEAF; j++) c[cr + j] += x * b[br + j];
            }
    }

    static final class Mul extends RecursiveAction {
        final double[] c, a, b;
        final int ci, ai, bi, n;
        final boolean fork;
        Mul(double[] c, int ci, double[] a, int ai, double[] b, int bi, int n, boolean fork) {
            this.c = c; this.ci = ci; this.a = a; this.ai = ai; this.b = b; this.bi = bi; this.n = n; this.fork = fork;
        }
        Mul part(int i, int j, int k) {
            int h = n / 2, row = h * MAT;
            return new Mul(c, ci + i * row + j * h, a, ai + i * row + k * h, b, bi + k * row + j * h, h, fork);
        }
        protected void compute() {
            if (n == LEAF) { leafMul(c, ci, a, ai, b, bi); return; }
            for (int k = 0; k < 2; k++) {
                Mul p = part(0, 0, k), q = part(0, 1, k), r = part(1, 0, k), s = part(1, 1, k);
                if (fork) invokeAll(p, q, r, s);
                else { p.compute(); q.compute(); r.compute(); s.compute(); }
            }
        }
    }

    static void joins() {
        if (workers == 1) {
            slow("fib30", "java-seq", () -> check(fibSeq(30) == 832040, "fib"));
            slow("fib38", "java-seq", () -> check(fibSeq(38) == 39088169, "fib"));
            slow("queens12", "java-seq", () -> check(queenSeq(4095, 0, 0, 0, 4095) == 14200, "queens"));
        }
        for (int n : new int[] {30, 38})
            slow("fib" + n, "java-in", () -> {
                Fib f = new Fib(n);
                pool.invoke(f);
                check(f.result == (n == 30 ? 832040 : 39088169), "fib");
            });
        slow("queens12", "java-in", () -> {
            Queens q = new Queens(4095, 0, 0, 0, 4095);
            pool.invoke(q);
            check(q.result == 14200, "queens");
        });
        String[] names = {"tree_1e3", "tree_1e5", "tree_1e7"};
        long[] sizes = {1000, 100_000, 10_000_000};
        for (int i = 0; i < 3; i++) {
            String wl = names[i];
            boolean wanted = workloadFilter.matcher(wl).find();
            if (!wanted && !(i == 0 && workloadFilter.matcher("treecold_1e3").find())) continue;
            long n = sizes[i];
            Node root = new Node(0, n);
            System.gc();
            Runnable seq = () -> check(treeSeq(root) == n * (n - 1) / 2, "tree");
            Runnable outside = () -> {
                Tree t = new Tree(root);
                pool.invoke(t);
                check(t.result == n * (n - 1) / 2, "tree");
            };
            Runnable inside = () -> {
                Tree t = new Tree(root);
                t.invoke();
                check(t.result == n * (n - 1) / 2, "tree");
            };
            if (n > 100_000) {
                if (workers == 1) slow(wl, "java-seq", seq);
                slow(wl, "java-in", outside);
            } else {
                if (workers == 1) quick(wl, "java-seq", seq);
                quick(wl, "java", outside);
                in(() -> quick(wl, "java-in", inside));
                if (n == 1000) {
                    if (workers == 1) cold("treecold_1e3", "java-seq", seq);
                    cold("treecold_1e3", "java", outside);
                    in(() -> cold("treecold_1e3", "java-in", inside));
                }
            }
        }
        double[] a = new double[MAT * MAT], b = new double[MAT * MAT], c = new double[MAT * MAT];
        for (int i = 0; i < a.length; i++) { a[i] = i % 7; b[i] = i % 5; }
        if (workers == 1) slow("matmul1024", "java-seq", () -> Arrays.fill(c, 0), () -> new Mul(c, 0, a, 0, b, 0, MAT, false).compute());
        slow("matmul1024", "java-in", () -> Arrays.fill(c, 0), () -> pool.invoke(new Mul(c, 0, a, 0, b, 0, MAT, true)));
    }

    /** Runs f on a worker and waits. */
    static void in(Runnable f) {
        try { pool.submit(f).get(); } catch (Exception e) { throw new Error(e); }
    }

    // ---- loops and sums ----------------------------------------------------------

    static void axpySeq(double[] x, double[] y) { for (int i = 0; i < y.length; i++) y[i] += 1e-9 * x[i]; }

    static double sumLeaf(double[] x, int lo, int hi) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        int i = lo;
        for (; i + 4 <= hi; i += 4) { s0 += x[i]; s1 += x[i + 1]; s2 += x[i + 2]; s3 += x[i + 3]; }
        for (; i < hi; i++) s0 += x[i];
        return s0 + s1 + s2 + s3;
    }

    static void loops() {
        String[] names = {"1e3", "1e4", "1e5", "1e6", "1e7"};
        for (int k = 0, n = 1000; k < names.length; k++, n *= 10) {
            String warm = "axpy_" + names[k], cold = "axpycold_" + names[k];
            if (!workloadFilter.matcher(warm).find() && !workloadFilter.matcher(cold).find()) continue;
            double[] x = new double[n], y = new double[n];
            Arrays.fill(x, 1);
            int len = n;
            Runnable stream = () -> IntStream.range(0, len).parallel().forEach(i -> y[i] += 1e-9 * x[i]);
            if (workers == 1) {
                quick(warm, "java-seq", () -> axpySeq(x, y));
                cold(cold, "java-seq", () -> axpySeq(x, y));
            }
            quick(warm, "java", () -> in(stream));
            cold(cold, "java", () -> in(stream));
            in(() -> { quick(warm, "java-in", stream); cold(cold, "java-in", stream); });
        }
    }

    static void sums() {
        String[] names = {"sum_1e4", "sum_1e6", "sum_1e8"};
        int[] sizes = {10_000, 1_000_000, 100_000_000};
        for (int k = 0; k < 3; k++) {
            String wl = names[k];
            if (!workloadFilter.matcher(wl).find()) continue;
            int n = sizes[k], grain = 4096;
            double[] x = new double[n];
            Arrays.fill(x, 1);
            DoubleSupplier seq = () -> sumLeaf(x, 0, n);
            DoubleSupplier par = () -> IntStream.range(0, (n + grain - 1) / grain).parallel()
                .mapToDouble(i -> sumLeaf(x, i * grain, Math.min(n, (i + 1) * grain))).sum();
            BiConsumer<String, DoubleSupplier> go = (peer, f) -> {
                Runnable op = () -> check(f.getAsDouble() == n, "sum");
                if (n > 1_000_000) slow(wl, peer, op); else quick(wl, peer, op);
            };
            if (workers == 1) go.accept("java-seq", seq);
            in(() -> go.accept("java-in", par));
        }
    }

    // ---- Mandelbrot ---------------------------------------------------------------

    static final int SIDE = 2000;

    static void mandelRow(int row, short[] out) {
        double ci = -0.25 + 1.5 * row / SIDE;
        for (int col = 0; col < SIDE; col++) {
            double cr = -2.0 + 2.5 * col / SIDE, r = 0, i = 0;
            int k = 0;
            for (; k < 1000; k++) {
                double r2 = r * r, i2 = i * i;
                if (r2 + i2 > 4) break;
                i = 2 * r * i + ci;
                r = r2 - i2 + cr;
            }
            out[row * SIDE + col] = (short) k;
        }
    }

    static void mandel() {
        short[] pix = new short[SIDE * SIDE];
        if (workers == 1) slow("mandel", "java-seq", () -> { for (int i = 0; i < SIDE; i++) mandelRow(i, pix); });
        in(() -> slow("mandel", "java-in", () -> IntStream.range(0, SIDE).parallel().forEach(i -> mandelRow(i, pix))));
    }

    // ---- a skewed loop: one iteration in a thousand is dear ---------------------------

    static final int SKEW = 100_000;

    static long skewBody(long i, boolean dear) {
        long x = i + 1;
        for (int k = dear ? 10_000 : 10; k > 0; k--) { x ^= x << 13; x ^= x >>> 7; x ^= x << 17; }
        return x;
    }

    static void skew() {
        long[] out = new long[SKEW];
        for (String wl : new String[] {"skew", "skewfront"}) {
            boolean[] dear = new boolean[SKEW]; // at a random place of every thousand, or all in the first tenth
            Rng rng = new Rng();
            if (wl.equals("skew")) for (int i = 0; i < SKEW; i += 1000) dear[i + (int) Long.remainderUnsigned(rng.next(), 1000)] = true;
            else for (int i = 0; i < SKEW / 10; i += 100) dear[i] = true;
            IntConsumer one = i -> out[i] = skewBody(i, dear[i]);
            if (workers == 1) slow(wl, "java-seq", () -> { for (int i = 0; i < SKEW; i++) one.accept(i); });
            in(() -> slow(wl, "java-in", () -> IntStream.range(0, SKEW).parallel().forEach(one)));
        }
    }

    // ---- sorting -------------------------------------------------------------------

    static final class Rng { // splitmix64
        long s = 42;
        long next() {
            long z = (s += 0x9e3779b97f4a7c15L);
            z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
            z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
            return z ^ (z >>> 31);
        }
    }

    /** An object of 64 bytes; Java sorts references to it. */
    static final class Rec {
        final long key, seq;
        long p0, p1, p2, p3, p4;
        Rec(long key, long seq) { this.key = key; this.seq = seq; }
    }

    static void sorts() {
        for (String pattern : new String[] {"random", "sorted", "reversed", "fewuniq"})
            for (String[] z : new String[][] {{"1e5", "100000"}, {"1e6", "1000000"}, {"1e7", "10000000"}}) {
                String wl = "sort_" + pattern + "_" + z[0];
                if (!workloadFilter.matcher(wl).find()) continue;
                int n = Integer.parseInt(z[1]);
                Rng rng = new Rng();
                long[] data = new long[n], work = new long[n];
                for (int i = 0; i < n; i++)
                    data[i] = switch (pattern) {
                        case "random" -> rng.next();
                        case "sorted" -> i;
                        case "reversed" -> n - i;
                        default -> Long.remainderUnsigned(rng.next(), 100);
                    };
                Runnable reset = () -> System.arraycopy(data, 0, work, 0, n);
                if (workers == 1) slow(wl, "java-seq", reset, () -> Arrays.sort(work));
                in(() -> slow(wl, "java-in", reset, () -> Arrays.parallelSort(work)));
            }

        objects("sortrec_1e6", () -> {
            Rng rng = new Rng();
            return IntStream.range(0, 1_000_000).mapToObj(i -> new Rec(rng.next() >>> 2, i)).toArray(Rec[]::new);
        }, Comparator.comparingLong(r -> r.key));
        objects("sortrecstable_1e6", () -> {
            Rng rng = new Rng();
            return IntStream.range(0, 1_000_000).mapToObj(i -> new Rec(Long.remainderUnsigned(rng.next(), 1000), i)).toArray(Rec[]::new);
        }, Comparator.comparingLong(r -> r.key));
        objects("sortstr_1e6", () -> {
            Rng rng = new Rng();
            return IntStream.range(0, 1_000_000).mapToObj(i -> {
                char[] c = new char[16];
                for (int k = 0; k < 16; k++) c[k] = (char) ('a' + Long.remainderUnsigned(rng.next(), 26));
                return new String(c);
            }).toArray(String[]::new);
        }, Comparator.<String>naturalOrder());
    }

    static <T> void objects(String wl, Supplier<T[]> make, Comparator<T> cmp) {
        if (!workloadFilter.matcher(wl).find()) return;
        T[] data = make.get();
        T[] work = data.clone();
        Runnable reset = () -> System.arraycopy(data, 0, work, 0, data.length);
        if (workers == 1) slow(wl, "java-seq", reset, () -> Arrays.sort(work, cmp));
        in(() -> slow(wl, "java-in", reset, () -> Arrays.parallelSort(work, cmp)));
    }

    // ---- an empty job, and idling ---------------------------------------------------

    static double cpuMillis() {
        return ((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime() / 1e6;
    }

    public static void main(String[] args) {
        workers = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        workloadFilter = Pattern.compile(args.length > 1 ? args[1] : ".");
        peerFilter = Pattern.compile(args.length > 2 ? args[2] : ".");
        pool = new ForkJoinPool(workers);
        joins();
        loops();
        sums();
        mandel();
        skew();
        sorts();
        quick("inject", "java", () -> in(() -> {}));
        cold("injectcold", "java", () -> in(() -> {}));
        if (wants("idle_5s", "java")) {
            double[] y = new double[100_000];
            for (int k = 0; k < 100; k++) in(() -> IntStream.range(0, y.length).parallel().forEach(i -> y[i] += 1));
            double c = cpuMillis();
            sleep(5000);
            print("idle_5s", "java", "cpu", cpuMillis() - c, "ms");
        }
    }
}
