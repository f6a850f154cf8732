"""Pins against a rigid-body simulation: the castle in MuJoCo at 66 mm, seeded shots, all five pins compared.

Runs with the dependency group `bench`: `make bench ONLY=pins`, or
`uv run --group bench python -m bench pins`.

Pin of 12.2: base cylinder 3.5 mm, belly 5, shoulder 4, neck and spherical top 3 mm, 25 mm high, 2 g, centre
of mass at 10.5 mm. The ball rolls at 0.7 to 5 m/s through the castle, any direction and offset; the cloth
has no friction for it. A pin has fallen once its axis has leaned by more than 45 degrees, whether it stands
up again or not (43.2).
"""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import ProcessPoolExecutor

import mujoco
import numpy as np

from fivepins.physics import STANDARD, kernel
from fivepins.physics.simulate import parameters
from fivepins.table import PINS, TABLE

SHOTS = 1200
STEP = 4e-5
R = 0.03075
SEATS = [((TABLE.seat(pin).x - 710) / 1000, (TABLE.seat(pin).y - 1420) / 1000) for pin in PINS]
PARTS = (
    ("base", "cylinder", "0.0035 0.002", 0.002),
    ("belly", "sphere", "0.005", 0.007),
    ("shoulder", "sphere", "0.004", 0.012),
    ("top", "capsule", "0.003 0.005", 0.017),
)


def contact(one: str, two: str, friction: float, restitution: float, duration: float) -> str:
    """A pair of shapes whose contact is a damped spring with this restitution and duration (s)."""
    log = math.log(restitution)
    damping = -log / math.hypot(math.pi, log)
    omega = math.pi / (duration * math.sqrt(1 - damping * damping))
    return (
        f'<pair geom1="{one}" geom2="{two}" condim="3" friction="{friction} {friction} 0 0 0" '
        f'solref="{-omega * omega} {-2 * damping * omega}" solimp="0.99 0.99 0.001"/>'
    )


