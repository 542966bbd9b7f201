/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter.c - --where: a parser by recursive descent into an array of nodes, and
 * an evaluator.
 *
 * Limits: NODES_MAX nodes, DEPTH_MAX levels of brackets and nots, so that no
 * expression can exhaust the stack.
 */
#include "query/filter.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/units.h"
#include "query/filter_scan.h"
#include "query/sort.h"
#include "query/view_key.h"

#define NODES_MAX 256
#define DEPTH_MAX 64

struct node {
	enum op op;
	size_t left, right; /* OP_AND, OP_OR, OP_NOT (left) */
	size_t col;
	struct cell value; /* text points to word */
	char *word;
	regex_t regex;
	bool has_regex;
};

struct filter {
	struct node node[NODES_MAX];
	size_t n;
	size_t root;
	bool missed;
	struct buf scratch; /* for regexec(), which wants a NUL */
};

struct parser {
	struct filter_scan scan; /* first: an error is one of the scanner */
	struct filter *f;
	const struct grid *g;
	const struct when_env *when;
	unsigned depth;
};

static int new_node(struct parser *p, enum op op, size_t *ret)
{
	if (p->f->n == NODES_MAX)
		return filter_fail(&p->scan, "more than %d comparisons", NODES_MAX / 2);
	p->f->node[p->f->n] = (struct node) { .op = op };
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

/* The right side of a comparison. */
static int parse_right(struct parser *p, struct node *n)
{
	const struct grid_col *col = &p->g->col[n->col];
	bool match = n->op == OP_MATCH || n->op == OP_NO_MATCH;
	struct gs_err why = { .status = GS_OK };
	char *text;
	int r;

	if (p->scan.tok.kind != T_WORD && p->scan.tok.kind != T_QUOTED)
		return filter_expected(&p->scan, "a value");
	n->word = gs_strndup(p->scan.tok.text.ptr, span_len(p->scan.tok.text));
	if (match && col->quantity != Q_TEXT)
		return filter_fail(&p->scan, "%s holds numbers: ~ is for text",
		    col->name);
	if (match)
		return compile_regex(p, n);
	n->value = cell_text(span_str(n->word));
	text = gs_strdup(n->word);
	r = parse_value(p, col->quantity, text, &n->value, &why);
	free(text);
	return r < 0 ? filter_fail(&p->scan, "%s: %s", col->name, why.msg) : GS_OK;
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

static int parse_comparison(struct parser *p, size_t *ret)
{
	size_t index = 0, col = 0;
	struct node *n;
	int r;

	if (p->scan.tok.kind != T_WORD)
		return filter_expected(&p->scan, "a column");
	r = find_column(p, &col);
	if (r == GS_OK)
		r = new_node(p, OP_EQ, &index);
	if (r < 0)
		return r;
	n = &p->f->node[index];
	n->col = col;
	r = filter_scan(&p->scan);
	if (r < 0)
		return r;
	if (p->scan.tok.kind == T_WORD && filter_word_is(p->scan.tok.text, "is")) {
		r = parse_is(p, n);
	} else if (p->scan.tok.kind == T_OP) {
		n->op = p->scan.tok.op;
		r = filter_scan(&p->scan);
		if (r == GS_OK)
			r = parse_right(p, n);
	} else {
		return filter_expected(&p->scan, "= != < <= > >= ~ !~ or is");
	}
	*ret = index;
	return r < 0 ? r : filter_scan(&p->scan);
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
			p->f->node[*ret].left = inner;
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
	size_t left = 0;
	int r = term(p, &left);

	while (r == GS_OK && p->scan.tok.kind == joiner) {
		size_t right = 0, both = 0;

		r = filter_scan(&p->scan);
		if (r == GS_OK)
			r = term(p, &right);
		if (r == GS_OK)
			r = new_node(p, op, &both);
		if (r < 0)
			return r;
		p->f->node[both].left = left;
		p->f->node[both].right = right;
		left = both;
	}
	*ret = left;
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

struct filter *filter_new(const char *text, const struct grid *g,
	const struct when_env *when, struct gs_err *err)
{
	struct filter *f = gs_calloc(1, sizeof(*f));
	struct parser p = {
		.scan = FILTER_SCAN_INIT(text, err),
		.f = f, .g = g, .when = when,
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

void filter_free(struct filter *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->n; i++) {
		if (f->node[i].has_regex)
			regfree(&f->node[i].regex);
		free(f->node[i].word);
	}
	buf_release(&f->scratch);
	free(f);
}

static bool match_regex(struct filter *f, const struct node *n,
	const struct cell *c)
{
	if (c->kind != CELL_TEXT)
		return false;
	buf_reset(&f->scratch);
	buf_add(&f->scratch, c->text.ptr, span_len(c->text));
	return (regexec(&n->regex, buf_str(&f->scratch), 0, NULL, 0) == 0) ==
	    (n->op == OP_MATCH);
}

static bool compare(struct filter *f, const struct node *n,
	const struct cell *c)
{
	bool text = c->kind == CELL_TEXT;
	int r;

	if (n->op == OP_ABSENT || n->op == OP_PRESENT)
		return (c->kind == CELL_ABSENT) == (n->op == OP_ABSENT);
	if (n->op == OP_MAX || n->op == OP_NOT_MAX)
		return (c->kind == CELL_MAX) == (n->op == OP_MAX);
	if (c->kind == CELL_ABSENT) {
		f->missed = true;
		return false;
	}
	if (n->has_regex)
		return match_regex(f, n, c);
	if (text != (n->value.kind == CELL_TEXT))
		return false;
	if (c->kind == CELL_MAX)
		return n->op == OP_NE; /* it is no number */
	r = sort_compare_cells(c, &n->value);
	switch (n->op) {
	case OP_EQ:
		return r == 0;
	case OP_NE:
		return r != 0;
	case OP_LT:
		return r < 0;
	case OP_LE:
		return r <= 0;
	case OP_GT:
		return r > 0;
	case OP_GE:
		return r >= 0;
	case OP_AND:
	case OP_OR:
	case OP_NOT:
	case OP_MATCH:
	case OP_NO_MATCH:
	case OP_ABSENT:
	case OP_PRESENT:
	case OP_MAX:
	case OP_NOT_MAX:
		break;
	}
	return false;
}

/* Chains lean to the left, so the depth is at most NODES_MAX. */
static bool eval(struct filter *f, size_t index, const struct grid_row *row)
{
	const struct node *n = &f->node[index];

	if (n->op == OP_AND)
		return eval(f, n->left, row) && eval(f, n->right, row);
	if (n->op == OP_OR)
		return eval(f, n->left, row) || eval(f, n->right, row);
	if (n->op == OP_NOT)
		return !eval(f, n->left, row);
	return compare(f, n, &row->cell[n->col]);
}

bool filter_match(struct filter *f, const struct grid_row *row)
{
	f->missed = false;
	return eval(f, f->root, row);
}

bool filter_missed(const struct filter *f)
{
	return f->missed;
}

static enum filter_side side_of(const struct node *n)
{
	if (n->value.kind != CELL_INT && n->value.kind != CELL_REAL)
		return FILTER_USED;
	return n->op == OP_LT || n->op == OP_LE ? FILTER_LEAST : FILTER_MOST;
}

enum filter_side filter_side(const struct filter *f, size_t col)
{
	enum filter_side side = FILTER_UNUSED;
	size_t i;

	for (i = 0; i < f->n; i++) {
		enum filter_side one = side_of(&f->node[i]);

		if (f->node[i].op <= OP_NOT || f->node[i].col != col)
			continue;
		if (side <= FILTER_USED || one == FILTER_MOST)
			side = one;
	}
	return side;
}

void filter_texts(const struct filter *f, size_t col,
	void (*fn)(void *ctx, const char *text), void *ctx)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		const struct node *n = &f->node[i];

		if (n->op == OP_EQ && n->col == col && n->word &&
		    n->value.kind == CELL_TEXT)
			fn(ctx, n->word);
	}
}

/* A column is the first word of a comparison. */
void filter_names(const char *text, void (*fn)(void *ctx, struct span name),
	void *ctx)
{
	struct gs_err err; /* of a quote that is not closed */
	struct filter_scan p = FILTER_SCAN_INIT(text, &err);
	bool begins = true, is = false; /* after "is" */

	while (filter_scan(&p) == GS_OK && p.tok.kind != T_END) {
		const struct token *t = &p.tok;
		bool word = t->kind == T_WORD || t->kind == T_QUOTED;

		if (t->kind == T_WORD && begins)
			fn(ctx, t->text);
		begins = t->kind == T_AND || t->kind == T_OR ||
		    t->kind == T_OPEN || (t->kind == T_NOT && !is);
		is = word && !begins && filter_word_is(t->text, "is");
	}
}

void filter_grid(struct filter *f, struct grid *g)
{
	size_t i, n = 0;

	for (i = 0; i < g->n_row; i++) {
		if (filter_match(f, &g->row[i]))
			g->row[n++] = g->row[i];
	}
	g->n_row = n;
	g->n_total = n;
}
