/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/timescan_figure.h"

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"

#define FIGURE(MEMBER) offsetof(struct timescan_point, MEMBER)

/* waiting comes before others that most look at less often. */
const struct timescan_metric timescan_metrics[] = {
	{ "load", "active database sessions: on a CPU, or waiting, by class",
	    FIGURE(load), false, LOAD_COUNT,
	    { "cpu", "io", "lwlock", "other", "lock" } },
	{ "waiting", "database sessions that wait for a lock or a queue",
	    FIGURE(waiting), false, 0, { NULL } },
	{ "cpu", "what the CPUs of the busiest host do, %",
	    FIGURE(cpu), true, CPU_COUNT,
	    { "user", "system", "iowait", "steal" } },
	{ "busy", "CPU time used, % of the busiest host",
	    FIGURE(busy_percent), true, 0, { NULL } },
	{ "active", "active database sessions",
	    FIGURE(active), false, 0, { NULL } },
	{ "running", "runnable tasks of all hosts",
	    FIGURE(running), false, 0, { NULL } },
	{ "await", "ms per request of the slowest disk",
	    FIGURE(await_ms), false, 0, { NULL } },
	{ "steal", "taken by the hypervisor, % of the host where it is most",
	    FIGURE(steal_percent), true, 0, { NULL } },
};

#define METRIC_LOAD 0
#define METRIC_CPU 2

_Static_assert((int)LOAD_COUNT <= TIMESCAN_PARTS &&
    (int)CPU_COUNT <= TIMESCAN_PARTS, "timescan_metric.part");

const size_t n_timescan_metrics = GS_LEN(timescan_metrics);

bool timescan_metric_find(const char *name, size_t *ret)
{
	size_t i;

	for (i = 0; i < n_timescan_metrics; i++) {
		if (strcmp(timescan_metrics[i].name, name) == 0) {
			*ret = i;
			return true;
		}
	}
	return false;
}

double timescan_sum(const double *v, size_t n)
{
	double all = 0;
	size_t i;

	for (i = 0; i < n; i++)
		all += v[i];
	return all;
}

const char *timescan_name(const struct timescan *s)
{
	return s->column ? strchr(s->column, '.') + 1
	                 : timescan_metrics[s->metric].name;
}

size_t timescan_parts(const struct timescan *s,
    const struct timescan_point *p, const double **ret)
{
	const struct timescan_metric *m = &timescan_metrics[s->metric];

	if (s->column || m->n_part == 0)
		return 0;
	*ret = (const double *)(const void *)((const char *)p + m->offset);
	return m->n_part;
}

bool timescan_value(const struct timescan *s, const struct timescan_point *p,
    double *ret)
{
	const double *part;
	size_t n = timescan_parts(s, p, &part);

	if (s->column) {
		*ret = p->value;
		return p->known;
	}
	if (p->ticks == 0)
		return false;
	if (n > 0)
		*ret = timescan_sum(part, n);
	else
		memcpy(ret, (const char *)p +
		    timescan_metrics[s->metric].offset, sizeof(*ret));
	/* without figures of CPUs there is no stack of them */
	return *ret >= 0 && (n != CPU_COUNT || p->busy_percent >= 0);
}

bool timescan_any(const struct timescan *s, size_t metric)
{
	struct timescan of = { .metric = metric };
	double v;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (timescan_value(&of, &s->point[i], &v) && v > 0)
			return true;
	}
	return false;
}

void timescan_suit(struct timescan *s)
{
	if (!s->chosen && !s->column)
		s->metric = timescan_any(s, METRIC_LOAD) ? METRIC_LOAD : METRIC_CPU;
}

bool timescan_busiest(const struct timescan *s, int64_t *ret_ns)
{
	struct timescan of = { .metric = timescan_any(s, METRIC_LOAD) ? METRIC_LOAD
		: METRIC_CPU };
	double most = -1, v;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!timescan_value(&of, &s->point[i], &v) || v <= most)
			continue;
		most = v;
		*ret_ns = s->start_ns + (int64_t)(i + 1) * s->step_ns;
	}
	return most >= 0;
}

bool timescan_is_percent(const struct timescan *s)
{
	return !s->column && timescan_metrics[s->metric].percent;
}

