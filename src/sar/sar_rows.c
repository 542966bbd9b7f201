/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_rows.c - which rows of an activity there are, which are wanted, and which
 * of the wanted activities were not recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/units.h"
#include "sar/sar_table.h"

#define CPU_MAX 65535

/* The CPU numbers that sar knows, and all CPUs together. */
#define EVERY_CPU 8193

void sar_choice_release(struct sar_choice *c)
{
	free(c->cpu);
	free(c->disks);
	free(c->nets);
	free(c->filesystems);
	*c = (struct sar_choice) SAR_CHOICE_INIT;
}

/* ---- CPUs ------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void add_range(struct sar_choice *c, size_t *cap, int64_t from,
	int64_t to)
{
	for (; from <= to; from++) {
		GS_GROW(c->cpu, cap, c->n_cpu + 1);
		c->cpu[c->n_cpu++] = (uint64_t)from;
	}
}

static int wrong_cpu(const char *word, struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "%s: expected numbers of CPUs such as "
	    "0,2-4, all or ALL", word);
}

/* "3", "2-4", "2-", "all". */
static int add_cpu(struct sar_choice *c, size_t *cap, char *word,
	struct gs_err *err)
{
	char *dash = strchr(word, '-');
	int64_t from, to;

	if (strcmp(word, "all") == 0 || strcmp(word, "ALL") == 0) {
		c->no_all = false;
		c->every_cpu |= *word == 'A';
		return GS_OK;
	}
	if (dash)
		*dash = '\0';
	if (units_int(word, 0, CPU_MAX, &from, err) < 0)
		return wrong_cpu(word, err);
	to = dash && !dash[1] ? EVERY_CPU - 2 : from;
	if (dash && dash[1] && units_int(dash + 1, from, CPU_MAX, &to, err) < 0)
		return wrong_cpu(dash + 1, err);
	add_range(c, cap, from, to);
	return GS_OK;
}

/* Rising, each once. */
static void set_in_order(struct sar_choice *c)
{
	size_t i, n = 0;

	if (c->n_cpu == 0)
		return;
	qsort(c->cpu, c->n_cpu, sizeof(*c->cpu), by_number);
	for (i = 0; i < c->n_cpu; i++) {
		if (n == 0 || c->cpu[n - 1] != c->cpu[i])
			c->cpu[n++] = c->cpu[i];
	}
	c->n_cpu = n;
}

int sar_choice_cpus(struct sar_choice *c, const char *list,
	struct gs_err *err)
{
	char *copy, *word, *rest = NULL;
	size_t cap = 0;
	int r = GS_OK;

	free(c->cpu);
	c->cpu = NULL;
	c->n_cpu = 0;
	c->every_cpu = false;
	c->no_all = true;
	copy = gs_strdup(list);
	for (word = strtok_r(copy, ",", &rest); word && r == GS_OK;
	    word = strtok_r(NULL, ",", &rest))
		r = add_cpu(c, &cap, word, err);
	if (r == GS_OK && c->no_all && c->n_cpu == 0)
		r = wrong_cpu(list, err);
	free(copy);
	set_in_order(c);
	return r;
}

static bool wants_cpu(const struct sar_choice *c, uint64_t number)
{
	return c->every_cpu || (c->n_cpu > 0 && bsearch(&number, c->cpu,
	    c->n_cpu, sizeof(*c->cpu), by_number));
}

/* ---- other items ----------------------------------------------------- */

static bool in_list(const char *list, const char *name)
{
	struct span rest = span_str(list), item;

	while (scan_item(&rest, ',', &item)) {
		if (span_eq(item, name))
			return true;
	}
	return false;
}

const char *sar_choice_named(const struct sar_choice *c, enum sar_kind kind)
{
	const char *const named[SAR_KINDS] = { [SAR_DISK] = c->disks,
		[SAR_NET] = c->nets, [SAR_FS] = c->filesystems };

	return named[kind];
}

/* Partitions, and disks that were never used, only by name. */
static bool wants(const struct sar_choice *c, enum sar_kind kind,
	const struct sar_item *t, bool strict)
{
	const char *named = sar_choice_named(c, kind);

	if (kind == SAR_CPU)
		return wants_cpu(c, t->number);
	if (kind == SAR_DISK && strict && !sar_disk_was_used(t))
		return false;
	if (named)
		return in_list(named, t->name) ||
		    (t->other && in_list(named, t->other));
	return kind != SAR_DISK ||
	    (sar_disk_is_whole(t) && sar_disk_was_used(t));
}

/* Whether the row has anything to show. */
static bool is_there(const struct sar_data *d, enum sar_kind kind,
	const struct sar_item *t, bool average)
{
	if (kind == SAR_HOST || kind == SAR_FS)
		return t->here;
	return sar_item_spans(d, t, average);
}

