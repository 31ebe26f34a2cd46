#!/usr/bin/env python3
"""table.py FILE...: merge lines of `workload peer workers metric value unit` into one table.

Times are medians with (min..max) behind; p99 instead of max where one call takes microseconds.
Sequential code stands in the column of one worker.  ns/join is (T1 - Tseq) / joins.
"""
import collections
import re
import statistics
import sys

# Joins done by each of the fully forked workloads.
JOINS = {'fib30': 1346268, 'fib38': 63245985, 'tree_1e3': 1000, 'tree_1e5': 100000, 'tree_1e7': 10000000, 'treecold_1e3': 1000, 'queens12': 856188}

# Whose plain code a peer is compared with: the first match.
SEQ = [(r'^(rayon|rust|chili)', 'rust-seq'), (r'^(tbb|omp|c\+\+|parlay|lace|spice)', 'c++-seq'), (r'^java', 'java-seq'), (r'.', 'go-seq')]  # forkjoin too

ORDER = ['cost', 'pingpong', 'futex', 'pthread', 'bandwidth', 'fib', 'tree_', 'treecold', 'queens', 'matmul', 'mandel', 'skew', 'groups', 'axpy_', 'axpycold', 'sum', 'sort_', 'sortrec_', 'sortrecstable', 'sortstr', 'inject', 'injectcold', 'idle']


def read(names):
    values = collections.defaultdict(list)
    units = {}
    for name in names:
        for line in open(name):
            f = line.split()
            if len(f) == 6 and not line.startswith('#'):
                values[f[0], f[1], int(f[2]), f[3]].append(float(f[4]))
                units[f[0], f[3]] = f[5]
    pick = {'med': statistics.median, 'min': min, 'max': max, 'p99': statistics.median}
    return {k: pick.get(k[3], statistics.median)(v) for k, v in values.items()}, units


def seq_of(peer):
    return next(seq for pattern, seq in SEQ if re.search(pattern, peer))


def human(ns):
    for limit, div, unit in ((1e3, 1, 'ns'), (1e6, 1e3, 'us'), (1e9, 1e6, 'ms')):
        if ns < limit:
            return f'{ns / div:.3g} {unit}' if ns / div < 100 else f'{ns / div:.0f} {unit}'
    return f'{ns / 1e9:.3g} s'


def cell(get, w, unit):
    med = get(w, 'med')
    if med is None:
        cpu = get(w, 'cpu')
        return '' if cpu is None else f'{cpu:.0f} ms CPU'
    if unit != 'ns':
        return f'{med:.1f} ({get(w, "min"):.1f}..{get(w, "max"):.1f}) {unit}'
    top = get(w, 'max') if med > 3e6 or get(w, 'p99') is None else get(w, 'p99')
    return f'{human(med)} ({human(get(w, "min"))}..{human(top)})'


def main():
    data, units = read(sys.argv[1:])
    rank = lambda wl: next((i for i, p in enumerate(ORDER) if wl.startswith(p)), 99)
    workloads = sorted({k[0] for k in data}, key=lambda wl: (rank(wl), wl))
    for wl in workloads:
        peers = {k[1] for k in data if k[0] == wl}
        counts = sorted({k[2] for k in data if k[0] == wl})
        joins = JOINS.get(wl)
        print(f'\n### {wl}\n')
        head = ['peer'] + [f'{w} worker{"s" * (w > 1)}' for w in counts]
        if joins:
            head += ['ns/join']
        has_seq = any(p.endswith('-seq') for p in peers)
        if has_seq:
            head += [f'T{w}/Tseq' for w in counts]
        allocs = any((wl, p, w, 'allocs') in data for p in peers for w in counts)
        if allocs:
            head += ['allocs/op']
        print('| ' + ' | '.join(head) + ' |')
        print('|' + ' --- |' * len(head))

        def best(p):
            v = [data[wl, p, w, m] for w in counts for m in ('med', 'cpu') if (wl, p, w, m) in data]
            return min(v)
        for p in sorted(peers, key=best):
            get = lambda w, m: data.get((wl, p, w, m))
            row = [p] + [cell(get, w, units.get((wl, 'med'), 'ns')) for w in counts]
            seq = data.get((wl, seq_of(p), 1, 'med'))
            if joins:
                t = get(1, 'med')
                row.append('' if t is None or seq is None or p.endswith('-seq') else f'{(t - seq) / joins:.2f}')
            if has_seq:
                for w in counts:
                    t = get(w, 'med')
                    row.append('' if t is None or not seq else f'{t / seq:.2f}')
            if allocs:
                a = [get(w, 'allocs') for w in counts if get(w, 'allocs') is not None]
                row.append(f'{a[-1]:.0f}' if a else '')
            print('| ' + ' | '.join(row) + ' |')


main()
