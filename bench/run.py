#!/usr/bin/python3
"""Measure assay against NumPy and the page cache, and judge the bars.

All contenders of a case run in turn, round after round, each round starting
with another one; medians of this run are compared, never stored numbers.
"""
import argparse
import importlib
import os
import pathlib
import platform
import sys

import context
from case import Times, failed, seconds
from measure import BenchError

HERE = pathlib.Path(__file__).resolve().parent


def parse_options():
    root = HERE.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="[5]")
    parser.add_argument("--scale", type=float, default=1.0, help="of the data [1]")
    parser.add_argument("--data", type=pathlib.Path, default=root / "build/bench-data")
    parser.add_argument("--assay", type=pathlib.Path, default=root / "build/assay")
    parser.add_argument("--only", action="append", metavar="NAME", help="these cases")
    return parser.parse_args()


def all_cases(ctx):
    """Every file in cases/ adds its own; nothing else has to know of it."""
    names = sorted(path.stem for path in (HERE / "cases").glob("*.py"))
    modules = [importlib.import_module(f"cases.{name}") for name in names]
    return [case for module in modules for case in module.cases(ctx)]


def choose(cases, only):
    names = [case.name for case in cases]
    for name in only or []:
        if name not in names:
            sys.exit(f"bench: unknown case '{name}'\n  hint  one of {', '.join(names)}")
    return [case for case in cases if not only or case.name in only]


def cpu_name():
    for line in open("/proc/cpuinfo", encoding="ascii", errors="replace"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def say_where(ctx):
    version = [context.PYTHON, context.HERE / "baselines.py", "--version"]
    print(f"assay    {ctx.assay}, {ctx.threads} threads, one-pass metrics")
    print(f"numpy    {context.output_of(version).strip()}")
    print(f"cpu      {os.cpu_count()} x {cpu_name()}, Linux {platform.release()}")
    print(f"rounds   {ctx.rounds}, medians; load now {os.getloadavg()[0]:.1f}")
    if ctx.scale != 1:
        print(f"scale    {ctx.scale:g}: a trial; the bars are meant for scale 1")


def take_turns(case, rounds):
    times, names = Times(), list(case.contenders)
    for turn in range(rounds):
        shift = turn % len(names) if names else 0
        for name in names[shift:] + names[:shift]:
            times.add(case.contenders[name]())
    return times


def show_times(case, times):
    size = case.bytes()
    about = f", {size / 1e9:.2f} GB" if size else ""
    print(f"\n{case.name}{about}   (load {os.getloadavg()[0]:.1f})")
    if times.values:
        print(f"  {'':26}{'median':>12}{'best':>12}{'worst':>12}{'GB/s':>8}{'x ours':>8}")
    for label, values in times.values.items():
        shown = [seconds(value) for value in (times[label], min(values), max(values))]
        rate = f"{size / times[label] / 1e9:.2f}" if size else "-"
        factor = f"{times[label] / times['ours']:.2f}"
        columns = "".join(f"{text:>12}" for text in shown)
        print(f"  {label:26}{columns}{rate:>8}{factor:>8}", flush=True)


def run_case(case, rounds):
    try:
        case.prepare()
        times = take_turns(case, rounds)
        show_times(case, times)
        return case.bars(times)
    except BenchError as error:
        print(f"\n{case.name}: {error}", flush=True)
        return [failed(case.name, "did not run")]


def show_bars(bars):
    print(f"\n{'bar':28}{'ours':>12}{'baseline':>12}{'ratio':>12}  {'bar':20}")
    for bar in bars:
        columns = f"{bar.ours:>12}{bar.baseline:>12}{bar.ratio:>12}"
        print(f"{bar.name:28}{columns}  {bar.bar:20}{'ok' if bar.ok else 'MISSED'}")


def main():
    options = parse_options()
    if not os.access(options.assay, os.X_OK):
        sys.exit(f"bench: {options.assay} is not there\n  hint  run 'make' first")
    options.data.mkdir(parents=True, exist_ok=True)
    paths = options.data.resolve(), options.assay.resolve()
    ctx = context.Context(*paths, options.scale, options.rounds)
    chosen = choose(all_cases(ctx), options.only)
    say_where(ctx)

    bars = [bar for case in chosen for bar in run_case(case, ctx.rounds)]
    show_bars(bars)
    for trouble in dict.fromkeys(ctx.troubles):
        print(f"trouble: {trouble}")
    missed = sum(not bar.ok for bar in bars)
    print(f"\n{len(bars)} bars, {missed} missed, {len(ctx.troubles)} troubled runs")
    return 1 if missed or ctx.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
