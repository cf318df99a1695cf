/*
 * A recursive-descent parser writes postfix code; the code runs on a stack of jets: triples of a value and
 * its first two derivatives with respect to t.  Every operation carries the triple by the chain rule
 * (forward-mode differentiation), so derivatives are as exact as the values.
 *
 *   sum     = product { (+|-) product }
 *   product = unary { (*|/) unary }
 *   unary   = [+|-] unary | power
 *   power   = atom [ ^ unary ]                 so that -t^2 = -(t^2) and 2^-1 is allowed
 *   atom    = number | t | pi | e | function ( sum ) | ( sum )
 */
#include "expression.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CODE 1024 /* operations of one expression */
#define MAX_STACK 64  /* jets on the stack: bounds nesting */

typedef struct
{
    double v, d, dd;
} jet;

typedef enum
{
    op_number,
    op_time,
    op_add,
    op_subtract,
    op_multiply,
    op_divide,
    op_power,
    op_negate,
    op_function
} op_kind;

typedef struct
{
    op_kind kind;
    double number; /* op_number */
    int function;  /* op_function: index into functions */
} operation;

struct expression
{
    int length;
    operation code[];
};

/* ---- functions: value, slope and curvature at x -------------------------------------------------------- */

static jet slopes_sin (double x) { return (jet){sin (x), cos (x), -sin (x)}; }
static jet slopes_cos (double x) { return (jet){cos (x), -sin (x), -cos (x)}; }
static jet slopes_exp (double x) { return (jet){exp (x), exp (x), exp (x)}; }
static jet slopes_log (double x) { return (jet){log (x), 1 / x, -1 / (x * x)}; }
static jet slopes_sinh (double x) { return (jet){sinh (x), cosh (x), sinh (x)}; }
static jet slopes_cosh (double x) { return (jet){cosh (x), sinh (x), cosh (x)}; }
static jet slopes_abs (double x) { return (jet){fabs (x), (x > 0) - (x < 0), 0}; }

static jet slopes_tan (double x)
{
    double y = tan (x), slope = 1 + y * y;
    return (jet){y, slope, 2 * y * slope};
}

static jet slopes_tanh (double x)
{
    double y = tanh (x), slope = 1 - y * y;
    return (jet){y, slope, -2 * y * slope};
}

static jet slopes_asin (double x)
{
    double slope = 1 / sqrt (1 - x * x);
    return (jet){asin (x), slope, x * slope * slope * slope};
}

static jet slopes_acos (double x)
{
    jet s = slopes_asin (x);
    return (jet){acos (x), -s.d, -s.dd};
}

static jet slopes_atan (double x)
{
    double slope = 1 / (1 + x * x);
    return (jet){atan (x), slope, -2 * x * slope * slope};
}

static jet slopes_sqrt (double x)
{
    double y = sqrt (x);
    return (jet){y, 0.5 / y, -0.25 / (y * x)};
}

static const struct
{
    const char *name;
    jet (*slopes) (double x);
} functions[] = {
    {"sin", slopes_sin},   {"cos", slopes_cos},   {"tan", slopes_tan},   {"asin", slopes_asin},
    {"acos", slopes_acos}, {"atan", slopes_atan}, {"sinh", slopes_sinh}, {"cosh", slopes_cosh},
    {"tanh", slopes_tanh}, {"exp", slopes_exp},   {"log", slopes_log},   {"sqrt", slopes_sqrt},
    {"abs", slopes_abs},
};

/* ---- jets ---------------------------------------------------------------------------------------------- */

/* A constant stays one even where the slope of the function is infinite. */
static jet chain (jet outer, jet x)
{
    if (x.d == 0 && x.dd == 0) return (jet){outer.v, 0, 0};
    return (jet){outer.v, outer.d * x.d, outer.dd * x.d * x.d + outer.d * x.dd};
}