def model() -> mujoco.MjModel:
    """Castle, cloth and ball."""
    bodies, pairs = [], ['<pair geom1="ball" geom2="cloth" condim="1" solref="0.002 1"/>']
    for k, (x, y) in enumerate(SEATS):
        shapes = "".join(
            f'<geom name="{name}{k}" type="{kind}" size="{size}" pos="0 0 {z}" contype="0" conaffinity="0"/>'
            for name, kind, size, z in PARTS
        )
        bodies.append(
            f'<body name="pin{k}" pos="{x} {y} 0"><freejoint/>'
            f'<inertial mass="0.002" pos="0 0 0.0105" diaginertia="8.4e-8 8.4e-8 1.6e-8"/>{shapes}</body>'
        )
        for name, *_ in PARTS:
            pairs.append(contact(f"{name}{k}", "cloth", 0.25, 0.35, 4e-4))
            pairs.append(contact(f"{name}{k}", "ball", 0.15, 0.7, 3e-4))
            for other in range(k):
                pairs += [contact(f"{name}{k}", f"{part[0]}{other}", 0.2, 0.6, 3e-4) for part in PARTS]
    inertia = 0.4 * 0.21 * R * R
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{STEP}" cone="elliptic" integrator="implicitfast" impratio="10"/>
        <worldbody><geom name="cloth" type="plane" size="2 2 0.1" contype="0" conaffinity="0"/>
        <body name="ball" pos="0 0 {R}"><freejoint/><inertial mass="0.21" pos="0 0 0"
          diaginertia="{inertia} {inertia} {inertia}"/>
          <geom name="ball" type="sphere" size="{R}" contype="0" conaffinity="0"/></body>
        {"".join(bodies)}</worldbody><contact>{"".join(pairs)}</contact></mujoco>"""
    )


def shots(count: int) -> np.ndarray:
    """Rows of speed (m/s), direction (rad) and offset (m) of the line from the centre pin, seeded."""
    rng = np.random.default_rng(66)
    reach = 0.066 + 0.0326
    return np.stack(
        [rng.uniform(0.7, 5, count), rng.uniform(0, 2 * np.pi, count), rng.uniform(-reach, reach, count)],
        axis=1,
    )


def start(shot: np.ndarray) -> tuple[float, float, float, float]:
    """Place (m, from the centre pin) and velocity of the ball, 130 mm before the centre."""
    v, phi, offset = shot
    ux, uy = math.cos(phi), math.sin(phi)
    return -0.13 * ux - offset * uy, -0.13 * uy + offset * ux, v * ux, v * uy


def rigid(block: np.ndarray) -> list[int]:
    """The fallen pins (bits) of each shot in MuJoCo."""
    m = model()
    d = mujoco.MjData(m)
    found = []
    for shot in block:
        mujoco.mj_resetData(m, d)
        x, y, vx, vy = start(shot)
        d.qpos[:3] = x, y, R
        d.qvel[:6] = vx, vy, 0, -vy / R, vx / R, 0
        fallen = 0
        for _ in range(int((0.26 / shot[0] + 0.4) / STEP / 50)):
            mujoco.mj_step(m, d, 50)
            fallen |= sum(1 << k for k in range(5) if d.xmat[2 + k][8] < 0.7)
        found.append(fallen)
    return found


def ours(block: np.ndarray) -> list[int]:
    """The same from the kernel."""
    params = parameters(STANDARD)
    castle = kernel.make_castle(
        params,
        tuple(0.71 + x for x, _ in SEATS),  # type: ignore[arg-type]  # a tuple of five
        tuple(1.42 + y for _, y in SEATS),  # type: ignore[arg-type]  # a tuple of five
    )
    never = kernel.NEVER
    gone = kernel.resting_ball(params, castle, math.nan, math.nan)
    found = []
    for shot in block:
        x, y, vx, vy = start(shot)
        ball = kernel.resting_ball(params, castle, 0.71 + x, 1.42 + y)
        ball = kernel.moving(ball, vx, vy, -vy / R, vx / R, 0.0)
        ball = kernel.settle(params, castle, castle.standing, ball)
        w = kernel.World(
            ball, gone, gone, never, never, never, 0.0, castle.standing, (never,) * 5, 0, never, 0
        )
        while w.now < 0.26 / shot[0] + 0.4:
            w, event = kernel.step(params, castle, w)
            if event.kind in (kernel.NOTHING, kernel.CUSHION):
                break
        found.append(31 & ~w.standing)
    return found


def points(pins: int) -> int:
    """2 for an outer pin, 4 for the centre, 8 for it alone (22.1)."""
    return 8 if pins == 16 else 2 * (pins & 15).bit_count() + 4 * (pins >> 4)


def main(count: int = SHOTS) -> None:
    """Run the comparison and print its figures."""
    table = shots(count)
    processes = os.cpu_count() or 1
    begun = time.perf_counter()
    with ProcessPoolExecutor(processes) as pool:
        theirs = [pins for found in pool.map(rigid, np.array_split(table, 8 * processes)) for pins in found]
    mine = ours(table)
    same = sum(a == b for a, b in zip(mine, theirs, strict=True))
    errors = [points(a) - points(b) for a, b in zip(mine, theirs, strict=True)]
    seconds = time.perf_counter() - begun
    print(f"| MuJoCo {mujoco.__version__}, {count:,} shots, {seconds:.0f} s | figure | target |")
    print("|---|---|---|")
    print(f"| all five pins identical | {100 * same / count:.1f} % | ≥ 94 % |")
    print(f"| mean error in points | {np.mean(errors):+.3f} | within ±0.05 |")
    print(f"| mean absolute error in points | {np.mean(np.abs(errors)):.3f} | |")
    print(f"| pins fallen a shot, here | {np.mean([a.bit_count() for a in mine]):.3f} | |")
    print(f"| pins fallen a shot, there | {np.mean([a.bit_count() for a in theirs]):.3f} | |")


if __name__ == "__main__":
    main()
