/* The original matrix, column after column; contract in factor_supernode.h. */
#include "factor_assemble.h"
#include "factor_supernode.h"

RLS_VECTOR_CLONES void rls_assemble_columns (rls_factor *f, const rls_rows *rows, int first, int past)
{
    const rls_order *o = f->order;
    for (int k = first; k < past; ++k)
    {
#define ASSEMBLE(m) assemble_column (f, rows, k, m)
        RLS_FOR_EACH_SIZE (o->size[k], ASSEMBLE)
    }
}
