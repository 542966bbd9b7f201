/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow.h - replay --follow: a recording is shown as it grows.
 *
 * Whatever a recorder writes into a directory, or into a file and those in
 * which that goes on, is shown as gpsnap live would show it, until the
 * recorder ends.  In a directory another one may begin soon after.
 */
#ifndef GS_CLI_FOLLOW_H
#define GS_CLI_FOLLOW_H

#include "cli/show.h"
#include "replay/archive.h"

struct follow {
	const struct replay_options *o;
	struct archive *archive; /* the caller's, once follow_open() is done */
	bool directory; /* one is among the paths */
	struct show_source *source;
	struct show *show;
	bool ended; /* the recorder did */
	bool killed; /* ... without closing its file */
};

/* Opens what is recorded there; waits for the first sample of a recorder that
 * has just begun.  GS_E_NOTFOUND: nobody records there.  From now on signals
 * that would end the program are waited for.  The archive is NULL if that
 * came before there was one. */
int follow_open(struct follow *f, char *const *path, size_t n,
	struct gs_err *err);

/* They end the program again, or do what whoever takes over wants. */
void follow_let_signals(void);

/* Where it begins if nothing is said: with the newest table; the overview is
 * of the last ten minutes. */
int64_t follow_from(const struct follow *f);

/* Shows until the recorder ends, or it is interrupted. */
int follow_run(struct follow *f, const struct range *r,
	struct show_result *ret, struct gs_err *err);

/* For struct show_source: true once it is interrupted. */
bool follow_is_over(void *unused);

#endif
