/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_parse.c - from the text of a condition to nodes, by recursive descent.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "query/filter_int.h"
#include "query/filter_scan.h"
#include "query/view_key.h"

struct parser {
	struct filter_scan scan; /* first: an error is one of the scanner */
	struct filter *f;
	const struct grid *g;
	const struct when_env *when;
	unsigned depth, n_compared;
	bool has_past; /* usual(), spread() and slope() have values */
};

static int new_node(struct parser *p, enum op op, size_t *ret)
{
	p->n_compared += op > OP_NOT;
	if (p->n_compared > NODES_MAX / 2)
		return filter_fail(&p->scan, "more than %d comparisons", NODES_MAX / 2);
	if (p->f->n == NODES_MAX)
		return filter_fail(&p->scan, "more than %d comparisons and nots",
		    NODES_MAX);
	p->f->node[p->f->n] = (struct node) { .op = op, .next = NO_NODE };
	*ret = p->f->n++;
	return GS_OK;
}

/* A number with K, M, G, T of 1000, and "/s" where it is a rate. */
static int parse_count(const char *text, double *ret, struct gs_err *err)
{
	static const char letters[] = "KMGT";
	char copy[64];
	size_t len = strlen(text);
	const char *letter;
	double v, factor = 1;
	int r;

	if (len >= sizeof(copy))
		return gs_fail(err, GS_E_USAGE, "expected a number");
	memcpy(copy, text, len + 1);
	letter = len > 1 ? strchr(letters, toupper((unsigned char)
	    copy[len - 1])) : NULL;
	if (letter) {
		ptrdiff_t i;

		copy[len - 1] = '\0';
		for (i = 0; i <= letter - letters; i++)
			factor *= 1000;
	}
	r = units_real(copy, &v, err);
	if (r < 0)
		return gs_fail(err, GS_E_USAGE, "\"%s\": expected a number "
		    "such as 10, 2.5 or 3K", text);
	*ret = v * factor;
	return GS_OK;
}

/* text without a unit for readers: "/s" of rates, "%". */
static void strip_unit(enum quantity q, char *text)
{
	size_t len = strlen(text);
	bool rate = q == Q_RATE || q == Q_BYTES_RATE;

	if (rate && len > 2 && strcmp(text + len - 2, "/s") == 0)
		text[len - 2] = '\0';
	else if (q == Q_PERCENT && len > 1 && text[len - 1] == '%')
		text[len - 1] = '\0';
}

/* The value of text in a column of quantity q. */
static int parse_value(const struct parser *p, enum quantity q, char *text,
	struct cell *ret, struct gs_err *err)
{
	bool minus = *text == '-';
	uint64_t bytes = 0;
	int64_t ns = 0;
	double v = 0;
	int r = GS_OK;

	strip_unit(q, text);
	switch (q) {
	case Q_TEXT:
		return GS_OK;
	case Q_BYTES:
	case Q_BYTES_RATE:
		r = units_size(text + minus, &bytes, err);
		v = (double)bytes;
		break;
	case Q_SECONDS:
	case Q_LATENCY:
	case Q_AGE:
		r = units_duration(text + minus, &ns, err);
		v = (double)ns / 1e9;
		break;
	case Q_TIME:
		if (!p->when)
			return gs_fail(err, GS_E_USAGE,
			    "times can't be compared here");
		r = when_parse(text, p->when, &ns, err);
		*ret = cell_int(ns);
		return r;
	case Q_COUNT:
	case Q_ID:
	case Q_NUMBER:
	case Q_RATE:
	case Q_PERCENT:
	case Q_BY_ROW:
		r = parse_count(text + minus, &v, err);
		break;
	}
	*ret = cell_real(minus ? -v : v);
	return r;
}

static int compile_regex(const struct parser *p, struct node *n)
{
	int r = regcomp(&n->regex, n->word, REG_EXTENDED | REG_NOSUB);
	char text[128];

	if (r == 0) {
		n->has_regex = true;
		return GS_OK;
	}
	(void)regerror(r, &n->regex, text, sizeof(text)); /* cut is fine */
	return filter_fail(&p->scan, "expected a regular expression: %s", text);
}

/* The column of "session.cpu" in the view of sessions; else the whole name. */
static struct span column_name(const struct grid *g, struct span name)
{
	struct span first, rest = name;
	const struct view_key *t;

	if (!scan_until(&rest, '.', &first))
		return name;
	t = view_key_find(first.ptr, span_len(first));
	return t && strcmp(t->view, g->name) == 0 ? rest : name;
}

static int find_column(struct parser *p, size_t *ret)
{
	struct span name = column_name(p->g, p->scan.tok.text);
	int col = grid_find_col(p->g, name.ptr, span_len(name));
	struct gs_err err;

	if (col >= 0) {
		*ret = (size_t)col;
		return GS_OK;
	}
	(void)grid_no_col(p->g, name.ptr, span_len(name), &err); /* for its text */
	return filter_fail(&p->scan, "%s", err.msg);
}