static bool is_idle(const struct sar_item *t, enum sar_kind kind,
	bool average)
{
	size_t n = entity_get(sar_entity(kind))->ncols;

	return memcmp(sar_before(t, average).val, t->now.val,
	    n * sizeof(*t->now.val)) == 0;
}

bool sar_next_row(const struct sar_data *d, const struct sar_activity *a,
	const struct sar_choice *choice, bool average, size_t *at,
	struct sar_calc *ret)
{
	const struct sar_items *of = &d->of[a->kind];

	if (*at == 0 && a->has_all) {
		++*at;
		*ret = sar_calc_of(d, a->kind, NULL, average);
		if (!choice->no_all && of->n > 0)
			return true;
	}
	while (*at - a->has_all < of->n) {
		const struct sar_item *t = &of->item[*at - a->has_all];

		++*at;
		if (!wants(choice, a->kind, t, d->strict) ||
		    !is_there(d, a->kind, t, average) ||
		    (choice->omit_idle && a->item &&
		    is_idle(t, a->kind, average)))
			continue;
		*ret = sar_calc_of(d, a->kind, t, average);
		return true;
	}
	return false;
}

bool sar_is_known(const struct sar_data *d, const struct sar_activity *a)
{
	const struct sar_items *hosts = &d->of[SAR_HOST];

	return hosts->n == 0 || a->only_with == 0 ||
	    cells_has(hosts->item[0].now, a->only_with);
}

static size_t lines_of_cpus(const struct sar_choice *c)
{
	return c->every_cpu ? EVERY_CPU : c->n_cpu + !c->no_all;
}

size_t sar_lines(const struct sar_data *d, const struct sar_activity *a,
	const struct sar_choice *choice)
{
	const struct sar_items *of = &d->of[a->kind];
	size_t i, n = 0;

	if (!a->item)
		return 1;
	if (a->kind == SAR_CPU)
		return lines_of_cpus(choice);
	for (i = 0; i < of->n; i++)
		n += of->item[i].was_here && (a->kind != SAR_DISK ||
		    sar_disk_was_stored(&of->item[i]));
	return n;
}

const char *sar_row_name(const struct sar_activity *a,
	const struct sar_calc *row)
{
	if (!a->item)
		return "";
	if (!row->item)
		return "all";
	if (a == &sar_activities[SAR_A_FS_MOUNT])
		return row->item->other;
	return row->item->name;
}

/* ---- activities that were not recorded --------------------------------- */

uint64_t sar_missing(uint64_t wanted, uint64_t seen,
	const struct sar_choice *choice)
{
	uint64_t missing = wanted & ~seen;
	size_t i;

	for (i = 0; choice->omit_idle && i < SAR_ACTIVITIES; i++) {
		if (sar_activities[i].item)
			missing &= ~(UINT64_C(1) << i);
	}
	return missing;
}

#define TEXT_MAX 256

/* "no CPU of -P; there are 0-3"; false: it is not about that, or about any. */
static bool describe_cpus(const struct sar_activity *a,
	const struct sar_choice *choice, const struct sar_data *d,
	char to[TEXT_MAX])
{
	const struct sar_items *of = d ? &d->of[SAR_CPU] : NULL;
	uint64_t last = 0;
	size_t i;

	if (a->kind != SAR_CPU || !of)
		return false;
	if (of->n == 0) {
		(void)snprintf(to, TEXT_MAX, "%s (%s): no processor was recorded; gpsnap "
		    "replay -V hosts shows the sum of all", a->what, a->option);
		return true;
	}
	if (choice->n_cpu == 0)
		return false;
	for (i = 0; i < of->n; i++)
		last = GS_MAX(last, of->item[i].number);
	(void)snprintf(to, TEXT_MAX, "%s (%s): no CPU %" PRIu64 "%s was "
	    "recorded; there are 0-%" PRIu64, a->what, a->option,
	    choice->cpu[0], choice->n_cpu > 1 ? ", ..." : "", last);
	return true;
}

static void describe(const struct sar_activity *a,
	const struct sar_choice *choice, const struct sar_data *d,
	char to[TEXT_MAX])
{
	const char *named = sar_choice_named(choice, a->kind);

	if (describe_cpus(a, choice, d, to))
		return;
	if (named)
		(void)snprintf(to, TEXT_MAX, "%s (%s): none of %.100s was "
		    "recorded", a->what, a->option, named);
	else
		(void)snprintf(to, TEXT_MAX, "%s (%s): nothing of it was "
		    "recorded", a->what, a->option);
}

void sar_report_missing(uint64_t missing, const struct sar_choice *choice,
	const struct sar_data *d, sar_notice_fn notice, void *arg)
{
	char text[TEXT_MAX];
	size_t i;

	for (i = 0; i < SAR_ACTIVITIES; i++) {
		if (!(missing >> i & 1))
			continue;
		describe(&sar_activities[i], choice, d, text);
		notice(arg, text);
	}
}
