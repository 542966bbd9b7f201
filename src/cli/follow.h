/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow.h - replay --follow: a recording is shown as it grows.
 *
 * What a recorder writes into a directory, or into a file and its
 * continuations, is shown as gpsnap live would show it, until the recorder
 * ends.  In a directory another recorder may begin soon after.
 */
#ifndef GS_CLI_FOLLOW_H
#define GS_CLI_FOLLOW_H

#include "cli/show_opts.h"
#include "replay/archive.h"
#include "view/show.h"

struct follow {
	const struct replay_options *o;
	struct archive *archive; /* the caller's, once follow_open() is done */
	bool directory; /* one is among the paths */
	struct show_source *source;
	struct show *show;
	bool ended; /* the recorder did */
	bool killed; /* ... without closing its file */
};

/* Opens the recording; waits for the first sample of a recorder that has just
 * begun.  GS_E_NOTFOUND: no recorder writes there.  From now on signals that
 * would end the program are caught.  The archive is NULL if a signal came
 * before it was opened. */
int follow_open(struct follow *f, char *const *path, size_t n,
	struct gs_err *err);

/* Restores the signals' former actions. */
void follow_let_signals(void);

/* Default start: the newest table; the overview shows the last ten minutes. */
int64_t follow_from(const struct follow *f);

/* Shows tables until the recorder ends, or it is interrupted. */
int follow_run(struct follow *f, const struct range *r,
	struct show_result *ret, struct gs_err *err);

/* For struct show_source: true once it is interrupted. */
bool follow_is_over(void *unused);

#endif
