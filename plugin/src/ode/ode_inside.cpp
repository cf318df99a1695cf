/*
 * ODE's private functions, reached from inside: for a program that builds ODE from its own sources
 * (-DODE_RLS_ODE_SOURCE).  Contract in ode_entries.h.
 *
 * The sources are asked by their own headers, so that no linker name is needed, whatever the compiler, and
 * nothing of ODE need be visible outside of the program.
 */
#define RLS_ODE_PLAIN_NAMES
#include <ode/ode.h>

extern "C"
{
#include "ode/ode_entries.h"
}

/* Private headers of ODE. */
#include "config.h"
#include "objects.h"
#include "joints/joint.h"
#include "util.h"

#include <cstring>

namespace
{

/* Versions differ in the arguments of the estimate. */
template <typename... Threads> unsigned one_call (Threads...) { return 1; }

int find_islands (dWorldID world, rls_ode_islands *islands, dReal h, rls_ode_memory_estimate *estimate)
{
    dxWorldProcessIslandsInfo found;
    /* Where a size_t has two names of one width (WebAssembly), ODE takes the other one. */
    static_assert (sizeof (found.GetIslandsCount ()) == sizeof (size_t), "ODE's sizes are not those of the compiler");
    if (!dxReallocateWorldProcessContext (world, found, h, reinterpret_cast<dmemestimate_fn_t> (estimate)))
        return 0;
    islands->count = found.GetIslandsCount ();
    islands->sizes = found.GetIslandSizes ();
    islands->bodies = found.GetBodiesArray ();
    islands->joints = found.GetJointsArray ();
    return 1;
}

/* A stepper is handed a pointer, which only the function below looks behind. */
int process_islands (dWorldID world, const rls_ode_islands *islands, dReal h, rls_ode_island_stepper *stepper,
                     rls_ode_any_function *)
{
    dxWorldProcessIslandsInfo info;
    info.AssignInfo (islands->count, islands->sizes, islands->bodies, islands->joints);
    return dxProcessIslands (world, info, h, reinterpret_cast<dstepper_fn_t> (stepper), one_call);
}

dBodyID const *island_bodies (rls_ode_island island)
{
    return static_cast<const dxStepperProcessingCallContext *> (island)->m_islandBodiesStart;
}

void info1 (dJointID joint, rls_ode_row_info *info)
{
    dxJoint::Info1 answer;
    joint->getInfo1 (&answer);
    info->m = answer.m;
    info->unbounded = answer.nub;
}

size_t size (dJointID joint) { return joint->size (); }

/* How a joint is asked for its rows: by pairs from 0.15 on, by one structure of pointers before. */
template <typename Joint, typename = void> struct question
{
    static void ask (dJointID joint, dReal fps, dReal erp, int row_skip, dReal *J1, dReal *J2, int pair_skip,
                     dReal *rhs_cfm, dReal *lo_hi, int *findex)
    {
        static_cast<Joint *> (joint)->getInfo2 (fps, erp, row_skip, J1, J2, pair_skip, rhs_cfm, lo_hi,
                                                findex);
    }

    template <typename Entry> static void enter (Entry &entry) { entry.info2 = ask; }
};

template <typename> struct exists
{
    typedef void type;
};

template <typename Joint> struct question<Joint, typename exists<typename Joint::Info2Descr>::type>
{
    static void ask (dJointID joint, dReal fps, dReal erp, const rls_ode_row_pointers *rows)
    {
        typename Joint::Info2Descr asked;
        asked.J1l = rows->linear1, asked.J1a = rows->angular1;
        asked.J2l = rows->linear2, asked.J2a = rows->angular2;
        asked.rowskip = rows->row_skip;
        asked.c = rows->rhs, asked.cfm = rows->cfm, asked.lo = rows->lo, asked.hi = rows->hi;
        asked.findex = rows->findex;
        static_cast<Joint *> (joint)->getInfo2 (fps, erp, &asked);
    }

    template <typename Entry> static void enter (Entry &entry) { entry.info2_pointers = ask; }
};

} // namespace

extern "C" const char *rls_ode_resolve (const rls_ode_source *, rls_ode_entries *entries, char *, size_t)
{
    std::memset (entries, 0, sizeof (*entries));
    entries->find_islands = find_islands;
    entries->process_islands = process_islands;
    entries->island_bodies = island_bodies;
    entries->step_body = dxStepBody;
    for (int type = dJointTypeBall; type < RLS_ODE_JOINT_TYPE_COUNT; ++type)
    {
        entries->joint[type].info1 = info1;
        entries->joint[type].size = size;
        question<dxJoint>::enter (entries->joint[type]);
    }
    return "built from its sources";
}
