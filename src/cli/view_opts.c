/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/view_opts.h"

#include <string.h>

#include "base/compiler.h"

static bool has_pid(const struct replay_options *o)
{
	return o->pid > 0;
}

static bool has_query(const struct replay_options *o)
{
	return o->query_id != NULL;
}

static bool has_least(const struct replay_options *o)
{
	return o->min_percent >= 0;
}

static bool has_top(const struct replay_options *o)
{
	return o->top != SHOW_TOP_USUAL;
}

static bool has_event(const struct replay_options *o)
{
	return o->event || o->class;
}

#define VIEWS_MAX 8

/* What only these views use, and what does the same elsewhere. */
static const struct rule {
	bool (*is_given)(const struct replay_options *o);
	const char *option, *instead;
	const char *view[VIEWS_MAX];
} rules[] = {
	{ has_event, "--event and --class are of waits", "",
	    { "waits", "time_model", "system_event", "session_event",
	    "query_event", "histogram", "active" } },
	{ has_pid, "--pid is of waits",
	    "; elsewhere --where 'pid = N'",
	    { "waits", "time_model", "system_event", "session_event",
	    "query_event", "histogram", "active" } },
	{ has_query, "--query-id is of waits", "",
	    { "waits", "time_model", "system_event", "session_event",
	    "query_event", "histogram" } },
	{ has_least, "--min-pct is of events", "",
	    { "time_model", "system_event", "session_event", "query_event" } },
	{ has_top, "--top is of the events below a class",
	    "; elsewhere --limit N",
	    { "time_model" } },
};

static bool is_one_of(const struct rule *r, const char *view)
{
	size_t i;

	for (i = 0; i < VIEWS_MAX && r->view[i]; i++) {
		if (strcmp(r->view[i], view) == 0)
			return true;
	}
	return false;
}

static int refuse(const struct rule *r, const char *view, struct gs_err *err)
{
	struct buf names = BUF_INIT;
	size_t i;

	for (i = 0; i < VIEWS_MAX && r->view[i]; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", r->view[i]);
	(void)gs_fail(err, GS_E_USAGE, "%s: expected -V %s, not %s%s", r->option,
	    buf_str(&names), view, r->instead);
	buf_release(&names);
	return GS_E_USAGE;
}

int view_opts_check(const struct replay_options *o, const struct view *v,
	struct gs_err *err)
{
	const char *name = view_name(v);
	size_t i;

	for (i = 0; i < GS_LEN(rules); i++) {
		if (rules[i].is_given(o) && !is_one_of(&rules[i], name))
			return refuse(&rules[i], name, err);
	}
	if (strcmp(name, "histogram") == 0 && !o->event && !o->class &&
	    !o->metric)
		return gs_fail(err, GS_E_USAGE, "a histogram is of an event's "
		    "waits or of a column of processes: expected "
		    "--event EVENT, --class CLASS or --metric COLUMN");
	return GS_OK;
}
