/* SPDX-License-Identifier: Apache-2.0 */
#include "render/family.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "metric/unit.h"
#include "render/cell.h"
#include "render/render_int.h"

/* "bits per second" within a name: "bits_per_second"; a count has none. */
static void name_unit(struct family *f, const char *base)
{
	size_t i;

	if (strcmp(base, "count") == 0)
		base = "";
	for (i = 0; base[i] && i + 1 < sizeof(f->unit); i++)
		f->unit[i] = base[i] == ' ' ? '_' : base[i];
	f->unit[i] = '\0';
}

/* The ending that only counters may have: of the name of a level it goes. */
static size_t length(const struct family *f, const char *metric)
{
	static const char total[] = "_total";
	size_t len = strlen(metric), end = sizeof(total) - 1;

	return !f->ending[0] && len > end &&
	    strcmp(metric + len - end, total) == 0 ? len - end : len;
}

static void name_family(struct family *f, const char *entity,
	const char *metric)
{
	size_t len = strlen(metric), end = strlen(f->unit);
	bool has = end == 0 || (len > end && metric[len - end - 1] == '_' &&
	    strcmp(metric + len - end, f->unit) == 0) ||
	    strcmp(metric, f->unit) == 0;

	(void)snprintf(f->name, sizeof(f->name), "gpsnap_%s_%.*s%s%s", entity,
	    (int)(end > 0 ? len : length(f, metric)), metric,
	    has ? "" : "_", has ? "" : f->unit); /* fits */
}

void family_of_figure(const char *name, const char *figure, const char *unit,
	bool grows, const char *help, struct family *ret)
{
	*ret = (struct family) { .type = grows ? "counter" : "gauge",
		.ending = grows ? "_total" : "", .help = help };
	name_unit(ret, unit);
	name_family(ret, name, figure);
}

void family_of_sum(const struct metric *m, const char *name,
	struct family *ret)
{
	family_of_figure(name, m->name,
	    unit_base_name((enum unit_id)m->unit), metric_is_counter(m),
	    m->help, ret);
}

void family_of_metric(const struct metric *m, struct family *ret)
{
	family_of_sum(m, entity_get((enum entity_id)m->entity)->name, ret);
}

void family_of_texts(const struct entity *e, struct family *ret)
{
	*ret = (struct family) { .type = "info", .ending = "_info",
		.help = e->help };
	(void)snprintf(ret->name, sizeof(ret->name), "gpsnap_%s",
	    e->name); /* fits */
}

void family_add_head(const struct family *f, struct buf *to)
{
	buf_printf(to, "# TYPE %s %s\n", f->name, f->type);
	if (f->unit[0])
		buf_printf(to, "# UNIT %s %s\n", f->name, f->unit);
	buf_printf(to, "# HELP %s ", f->name);
	openmetrics_add_escaped(to, f->help, strlen(f->help));
	buf_add_char(to, '\n');
}

void family_add_label(struct buf *labels, const char *name,
	struct span value)
{
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, value.ptr, span_len(value));
	buf_printf(labels, "%s%s=\"", labels->len ? "," : "", name);
	openmetrics_add_escaped(labels, buf_str(&safe), safe.len);
	buf_add_char(labels, '"');
	buf_release(&safe);
}

/* " 1795210384.790": three digits, or more if needed. */
static void add_time(int64_t ns, struct buf *to)
{
	uint64_t abs = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	uint64_t fraction = abs % GS_NSEC_PER_SEC;
	int digits = 9;

	while (digits > 3 && fraction % 1000 == 0) {
		fraction /= 1000;
		digits -= 3;
	}
	buf_printf(to, " %s%" PRIu64 ".%0*" PRIu64 "\n", ns < 0 ? "-" : "",
	    abs / GS_NSEC_PER_SEC, digits, fraction);
}

void family_add_sample(const struct family *f, const char *labels,
	size_t len, const struct cell *value, int64_t time_ns,
	struct buf *to)
{
	if (cell_is_absent(value))
		return;
	buf_printf(to, "%s%s", f->name, f->ending);
	if (len > 0) {
		buf_add_char(to, '{');
		buf_add(to, labels, len);
		buf_add_char(to, '}');
	}
	buf_add_char(to, ' ');
	if (value->kind == CELL_MAX)
		buf_add_str(to, "+Inf");
	else
		(void)cell_add_exact(to, Q_NUMBER, value);
	add_time(time_ns, to);
}
