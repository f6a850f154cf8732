"""The same strokes here and in pooltool 0.6.0, in one run, as ratios.

    make bench ONLY=peers
    uv run python bench/peers/pooltool.py [strokes]

pooltool is installed in an environment of its own (`bench/peers/.pooltool`), with its pin on a pre-release
of panda3d overridden. It gets the state after the tip's impulse, the same table and balls, no pins; ours
plays with its default model, pins included, and `simulate_many` is followed by `rule_many`. Both processes
take turns; the ratios are those of each round, their median and spread are printed.
"""

from __future__ import annotations

import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / ".pooltool"
PYTHON = ENVIRONMENT / "bin" / "python"
ROUNDS = 5
CONFIGURATIONS = ("default", "frictional_inelastic + han_2005", "frictional_mathavan + mathavan_2010")


def install() -> None:
    """Makes the peer's environment, once."""
    if PYTHON.exists():
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as override:
        override.write("panda3d>=1.10.14\n")
        override.flush()
        subprocess.run(["uv", "venv", "-q", "--python", "3.11", str(ENVIRONMENT)], check=True)
        command = ["uv", "pip", "install", "-q", "--python", str(PYTHON), "--override", override.name]
        subprocess.run([*command, "pooltool-billiards==0.6.0"], check=True)


# ── the peer's side: runs in its environment, knows nothing of ours ──────────────────────────────────


def serve() -> None:
    """Reads strokes once, plays all of them whenever a configuration is named, answers seconds a stroke."""
    import attrs  # noqa: PLC0415 - only the peer's environment has it
    import numpy as np  # noqa: PLC0415 - as above

    # By name, since this file bears the peer's and our environment has no types of it.
    pt, engines_of, ball_ball, rails, resolver = (
        importlib.import_module("pooltool" + name)
        for name in (
            "",
            ".physics.engine",
            ".physics.resolve.ball_ball",
            ".physics.resolve.ball_cushion",
            ".physics.resolve.resolver",
        )
    )

    strokes = json.loads(sys.stdin.readline())
    specs = pt.objects.BilliardTableSpecs(l=2.84, w=1.42, cushion_height=0.037)
    table = pt.Table.from_table_specs(specs)
    default = resolver.default_resolver()
    engines = {
        "default": default,
        "frictional_inelastic + han_2005": attrs.evolve(
            default,
            ball_ball=ball_ball.FrictionalInelastic(),
            ball_linear_cushion=rails.Han2005Linear(),
        ),
        "frictional_mathavan + mathavan_2010": attrs.evolve(
            default,
            ball_ball=ball_ball.FrictionalMathavan(),
            ball_linear_cushion=rails.Mathavan2010Linear(),
        ),
    }

    def play(engine: Any, stroke: Any) -> int:
        balls = {}
        for i, (x, y, vx, vy, wx, wy, wz) in enumerate(stroke):
            name = ("cue", "object", "red")[i]
            ball = pt.Ball.create(name, xy=(x, y), m=0.2125, R=0.03075)
            moving = vx or vy or wz
            ball.state = pt.objects.BallState(
                np.array([[x, y, 0.03075], [vx, vy, 0], [wx, wy, wz]], float), 2 if moving else 0
            )
            balls[name] = ball
        system = pt.System(cue=pt.Cue.default(), table=table.copy(), balls=balls)
        return len(pt.simulate(system, engine=engine, inplace=True).events)

    print("ready", flush=True)
    for line in sys.stdin:
        engine = engines_of.PhysicsEngine(resolver=engines[line.strip()])
        for stroke in strokes[:3]:
            play(engine, stroke)
        begun, events, failed = time.thread_time(), 0, 0
        for stroke in strokes:
            try:
                events += play(engine, stroke)
            except Exception:  # a peer's fault is counted, not ours to sort
                failed += 1
        seconds = (time.thread_time() - begun) / len(strokes)
        print(json.dumps({"seconds": seconds, "events": events / len(strokes), "failed": failed}), flush=True)


# ── our side ─────────────────────────────────────────────────────────────────────────────────────────


def main() -> None:
    """Plays the strokes on both sides and prints the ratios."""
    sys.path[:0] = [str(HERE.parents[1] / "tests" / "physics")]
    import numpy as np  # noqa: PLC0415 - the peer's environment has none of ours
    from hard_strokes import aimed_strokes  # noqa: PLC0415 - the peer's environment has none of ours
    from test_physics_laws import position_of  # noqa: PLC0415 - the peer's environment has none of ours

    from fivepins.physics import Cue, simulate, simulate_compiled, simulate_many  # noqa: PLC0415 - the peer's environment has none of ours
    from fivepins.referee import rule_many  # noqa: PLC0415 - the peer's environment has none of ours

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    tables, shots = aimed_strokes(count, 77)
    strokes = [(position_of(row), Cue(*map(float, shot))) for row, shot in zip(tables, shots, strict=True)]
    states = []
    for stroke in strokes:
        trace = simulate(*stroke)
        states.append([list(trace.arcs(c)[0][2:6]) + list(trace.arcs(c)[0][8:11]) for c in trace.colours])
    many = np.tile(tables, (20_000 // count, 1)), np.tile(shots, (20_000 // count, 1))
    simulate_many(*many, threads=1)
    install()
    peer = subprocess.Popen(
        [str(PYTHON), "-P", __file__, "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )
    assert peer.stdin
    assert peer.stdout
    peer.stdin.write(json.dumps(states) + "\n")
    peer.stdin.flush()
    while peer.stdout.readline().strip() != "ready":
        pass
    times: dict[str, list[float]] = {}
    notes: dict[str, str] = {}
    for _ in range(ROUNDS):
        for name in CONFIGURATIONS:
            peer.stdin.write(name + "\n")
            peer.stdin.flush()
            answer = json.loads(peer.stdout.readline())
            times.setdefault(name, []).append(answer["seconds"])
            notes[name] = f"{answer['events']:.1f} events, {answer['failed']} failed"
        for name, play in (("simulate", simulate), ("simulate_compiled", simulate_compiled)):
            begun = time.thread_time()
            for position, cue in strokes:
                play(position, cue)
            times.setdefault(name, []).append((time.thread_time() - begun) / count)
        begun = time.process_time()
        rule_many(simulate_many(*many, threads=1))
        times.setdefault("simulate_many", []).append((time.process_time() - begun) / len(many[1]))
    peer.stdin.close()
    report(count, times, notes)


def report(count: int, times: dict[str, list[float]], notes: dict[str, str]) -> None:
    """Two tables: times of both sides, and by how much ours is faster round by round."""
    print(f"| {count} aimed strokes, CPU time, one thread | µs a stroke | spread | |\n|---|---|---|---|")
    for name, taken in times.items():
        low, middle, high = (1e6 * f(taken) for f in (min, statistics.median, max))
        print(f"| {name} | {middle:.2f} | {low:.2f}–{high:.2f} | {notes.get(name, '')} |")
    print("\n| times faster than | pooltool's default | its fastest configuration |\n|---|---|---|")
    fastest = min(CONFIGURATIONS, key=lambda name: statistics.median(times[name]))
    for name in ("simulate", "simulate_compiled", "simulate_many"):
        cells = []
        for peer in (CONFIGURATIONS[0], fastest):
            ratios = [there / here for there, here in zip(times[peer], times[name], strict=True)]
            cells.append(f"{statistics.median(ratios):.1f} ({min(ratios):.1f}–{max(ratios):.1f})")
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    if "--serve" in sys.argv:
        serve()
    else:
        main()
