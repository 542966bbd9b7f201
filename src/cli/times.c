/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/times.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/when.h"
#include "cli/console.h"

#define DAY_NS (24 * 3600 * GS_NSEC_PER_SEC)
#define BASELINE_MAX_NS (3660 * DAY_NS) /* ten years */

int times_check(const struct opt_cmd *c, const struct times *t)
{
	if (t->utc && t->tz)
		return cli_usage(c,
		    "--utc and --tz: expected only one of them");
	return CLI_GO;
}

static bool is_before_end(const char *text)
{
	return text && text[0] == '-';
}

int times_check_pipe(const struct times *t, struct gs_err *err)
{
	if (!is_before_end(t->from) && !is_before_end(t->to))
		return GS_OK;
	return gs_fail(err, GS_E_USAGE, "the end of a pipe is not known before "
	    "it comes: a time before the end needs a file");
}

int times_zone(const struct times *t, int32_t offset_s,
	struct zone *ret, struct gs_err *err)
{
	int r;

	if (!t->tz) {
		*ret = zone_fixed(t->utc ? 0 : offset_s);
		return GS_OK;
	}
	r = zone_parse(ret, t->tz, err);
	if (r < 0)
		gs_err_prefix(err, "--tz");
	return r;
}

static int resolve(const char *name, const char *text,
	const struct when_env *env, int64_t *ret_ns, struct gs_err *err)
{
	int r = text ? when_parse(text, env, ret_ns, err) : GS_OK;

	if (r < 0)
		gs_err_prefix(err, "%s", name);
	return r;
}

/* A range as typed. */
struct written {
	const char *from, *to; /* NULL: open */
	const char *from_name, *to_name; /* in messages */
	bool grows; /* the end may be a time to come */
};

/* A time of day alone as the end: the first such time after the start. */
static bool crosses_midnight(const struct written *w,
	const struct when_env *env, int64_t from_ns, int64_t to_ns)
{
	struct when_env start = *env;
	int64_t same_day_ns = 0;

	if (!w->from || !w->to || zone_same_date(env->zone, from_ns, to_ns))
		return false;
	start.has_start = false;
	start.first_ns = start.last_ns = from_ns;
	return when_parse(w->to, &start, &same_day_ns, NULL) == GS_OK &&
	    same_day_ns < from_ns &&
	    zone_same_date(env->zone, same_day_ns, from_ns);
}

static int parse_range(const struct written *w, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t *ret_from_ns,
	int64_t *ret_to_ns, struct gs_err *err)
{
	struct when_env env = {
		.zone = zone,
		.first_ns = first_ns,
		.last_ns = last_ns,
		.now_ns = gs_clock_wall_ns(),
	};
	int64_t from = INT64_MIN, to = INT64_MAX;
	int r = resolve(w->from_name, w->from, &env, &from, err);

	if (r < 0)
		return r;
	env.is_end = true;
	env.has_start = w->from != NULL;
	env.start_ns = from;
	r = resolve(w->to_name, w->to, &env, &to, err);
	if (r < 0)
		return r;
	if (to < from)
		return gs_fail(err, GS_E_USAGE,
		    "%s %s is before %s %s", w->to_name,
		    w->to ? w->to : "", w->from_name,
		    w->from ? w->from : "");
	if (!w->grows && crosses_midnight(w, &env, from, to) &&
	    zone_same_date(zone, from, last_ns))
		return gs_fail(err, GS_E_USAGE, "%s %s is before %s %s, and the "
		    "recording has no midnight between them", w->to_name,
		    w->to, w->from_name, w->from);
	*ret_from_ns = from;
	*ret_to_ns = to;
	return GS_OK;
}

int times_range(const struct times *t, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t *ret_from_ns,
	int64_t *ret_to_ns, struct gs_err *err)
{
	const struct written range = { t->from, t->to, "--from", "--to",
		t->grows };
	const struct written at = { t->at, t->at, "--at", "--at", false };
	const struct written w = t->at ? at : range;
	int r = parse_range(&w, zone, first_ns, last_ns, ret_from_ns,
	    ret_to_ns, err);

	if (r == GS_OK && t->duration_ns > 0)
		*ret_to_ns = (t->from ? *ret_from_ns : first_ns) +
		    t->duration_ns;
	return r;
}

void times_widen(int64_t interval_ns, int64_t *from_ns, int64_t *to_ns)
{
	if (*from_ns != *to_ns || interval_ns <= 0)
		return;
	if (*to_ns % GS_NSEC_PER_SEC == 0)
		*to_ns = gs_sum(*to_ns,
		    GS_MIN(interval_ns, GS_NSEC_PER_SEC) - 1);
	*from_ns = gs_difference(*to_ns, interval_ns);
}

/* "-24h" */
static int shift_range(const char *text, int64_t from_ns, int64_t to_ns,
	int64_t *ret_from_ns, int64_t *ret_to_ns, struct gs_err *err)
{
	int64_t by_ns = 0;

	if (text[0] != '-' || units_duration(text + 1, &by_ns, NULL) < 0 ||
	    by_ns <= 0 || by_ns > BASELINE_MAX_NS)
		return gs_fail(err, GS_E_USAGE, "expected a range such as "
		    "13:00..13:30, or how much earlier, such as -1h or -7d; "
		    "got \"%.60s\"", text);
	*ret_from_ns = from_ns - by_ns;
	*ret_to_ns = to_ns - by_ns;
	return GS_OK;
}

int times_parse_range(const char *text, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t *ret_from_ns,
	int64_t *ret_to_ns, struct gs_err *err)
{
	struct written w = { NULL, NULL, "start", "end", false };
	const char *dots = strstr(text, "..");
	char *from = gs_strndup(text, (size_t)(dots - text));
	int r;

	w.from = *from ? from : NULL;
	w.to = dots[2] ? dots + 2 : NULL;
	r = parse_range(&w, zone, first_ns, last_ns, ret_from_ns, ret_to_ns,
	    err);
	free(from);
	return r;
}

int times_baseline(const char *text, const struct zone *zone,
	int64_t first_ns, int64_t last_ns, int64_t from_ns, int64_t to_ns,
	int64_t *ret_from_ns, int64_t *ret_to_ns, struct gs_err *err)
{
	int r;

	if (strstr(text, ".."))
		r = times_parse_range(text, zone, first_ns, last_ns,
		    ret_from_ns, ret_to_ns, err);
	else
		r = shift_range(text, GS_MAX(from_ns, first_ns),
		    GS_MIN(to_ns, last_ns), ret_from_ns, ret_to_ns, err);
	if (r < 0)
		gs_err_prefix(err, "--baseline");
	return r;
}