/* A text, a number, an instant. */
static int parse_constant(struct parser *p, struct node *n, enum quantity q,
	const char *of)
{
	struct gs_err why = { .status = GS_OK };
	char *text;
	int r;

	n->word = gs_strndup(p->scan.tok.text.ptr, span_len(p->scan.tok.text));
	n->value = cell_text(span_str(n->word));
	text = gs_strdup(n->word);
	r = parse_value(p, q, text, &n->value, &why);
	free(text);
	return r < 0 ? filter_fail(&p->scan, "%s: %s", of, why.msg)
	             : filter_scan(&p->scan);
}

/* ---- terms -------------------------------------------------------------- */

static int too_many(const struct parser *p)
{
	return filter_fail(&p->scan, "functions of more than %d columns",
	    FUNCTION_COLS);
}

/* The slot of the term's column among cols. */
static int add_column(const struct parser *p, struct term *t, size_t cols[],
	size_t *n)
{
	for (t->slot = 0; t->slot < *n; t->slot++) {
		if (cols[t->slot] == t->col)
			return GS_OK;
	}
	if (*n == FUNCTION_COLS)
		return too_many(p);
	cols[(*n)++] = t->col;
	return GS_OK;
}

static int check_past(const struct parser *p)
{
	return p->has_past ? GS_OK : filter_fail(&p->scan, "usual(), spread() "
	    "and slope() compare with earlier samples: with --find only");
}

static int add_past(struct parser *p, struct term *t)
{
	int r = check_past(p);

	return r < 0 ? r : add_column(p, t, p->f->past_col,
	    &p->f->n_past_col);
}

static int add_slope(struct parser *p, struct term *t)
{
	int r = check_past(p);

	return r < 0 ? r : add_column(p, t, p->f->slope_col, &p->f->n_slope);
}

static int add_whole(struct parser *p, struct term *t)
{
	struct filter *f = p->f;

	f->of_table = true;
	for (t->slot = 0; t->slot < f->n_whole; t->slot++) {
		if (f->whole[t->slot].col == t->col)
			return GS_OK;
	}
	if (f->n_whole == FUNCTION_COLS)
		return too_many(p);
	f->whole[f->n_whole++].col = t->col;
	return GS_OK;
}

static int add_rows(struct parser *p, struct term *t)
{
	(void)t; /* has no column */
	p->f->of_table = true;
	return GS_OK;
}

static const struct {
	const char *name;
	enum term_kind kind;
	int (*add)(struct parser *p, struct term *t);
} functions[] = {
	{ "usual", TERM_USUAL, add_past },
	{ "spread", TERM_SPREAD, add_past },
	{ "slope", TERM_SLOPE, add_slope },
	{ "peers", TERM_PEERS, add_whole },
	{ "share", TERM_SHARE, add_whole },
	{ "sum", TERM_SUM, add_whole },
	{ "rows", TERM_ROWS, add_rows },
};

static struct token token_after(const struct parser *p)
{
	struct gs_err ignored; /* the token is scanned once more */
	struct filter_scan ahead = p->scan;

	ahead.err = &ignored;
	if (filter_scan(&ahead) < 0)
		ahead.tok.kind = T_END;
	return ahead.tok;
}

static bool is_function(const struct parser *p)
{
	size_t i;

	if (p->scan.tok.kind != T_WORD || token_after(p).kind != T_OPEN)
		return false;
	for (i = 0; i < GS_LEN(functions); i++) {
		if (filter_word_is(p->scan.tok.text, functions[i].name))
			return true;
	}
	return false;
}

static bool is_number(const struct parser *p, size_t col)
{
	enum quantity q = p->g->col[col].quantity;

	return q != Q_TEXT && q != Q_TIME;
}

/* The column between the brackets of a function. */
static int parse_argument(struct parser *p, struct term *t)
{
	int r;

	if (t->kind == TERM_ROWS)
		return GS_OK;
	if (p->scan.tok.kind != T_WORD)
		return filter_expected(&p->scan, "a column");
	r = find_column(p, &t->col);
	if (r == GS_OK && !is_number(p, t->col))
		return filter_fail(&p->scan, "%s holds no numbers",
		    p->g->col[t->col].name);
	return r == GS_OK ? filter_scan(&p->scan) : r;
}

