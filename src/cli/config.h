/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config.h - defaults of options, thresholds and colours, from files:
 * /etc/gpsnap.conf, then ~/.config/gpsnap/config (XDG_CONFIG_HOME), of which
 * the later wins; the command line wins over both.  GPSNAP_CONFIG names another
 * file in place of these, or none if it is empty.
 *
 *   [defaults]            any command that has the option
 *   interval = 2s
 *   [replay]              one command
 *   limit = 50
 *   [thresholds]          of the terminal: worth a look, bad
 *   busy_percent = 70,90
 *   [colours]             watch, bad, strong, dim, title, note
 *   bad = magenta
 *   [finding lock wait]   a rule (findings/rule.h), changed or added
 *   for = 30s
 *   [watch pile-up]       of record (cli/watch_rules.h)
 *   on = lock.waiters > 5
 */
#ifndef GS_CLI_CONFIG_H
#define GS_CLI_CONFIG_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "cli/opt.h"

/* Reads the files once; texts live until the program ends.  GS_E_USAGE names
 * file and line. */
int config_load(struct gs_err *err);

/* Stores the files' values of a command's options into the struct at to, and which they
 * are into rest.  As opt_parse(), GS_E_USAGE with file and line. */
int config_apply(const struct opt_cmd *c, void *to, struct opt_rest *rest,
	struct gs_err *err);

/* Calls fn with each entry of the sections [watch NAME], in order.  Its error
 * gets file and line. */
typedef int (*config_watch_fn)(void *ctx, const char *name, const char *key,
	const char *value, struct gs_err *err);
int config_each_watch(config_watch_fn fn, void *ctx, struct gs_err *err);

/* The value of an entry; NULL: there is none.  After config_load(). */
const char *config_get(const char *section, const char *key);

/* Thresholds and colours of the terminal. */
int config_looks(struct gs_err *err);

/* Appends the directory of the user's own files, ~/.config/gpsnap; false: there
 * is no home. */
bool config_dir(struct buf *to);

/* Reads no file. */
void config_off(void);

/* Resets it, for tests that read several files. */
void config_forget(void);

#endif
