/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.h - tables on the standard output, by the options of replay.
 */
#ifndef GS_CLI_TABLES_H
#define GS_CLI_TABLES_H

#include "cli/output.h"
#include "cli/show_opts.h"
#include "replay/archive.h"
#include "view/show.h"

struct tables {
	struct printer printer;
	struct show_output out; /* through the printer */
	struct show_options options;
	int64_t window[REPLAY_WINDOWS_MAX]; /* of options */
	struct show *show; /* NULL: none was made */
};

/* The files of a recording, and what is to be noted of them, for the lines above
 * tables. */
void tables_head(struct archive *a, const struct zone *zone,
	struct report *ret);

/* The options as an ask. */
struct ask_words tables_words(const struct replay_options *o);

/* Checks --find and --baseline for options that exclude them; GS_E_USAGE. */
int tables_check(const struct replay_options *o, struct gs_err *err);

/* The tables must not be moved from now on. */
void tables_init(struct tables *t, const struct replay_options *o);
void tables_release(struct tables *t);

/* Makes the show.  GS_E_USAGE: the options do not fit. */
int tables_show(struct tables *t, const struct replay_options *o,
	const struct show_source *src, struct gs_err *err);

/* As show_find(). */
int tables_find(const struct tables *t, const struct replay_options *o,
	const struct show_source *src, const struct range *r,
	struct show_result *ret, size_t *ret_found, struct gs_err *err);

/* As show_series(). */
int tables_series(struct tables *t, const struct replay_options *o,
	const struct show_source *src, const struct range *r,
	struct show_result *ret, char **ret_unseen, struct gs_err *err);

#endif