/* "usual(await)"; the token is "usual". */
static int parse_function(struct parser *p, struct term *t)
{
	size_t at = 0;
	int r;

	while (!filter_word_is(p->scan.tok.text, functions[at].name))
		at++; /* it is one of them */
	t->kind = functions[at].kind;
	r = filter_scan(&p->scan); /* the bracket */
	if (r == GS_OK)
		r = filter_scan(&p->scan);
	if (r == GS_OK)
		r = parse_argument(p, t);
	if (r == GS_OK && p->scan.tok.kind != T_CLOSE)
		return filter_expected(&p->scan, "a closing bracket");
	if (r == GS_OK)
		r = functions[at].add(p, t);
	return r == GS_OK ? filter_scan(&p->scan) : r;
}

/* "5 *", "5*": the token after it begins a term.  No factor: 1. */
static int parse_factor(struct parser *p, double *ret)
{
	struct span *w = &p->scan.tok.text, number;
	struct token next = token_after(p);
	bool apart = next.kind == T_WORD && *next.text.ptr == '*';
	char text[32];
	struct gs_err why;
	int r = GS_OK;

	number = *w;
	if (p->scan.tok.kind != T_WORD || (!apart &&
	    !scan_until(w, '*', &number)))
		return GS_OK;
	if (span_len(number) >= sizeof(text))
		return filter_expected(&p->scan, "a number before *");
	memcpy(text, number.ptr, span_len(number));
	text[span_len(number)] = '\0';
	if (units_real(text, ret, &why) < 0)
		return filter_expected(&p->scan, "a number before *");
	if (apart) {
		r = filter_scan(&p->scan);
		w->ptr++; /* the sign */
	}
	p->scan.rest.ptr = w->ptr;
	return r == GS_OK ? filter_scan(&p->scan) : r;
}

/* Whether the right side is a column: no value begins with a letter. */
static bool is_column(const struct parser *p)
{
	struct span name = column_name(p->g, p->scan.tok.text);
	int col;

	if (p->scan.tok.kind != T_WORD ||
	    !isalpha((unsigned char)*p->scan.tok.text.ptr))
		return false;
	col = grid_find_col(p->g, name.ptr, span_len(name));
	return col >= 0 && is_number(p, (size_t)col);
}

/* The right side of a comparison with a number. */
static int parse_number(struct parser *p, struct node *n, enum quantity q,
	const char *of)
{
	struct term *t = &n->with;
	int r;

	t->factor = 1;
	r = parse_factor(p, &t->factor);
	if (r < 0)
		return r;
	if (is_function(p))
		return parse_function(p, t);
	if (is_column(p)) {
		t->kind = TERM_COLUMN;
		r = find_column(p, &t->col);
		return r == GS_OK ? filter_scan(&p->scan) : r;
	}
	if (t->factor != 1)
		return filter_expected(&p->scan, "a column or a function "
		    "after *");
	if (p->scan.tok.kind != T_WORD && p->scan.tok.kind != T_QUOTED)
		return filter_expected(&p->scan, "a value");
	return parse_constant(p, n, q, of);
}

/* The right side of a comparison. */
static int parse_right(struct parser *p, struct node *n)
{
	bool match = n->op == OP_MATCH || n->op == OP_NO_MATCH;
	enum quantity q = n->of.kind == TERM_SHARE ? Q_PERCENT
	    : n->of.kind == TERM_ROWS ? Q_COUNT
	    : p->g->col[n->of.col].quantity;
	const char *of = n->of.kind == TERM_ROWS ? "rows()"
	                                         : p->g->col[n->of.col].name;
	int r;

	if (match && q != Q_TEXT)
		return filter_fail(&p->scan, "%s holds numbers: ~ is for text",
		    of);
	if (q != Q_TEXT && q != Q_TIME)
		return parse_number(p, n, q, of);
	if (p->scan.tok.kind != T_WORD && p->scan.tok.kind != T_QUOTED)
		return filter_expected(&p->scan, "a value");
	if (!match)
		return parse_constant(p, n, q, of);
	n->word = gs_strndup(p->scan.tok.text.ptr, span_len(p->scan.tok.text));
	r = compile_regex(p, n);
	return r == GS_OK ? filter_scan(&p->scan) : r;
}

/* "is absent", "is present", "is max", "is not absent"; the token is "is". */
static int parse_is(struct parser *p, struct node *n)
{
	bool negate = false, absent;
	int r = filter_scan(&p->scan);

	if (r == GS_OK && p->scan.tok.kind == T_NOT) {
		negate = true;
		r = filter_scan(&p->scan);
	}
	if (r < 0)
		return r;
	if (p->scan.tok.kind == T_WORD &&
	    filter_word_is(p->scan.tok.text, "max")) {
		n->op = negate ? OP_NOT_MAX : OP_MAX;
		return GS_OK;
	}
	absent = filter_word_is(p->scan.tok.text, "absent");
	if (p->scan.tok.kind != T_WORD ||
	    (!absent && !filter_word_is(p->scan.tok.text, "present")))
		return filter_expected(&p->scan, "absent, present or max");
	n->op = absent != negate ? OP_ABSENT : OP_PRESENT;
	return GS_OK;
}

