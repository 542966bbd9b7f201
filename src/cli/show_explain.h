/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_explain.h - --explain: what a view's figures mean.
 */
#ifndef GS_CLI_SHOW_EXPLAIN_H
#define GS_CLI_SHOW_EXPLAIN_H

#include "base/buf.h"
#include "base/err.h"
#include "cli/show_opts.h"

/* Appends the definitions of the view and its columns, wrapped to a width.
 * GS_E_USAGE: there is no such view. */
int show_explain(const struct replay_options *o, size_t width,
	struct buf *to, struct gs_err *err);

#endif