static jet multiply (jet a, jet b)
{
    return (jet){a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}

static jet divide (jet a, jet b)
{
    double v = a.v / b.v, d = (a.d - v * b.d) / b.v;
    return (jet){v, d, (a.dd - 2 * d * b.d - v * b.dd) / b.v};
}

/* A constant exponent allows any base; a coefficient of zero must win over an infinite power of zero. */
static jet power (jet a, jet b)
{
    if (b.d != 0 || b.dd != 0)
        return chain (slopes_exp (b.v * log (a.v)), multiply (b, chain (slopes_log (a.v), a)));
    double n = b.v;
    jet outer = {pow (a.v, n), n == 0 ? 0 : n * pow (a.v, n - 1),
                 n == 0 || n == 1 ? 0 : n * (n - 1) * pow (a.v, n - 2)};
    return chain (outer, a);
}

double expression_evaluate (const expression *e, double t, double *first, double *second)
{
    jet stack[MAX_STACK + 1] = {{0, 0, 0}};
    jet *top = stack; /* the first free place; an expression begins with a value */
    for (int i = 0; i < e->length; i++)
    {
        const operation *o = &e->code[i];
        if (o->kind == op_number || o->kind == op_time)
        {
            *top++ = o->kind == op_time ? (jet){t, 1, 0} : (jet){o->number, 0, 0};
            continue;
        }
        if (o->kind != op_negate && o->kind != op_function) top--;
        jet *a = top - 1, *b = top;
        switch (o->kind)
        {
        case op_add:
            *a = (jet){a->v + b->v, a->d + b->d, a->dd + b->dd};
            break;
        case op_subtract:
            *a = (jet){a->v - b->v, a->d - b->d, a->dd - b->dd};
            break;
        case op_multiply:
            *a = multiply (*a, *b);
            break;
        case op_divide:
            *a = divide (*a, *b);
            break;
        case op_power:
            *a = power (*a, *b);
            break;
        case op_negate:
            *a = (jet){-a->v, -a->d, -a->dd};
            break;
        case op_function:
            *a = chain (functions[o->function].slopes (a->v), *a);
            break;
        default:
            break;
        }
    }
    *first = stack[0].d;
    *second = stack[0].dd;
    return stack[0].v;
}

/* ---- parser -------------------------------------------------------------------------------------------- */

typedef struct
{
    const char *text, *at;
    char *error;
    size_t size;
    int length, depth, nesting;
    operation code[MAX_CODE];
} parser;

static int parse_sum (parser *p);

static int fail (parser *p, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
static int fail (parser *p, const char *format, ...)
{
    va_list list;
    va_start (list, format);
    int n = vsnprintf (p->error, p->size, format, list);
    va_end (list);
    if (n >= 0 && (size_t)n < p->size)
        snprintf (p->error + n, p->size - (size_t)n, " at character %d", (int)(p->at - p->text) + 1);
    return 0;
}

static char next (parser *p)
{
    while (isspace ((unsigned char)*p->at)) p->at++;
    return *p->at;
}

/* depth follows the stack as evaluation will see it: +1 for a value, -1 for a binary operation. */
static int emit (parser *p, operation o)
{
    if (p->length == MAX_CODE) return fail (p, "more than %d operations", MAX_CODE);
    if (o.kind == op_number || o.kind == op_time)
        p->depth++;
    else if (o.kind != op_negate && o.kind != op_function)
        p->depth--;
    if (p->depth > MAX_STACK) return fail (p, "nested too deeply");
    p->code[p->length++] = o;
    return 1;
}

static int parse_parenthesis (parser *p)
{
    if (next (p) != '(') return fail (p, "an opening parenthesis is missing");
    p->at++;
    if (!parse_sum (p)) return 0;
    if (next (p) != ')') return fail (p, "a closing parenthesis is missing");
    p->at++;
    return 1;
}

static int parse_name (parser *p)
{
    const char *start = p->at;
    while (isalnum ((unsigned char)*p->at) || *p->at == '_') p->at++;
    size_t length = (size_t)(p->at - start);
    if (length == 1 && *start == 't') return emit (p, (operation){.kind = op_time});
    if (length == 1 && *start == 'e') return emit (p, (operation){.kind = op_number, .number = M_E});
    if (length == 2 && !memcmp (start, "pi", 2))
        return emit (p, (operation){.kind = op_number, .number = M_PI});
    for (int i = 0; i < (int)(sizeof functions / sizeof *functions); i++)
        if (strlen (functions[i].name) == length && !memcmp (start, functions[i].name, length))
            return parse_parenthesis (p) && emit (p, (operation){.kind = op_function, .function = i});
    p->at = start;
    return fail (p, "unknown name '%.*s'", (int)(length < 40 ? length : 40), start);
}

static int parse_atom (parser *p)
{
    char c = next (p);
    if (c == '(') return parse_parenthesis (p);
    if (isalpha ((unsigned char)c)) return parse_name (p);
    if (isdigit ((unsigned char)c) || c == '.')
    {
        char *end;
        double number = strtod (p->at, &end);
        if (end == p->at) return fail (p, "a number is expected");
        p->at = end;
        return emit (p, (operation){.kind = op_number, .number = number});
    }
    if (!c) return fail (p, "the expression ends too early");
    return fail (p, "a value is expected instead of '%c'", c);
}

/* Every recursion of the grammar passes here, so this is where nesting is bounded. */
static int parse_unary (parser *p)
{
    if (p->nesting >= MAX_STACK) return fail (p, "nested too deeply");
    p->nesting++;
    char c = next (p);
    int good;
    if (c == '-' || c == '+')
    {
        p->at++;
        good = parse_unary (p) && (c == '+' || emit (p, (operation){.kind = op_negate}));
    }
    else
    {
        good = parse_atom (p);
        if (good && next (p) == '^')
        {
            p->at++;
            good = parse_unary (p) && emit (p, (operation){.kind = op_power});
        }
    }
    p->nesting--;
    return good;
}

static int parse_product (parser *p)
{
    if (!parse_unary (p)) return 0;
    for (char c = next (p); c == '*' || c == '/'; c = next (p))
    {
        p->at++;
        if (!parse_unary (p) || !emit (p, (operation){.kind = c == '*' ? op_multiply : op_divide})) return 0;
    }
    return 1;
}

static int parse_sum (parser *p)
{
    if (!parse_product (p)) return 0;
    for (char c = next (p); c == '+' || c == '-'; c = next (p))
    {
        p->at++;
        if (!parse_product (p) || !emit (p, (operation){.kind = c == '+' ? op_add : op_subtract})) return 0;
    }
    return 1;
}

expression *expression_parse (const char *text, char *error, size_t size)
{
    parser p = {.text = text, .at = text, .error = error, .size = size};
    if (!parse_sum (&p)) return NULL;
    if (next (&p))
    {
        fail (&p, "an operator is expected");
        return NULL;
    }
    expression *e = malloc (sizeof *e + (size_t)p.length * sizeof *e->code);
    if (!e)
    {
        fail (&p, "out of memory");
        return NULL;
    }
    e->length = p.length;
    memcpy (e->code, p.code, (size_t)p.length * sizeof *e->code);
    return e;
}

void expression_free (expression *e) { free (e); }