/* A column or a function. */
static int parse_left(struct parser *p, struct term *t)
{
	int r;

	*t = (struct term) { .kind = TERM_COLUMN, .factor = 1,
		.col = FILTER_NO_COL };
	if (p->scan.tok.kind != T_WORD)
		return filter_expected(&p->scan, "a column");
	if (is_function(p))
		return parse_function(p, t);
	r = find_column(p, &t->col);
	return r == GS_OK ? filter_scan(&p->scan) : r;
}

static int parse_comparison(struct parser *p, size_t *ret)
{
	struct term of;
	size_t index = 0;
	struct node *n;
	int r = parse_left(p, &of);

	if (r == GS_OK)
		r = new_node(p, OP_EQ, &index);
	if (r < 0)
		return r;
	n = &p->f->node[index];
	n->of = of;
	n->with.col = FILTER_NO_COL;
	n->col = of.kind == TERM_COLUMN ? of.col : FILTER_NO_COL;
	*ret = index;
	if (p->scan.tok.kind == T_WORD && of.kind == TERM_COLUMN &&
	    filter_word_is(p->scan.tok.text, "is")) {
		r = parse_is(p, n);
		return r == GS_OK ? filter_scan(&p->scan) : r;
	}
	if (p->scan.tok.kind != T_OP)
		return filter_expected(&p->scan, "= != < <= > >= ~ !~ or is");
	n->op = p->scan.tok.op;
	r = filter_scan(&p->scan);
	return r == GS_OK ? parse_right(p, n) : r;
}

static int parse_or(struct parser *p, size_t *ret);

static int parse_brackets(struct parser *p, size_t *ret)
{
	int r = filter_scan(&p->scan);

	if (r == GS_OK)
		r = parse_or(p, ret);
	if (r < 0)
		return r;
	if (p->scan.tok.kind != T_CLOSE)
		return filter_expected(&p->scan, "and, or, or a closing bracket");
	return filter_scan(&p->scan);
}

static int parse_not(struct parser *p, size_t *ret)
{
	size_t inner = 0;
	int r;

	if (++p->depth > DEPTH_MAX)
		return filter_fail(&p->scan, "more than %d levels", DEPTH_MAX);
	if (p->scan.tok.kind == T_OPEN) {
		r = parse_brackets(p, ret);
	} else if (p->scan.tok.kind == T_NOT) {
		r = filter_scan(&p->scan);
		if (r == GS_OK)
			r = parse_not(p, &inner);
		if (r == GS_OK)
			r = new_node(p, OP_NOT, ret);
		if (r == GS_OK)
			p->f->node[*ret].first = inner;
	} else {
		r = parse_comparison(p, ret);
	}
	p->depth--;
	return r;
}

/* A chain of terms joined by and, or of such chains joined by or. */
static int parse_chain(struct parser *p, enum token_kind joiner, enum op op,
	int (*term)(struct parser *, size_t *), size_t *ret)
{
	size_t last = 0, next = 0;
	int r = term(p, &last);

	*ret = last;
	if (r < 0 || p->scan.tok.kind != joiner)
		return r;
	r = new_node(p, op, ret);
	if (r == GS_OK)
		p->f->node[*ret].first = last;
	while (r == GS_OK && p->scan.tok.kind == joiner) {
		r = filter_scan(&p->scan);
		if (r == GS_OK)
			r = term(p, &next);
		if (r < 0)
			return r;
		p->f->node[last].next = next;
		last = next;
	}
	return r;
}

static int parse_and(struct parser *p, size_t *ret)
{
	return parse_chain(p, T_AND, OP_AND, parse_not, ret);
}

static int parse_or(struct parser *p, size_t *ret)
{
	return parse_chain(p, T_OR, OP_OR, parse_and, ret);
}

static struct filter *compile(const char *text, const struct grid *g,
	const struct when_env *when, bool has_past, struct gs_err *err)
{
	struct filter *f = gs_calloc(1, sizeof(*f));
	struct parser p = {
		.scan = FILTER_SCAN_INIT(text, err),
		.f = f, .g = g, .when = when, .has_past = has_past,
	};
	int r = filter_scan(&p.scan);

	if (r == GS_OK)
		r = parse_or(&p, &f->root);
	if (r == GS_OK && p.scan.tok.kind != T_END)
		r = filter_expected(&p.scan, "and, or, or the end");
	if (r == GS_OK)
		return f;
	filter_free(f);
	return NULL;
}

struct filter *filter_new(const char *text, const struct grid *g,
	const struct when_env *when, struct gs_err *err)
{
	return compile(text, g, when, false, err);
}

struct filter *filter_new_over_time(const char *text, const struct grid *g,
	const struct when_env *when, struct gs_err *err)
{
	return compile(text, g, when, true, err);
}
