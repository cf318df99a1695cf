/* Rows that the program gives; contract in gather.h. */
#include "gather.h"

const rls_program_rows *rls_program_rows_of (const rls_workspace *workspace, dJointID joint)
{
    return RLS_WISH_OF (workspace->wishes->programs, joint);
}

int rls_count_parts (const rls_workspace *workspace)
{
    int parts = 0;
    for (int j = 0; j < workspace->objects.joints && workspace->wishes->programs.count > 0; ++j)
    {
        const rls_program_rows *program = rls_program_rows_of (workspace, workspace->objects.joint[j]);
        if (!program || !program->of || !dJointIsEnabled (program->of)) continue;
        int at = 0;
        while (at < workspace->objects.joints && workspace->objects.joint[at] != program->of) ++at;
        if (at == workspace->objects.joints) return -1;
        ++parts;
    }
    return parts;
}

void rls_list_parts (rls_workspace *workspace, int j, int i)
{
    rls_island *s = &workspace->island;
    for (int k = 0; k < workspace->objects.joints && s->begin.rows.parts > 0; ++k)
    {
        const rls_program_rows *program = rls_program_rows_of (workspace, workspace->objects.joint[k]);
        if (!program || program->of != workspace->objects.joint[j]) continue;
        s->mechanism.part[s->mechanism.parts_listed++] =
            (rls_part){i, workspace->objects.joint_body[k][0], workspace->objects.joint_body[k][1], k};
    }
}

/* 1 if the bounds of a row are none, of one side, or those of a velocity. */
static int may_be_bounded (const dRLSProgramRow *row)
{
    if (row->lo == 0 && row->hi == 0) return 1;
    return row->lo <= 0 && row->hi >= 0 && (row->kind == dRLSRowNonholonomic || row->lo == 0 || row->hi == 0);
}

int rls_ask_program (const rls_workspace *workspace, const rls_program_rows *program, dJointID joint,
                     dRLSProgramRow given[RLS_MAX_ROWS])
{
    memset (given, 0, RLS_MAX_ROWS * sizeof (*given));
    if (!program->function (program->context, joint, (dReal)workspace->island.provider.time, given) ||
        rls_world_changed (workspace->stepper))
        return 0;
    for (int k = 0; k < program->count; ++k)
    {
        dRLSProgramRow *row = &given[k];
        if (!rls_all_finite (row->first, 6) || !rls_all_finite (row->second, 6) || !isfinite (row->value) ||
            !isfinite (row->rate) || row->kind < 0 || row->kind >= dRLSRowKindCount || !may_be_bounded (row))
            return 0;
        if (!dJointGetBody (joint, 0) || !dJointGetBody (joint, 1))
            memset (row->second, 0, sizeof (row->second)); /* the world does not move */
    }
    return 1;
}

int rls_ask_whole_program (const rls_workspace *workspace, const rls_program_rows *program,
                           dRLSProgramRow given[RLS_MAX_ROWS])
{
    dRLSProgramRow part[RLS_MAX_ROWS];
    if (!rls_ask_program (workspace, program, program->joint, given)) return 0;
    for (int j = 0; j < workspace->objects.joints && workspace->island.begin.rows.parts > 0; ++j)
    {
        const rls_program_rows *other = rls_program_rows_of (workspace, workspace->objects.joint[j]);
        if (!other || other->of != program->joint) continue;
        if (!rls_ask_program (workspace, program, other->joint, part)) return 0;
        for (int k = 0; k < program->count; ++k)
            given[k].value += part[k].value, given[k].rate += part[k].rate;
    }
    return 1;
}

void rls_copy_program_row (double J[12], const dRLSProgramRow *row)
{
    rls_copy (J, row->first, 6);
    rls_copy (J + 6, row->second, 6);
}

int rls_read_program_rows (const rls_workspace *workspace, const rls_program_rows *program, rls_rows *rows,
                           int i, int r0, const int *which, int count, unsigned char *nonholonomic)
{
    dRLSProgramRow given[RLS_MAX_ROWS];
    double value[RLS_MAX_ROWS], rate[RLS_MAX_ROWS];
    if (!rls_ask_program (workspace, program, program->joint, given)) return 0;

    /* what the joint itself has to do with them */
    for (int r = 0; r < count; ++r)
    {
        const dRLSProgramRow *row = &given[which[r]];
        const int holds_rate = row->kind == dRLSRowNonholonomic;
        rls_copy_program_row (rows->J[r0 + r], row);
        value[r] = holds_rate ? 0 : (double)row->value, rate[r] = (double)row->rate;
        if (nonholonomic) nonholonomic[r] = (unsigned char)holds_rate;
    }

    /* and its parts */
    for (int p = 0; p < rows->parts; ++p)
    {
        dRLSProgramRow part[RLS_MAX_ROWS];
        if (rows->part[p].joint != i) continue;
        if (!rls_ask_program (workspace, program, workspace->objects.joint[rows->part[p].ode_joint], part))
            return 0;
        for (int r = 0; r < count; ++r)
        {
            rls_copy_program_row (rows->part_J[p * RLS_MAX_ROWS + r], &part[which[r]]);
            if (given[which[r]].kind != dRLSRowNonholonomic) value[r] += (double)part[which[r]].value;
            rate[r] += (double)part[which[r]].rate;
        }
    }
    const double of_error = rls_keeps_erp (workspace) ? workspace->settings->world_erp / workspace->h : 0;
    for (int r = 0; r < count; ++r)
    {
        rows->residual[r0 + r] = -value[r];
        rows->sigma2[r0 + r] = 0;
        rows->target[r0 + r] = rate[r] + of_error * rows->residual[r0 + r];
    }
    return 1;
}

static int keep (dRLSStepperID stepper, const rls_program_rows *program)
{
    rls_program_rows *wish = RLS_WISH_FOR (stepper->wishes.programs, program->joint);
    if (wish) *wish = *program;
    return wish != NULL;
}

/* Takes away the rows of a joint, or what it does for another's; then the parts of its own. */
static void drop (dRLSStepperID stepper, dJointID joint)
{
    for (int i = stepper->wishes.programs.count - 1; i >= 0; --i)
    {
        rls_program_rows *wish = &stepper->wishes.programs.of[i];
        if (wish->joint == joint || wish->of == joint) RLS_DROP (stepper->wishes.programs, wish);
    }
}

int dRLSStepperSetJointRows (dRLSStepperID stepper, dJointID joint, int count, dRLSRowsFunction *function,
                             void *context)
{
    if (!stepper || stepper->busy || !joint || dJointGetType (joint) != dJointTypeLMotor) return 0;
    if (function && (count < 1 || count > RLS_MAX_ROWS)) return 0;
    if (!function) drop (stepper, joint);
    return !function || keep (stepper, &(rls_program_rows){joint, NULL, count, function, context});
}

int dRLSStepperJoinRows (dRLSStepperID stepper, dJointID part, dJointID joint)
{
    if (!stepper || stepper->busy || !part || dJointGetType (part) != dJointTypeLMotor) return 0;
    if (!joint) drop (stepper, part);
    if (!joint) return 1;
    const rls_program_rows *owner = RLS_WISH_OF (stepper->wishes.programs, joint),
                           *own = RLS_WISH_OF (stepper->wishes.programs, part);
    if (!owner || owner->of) return 0;
    if (own && !own->of) return 0; /* it has rows of its own */
    return keep (stepper, &(rls_program_rows){part, joint, 0, NULL, NULL});
}
