/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff_int.h - shared by the files of src/diff.
 */
#ifndef GS_DIFF_DIFF_INT_H
#define GS_DIFF_DIFF_INT_H

#include "diff/diff.h"
#include "query/compare.h"

/* One table of the result. */
struct diff_section {
	const char *title; /* "statements"; NULL: the view's name */
	struct ask_words words;
	struct ask *ask;
	bool lines; /* a row per figure; else the view's table */
	bool all; /* ... of each metric */
	bool hidden; /* only for fail_if */
	struct grid *grid; /* the comparison */
	unsigned char *about; /* per line, enum metric_section; NULL: they are
	                       * one section */
};

#define SECTIONS_MAX 8

struct diff {
	const struct diff_options *o;
	const struct diff_side *side;
	struct diff_section section[SECTIONS_MAX];
	size_t n;
	struct reading a, b;
	struct report report; /* of b, with notes on both */
	const char *without[3]; /* keys that differ on purpose */
	size_t n_without;
	char *keys; /* --group-by with the segment */
	char *columns; /* --metrics and --sort, whose metrics are read */
	size_t n_filtered; /* lines that --where took */
	size_t gate; /* section of fail_if */
	bool gate_lines; /* it is about lines */
};

/* sections.c: chooses the tables. */
int sections_choose(struct diff *d, struct gs_err *err);

/* about.c: whether lines are to be split by what they are about, and the names
 * are of such sections; notes it for each line; prints the sections that are
 * asked for. */
bool about_is_asked(const struct diff *d);
int about_check(const struct diff *d, struct gs_err *err);
void about_note(struct diff *d, size_t section);
void about_name_empty(const struct diff *d, const struct diff_section *s,
	struct buf *to); /* "processes, limits": without lines */
bool about_print(const struct diff *d, const struct diff_section *s,
	const struct show_output *out);

/* tables.c: compares the tables of a section; the caller frees the grid. */
int diff_compare(struct diff *d, size_t section, bool lines,
	struct grid **ret, struct gs_err *err);
struct when_env diff_when(const struct diff *d);

/* gate.c: finds the section that fail_if is about, or adds it; counts the rows
 * for which it holds, after the sides are read, and names them. */
int gate_choose(struct diff *d, struct gs_err *err);
int gate_check(struct diff *d, const struct show_output *out, size_t *ret_n,
	struct gs_err *err);

/* order.c: sorts lines of the rows of `of` by the user's keys; NULL: what is new,
 * gone, then by the percentage. */
int order_lines(struct grid *g, const struct grid *of, const char *keys,
	struct gs_err *err);

/* form.c: chooses the columns for people. */
void form_lines(struct grid *g, enum diff_form form, bool utf8);
void form_table(struct grid *g, enum diff_form form, bool utf8);

/* A title, with the number of lines where some are left out. */
void form_title(struct grid *g, const char *title, size_t n_all);

/* notes.c: adds what can't be compared to the report. */
void notes_add(struct diff *d, struct diff_result *ret);

#endif
