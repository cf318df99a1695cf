// A planner that knows ODE alone: OMPL's, which tries forces on a cart with a pendulum in two hinges until it stands 3 m
// away.  Prints whether it found a way, how many motions it tried, and the widest (m) that a hinge was open on them.
#include <ompl/base/goals/GoalRegion.h>
#include <ompl/control/planners/rrt/RRT.h>
#include <ompl/extensions/ode/OpenDESimpleSetup.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace oc = ompl::control;
namespace ob = ompl::base;

class cart : public oc::OpenDEEnvironment
{
public:
    cart ()
    {
        dMass mass;
        world_ = dWorldCreate ();
        dWorldSetGravity (world_, 0, 0, -9.81);
        dMassSetBoxTotal (&mass, 1, 0.4, 0.2, 0.2);
        for (int i = 0; i < 2; ++i)
        {
            body[i] = dBodyCreate (world_);
            dBodySetMass (body[i], &mass);
            stateBodies_.push_back (body[i]);
        }
        dBodySetPosition (body[1], 0.5, 0, 0);
        const dJointID rail = dJointCreateSlider (world_, nullptr);
        dJointAttach (rail, body[0], nullptr);
        dJointSetSliderAxis (rail, 1, 0, 0);
        for (int i = 0; i < 2; ++i)
        {
            hinge[i] = dJointCreateHinge (world_, nullptr);
            dJointAttach (hinge[i], body[0], body[1]);
            dJointSetHingeAnchor (hinge[i], 0, 0.2 * i - 0.1, 0);
            dJointSetHingeAxis (hinge[i], 0, 1, 0);
        }
        contactGroup_ = dJointGroupCreate (0);
        collisionSpaces_.push_back (dSimpleSpaceCreate (nullptr));
        stepSize_ = 0.02;
        minControlSteps_ = 5;
        maxControlSteps_ = 20;
    }
    ~cart () override
    {
        dSpaceDestroy (collisionSpaces_[0]);
        dWorldDestroy (world_);
    }
    unsigned int getControlDimension () const override { return 1; }
    void getControlBounds (std::vector<double> &lower, std::vector<double> &upper) const override
    {
        lower.assign (1, -10);
        upper.assign (1, 10);
    }
    void applyControl (const double *force) const override
    {
        dBodyAddForce (body[0], force[0], 0, 0);
        ++tried;
        for (const dJointID h : hinge)
        {
            dVector3 a, b;
            dJointGetHingeAnchor (h, a);
            dJointGetHingeAnchor2 (h, b);
            for (int k = 0; k < 3; ++k) gap = std::max (gap, std::fabs (a[k] - b[k]));
        }
    }
    bool isValidCollision (dGeomID, dGeomID, const dContact &) const override { return true; }
    void setupContact (dGeomID, dGeomID, dContact &) const override {}

    mutable long tried = 0;
    mutable double gap = 0;

private:
    dBodyID body[2];
    dJointID hinge[2];
};

class goal : public ob::GoalRegion
{
public:
    explicit goal (const ob::SpaceInformationPtr &information) : ob::GoalRegion (information) { threshold_ = 0.01; }
    double distanceGoal (const ob::State *state) const override
    {
        return std::fabs (state->as<oc::OpenDEStateSpace::StateType> ()->getBodyPosition (0)[0] - 3);
    }
};

int main ()
{
    ompl::msg::noOutputHandler ();
    ompl::RNG::setSeed (1);
    dInitODE2 (0);
    {
        const auto environment = std::make_shared<cart> ();
        oc::OpenDESimpleSetup setup ((oc::OpenDEEnvironmentPtr (environment)));
        ob::RealVectorBounds bounds (3);
        bounds.setLow (-20);
        bounds.setHigh (20);
        const auto space = setup.getStateSpace ()->as<oc::OpenDEStateSpace> ();
        space->setVolumeBounds (bounds);
        space->setLinearVelocityBounds (bounds);
        space->setAngularVelocityBounds (bounds);
        setup.setGoal (std::make_shared<goal> (setup.getSpaceInformation ()));
        setup.setPlanner (std::make_shared<oc::RRT> (setup.getSpaceInformation ()));
        setup.setup ();
        const bool found = setup.solve (20.0) == ob::PlannerStatus::EXACT_SOLUTION;
        std::printf ("found %d\nsteps %ld\ngap %g\n", found, environment->tried, environment->gap);
    }
    dCloseODE ();
}
