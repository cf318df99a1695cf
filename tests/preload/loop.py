"""A closed loop of two four-bar linkages in pyode: rows that imply each other.

    loop.py SECONDS

Knows ODE alone; the shim comes in from outside.  Prints the widest gap (m) that a joint ever had and the
largest change of energy (J) over the run.
"""
import math
import sys

import ode

STEP = 0.01
GRAVITY = 9.81


def bar(world, start, end):
    """A thin bar of 1 kg for every metre between two points of the plane y = 0."""
    length = math.dist(start, end)
    mass = ode.Mass()
    mass.setBoxTotal(length, length, 0.1, 0.1)
    body = ode.Body(world)
    body.setMass(mass)
    body.setPosition([(a + b) / 2 for a, b in zip(start, end)])
    angle = math.atan2(end[2] - start[2], end[0] - start[0])
    c, s = math.cos(angle), math.sin(angle)
    body.setRotation([c, 0, -s, 0, 1, 0, s, 0, c])
    return body


def hinge(world, body1, body2, point):
    joint = ode.HingeJoint(world)
    joint.attach(body1, body2)
    joint.setAnchor(point)
    joint.setAxis((0, 1, 0))
    return joint


def build():
    """A ladder on three legs of 1 m: two bars join the tops of the legs, which stand in hinges."""
    world = ode.World()
    world.setGravity((0, 0, -GRAVITY))
    feet = [(float(i), 0.0, 0.0) for i in range(3)]
    tops = [(x + 0.8, 0.0, 0.6) for x, _, _ in feet]
    legs = [bar(world, a, b) for a, b in zip(feet, tops)]
    rungs = [bar(world, tops[i], tops[i + 1]) for i in range(2)]
    joints = [hinge(world, leg, ode.environment, foot) for leg, foot in zip(legs, feet)]
    for i, rung in enumerate(rungs):
        joints.append(hinge(world, legs[i], rung, tops[i]))
        joints.append(hinge(world, rung, legs[i + 1], tops[i + 1]))
    return world, legs + rungs, joints


def energy(bodies):
    total = 0
    for body in bodies:
        mass = body.getMass()
        spin = body.vectorFromWorld(body.getAngularVel())
        momentum = [sum(mass.I[i][j] * spin[j] for j in range(3)) for i in range(3)]
        total += mass.mass * sum(v * v for v in body.getLinearVel()) / 2
        total += sum(a * b for a, b in zip(spin, momentum)) / 2
        total += mass.mass * GRAVITY * body.getPosition()[2]
    return total


def main():
    world, bodies, joints = build()
    start = energy(bodies)
    widest = change = 0
    for _ in range(round(float(sys.argv[1]) / STEP)):
        world.step(STEP)
        widest = max([widest] + [math.dist(j.getAnchor(), j.getAnchor2()) for j in joints])
        change = max(change, abs(energy(bodies) - start))
    print(f"gap {widest:.3e}")
    print(f"energy {change:.3e}")


main()
