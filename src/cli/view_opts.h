/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_opts.h - options that not every view can use: others refuse them, rather than
 * ignore them.
 */
#ifndef GS_CLI_VIEW_OPTS_H
#define GS_CLI_VIEW_OPTS_H

#include "cli/show_opts.h"
#include "view/view.h"

/* GS_E_USAGE: the view can't use an option. */
int view_opts_check(const struct replay_options *o, const struct view *v,
	struct gs_err *err);

#endif
