"""pyode: a Python program that knows ODE alone, and steps exactly under the preload shim.

    python3 pyode.py
    LD_PRELOAD=libode_rls_preload.so ODE_RLS_STATS=1 python3 pyode.py

A board of 20 kg swings on four ropes of ten links each.
Prints how far the joints were open at worst in 5 s.
"""
import math

import ode

LINKS = 10


def make_body(world, mass, size, position):
    body = ode.Body(world)
    matter = ode.Mass()
    matter.setBoxTotal(mass, *size)
    body.setMass(matter)
    body.setPosition(position)
    return body


def tie(world, first, second, point):
    joint = ode.BallJoint(world)
    joint.attach(first, second)
    joint.setAnchor(point)
    return joint


world = ode.World()
world.setGravity((0, 0, -9.81))
board = make_body(world, 20, (1, 0.4, 0.05), (0, 0, 0))
joints = []
for x, y in ((-0.5, -0.2), (-0.5, 0.2), (0.5, -0.2), (0.5, 0.2)):
    above = ode.environment
    for i in range(LINKS):
        top = 2 - 2 * i / LINKS
        link = make_body(world, 0.2, (0.02, 0.02, 2 / LINKS), (x, y, top - 1 / LINKS))
        joints.append(tie(world, above, link, (x, y, top)))
        above = link
    joints.append(tie(world, above, board, (x, y, 0)))
board.setLinearVel((0, 2, 0))

widest = 0
for step in range(500):
    world.step(0.01)
    widest = max([widest] + [math.dist(joint.getAnchor(), joint.getAnchor2()) for joint in joints])
print(f"joints open by up to {widest:.1e} m")
