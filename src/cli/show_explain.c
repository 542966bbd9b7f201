/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show_explain.h"

#include <string.h>

#include "base/wrap.h"
#include "cli/console.h"
#include "cli/tables.h"
#include "render/cell.h"
#include "view/ask.h"
#include "view/explain.h"

int show_explain(const struct opt_cmd *cmd, const struct replay_options *o)
{
	struct ask_words words = tables_words(o);
	size_t width = o->width ? (size_t)o->width : cli_width();
	struct buf text = BUF_INIT;
	const struct view *v;
	struct ask *a = NULL;
	struct gs_err err;

	if (!o->explain)
		return CLI_GO;
	if (ask_new(&words, &a, &err) < 0)
		return cli_usage(cmd, "%s", err.msg);
	v = ask_view(a);
	explain_add(&text, v, o->group_by != NULL, width);
	if (view_is_overview(v))
		wrap_add(&text, "It is made of other views: gpsnap replay "
		    "--explain -V sessions, -V processes, -V hosts, -V "
		    "events.", 0, 0, width);
	ask_free(a);
	return cli_print(&text);
}
