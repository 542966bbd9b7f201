/* SPDX-License-Identifier: Apache-2.0 */
#include "sar/sar_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "model/diff.h"

/* The identity of an item among its kind; name and other are texts. */
static const struct {
	enum entity_id entity;
	int name, other, number; /* columns, -1: none */
} kinds[SAR_KINDS] = {
	[SAR_HOST] = { ENTITY_HOST, COL(HOST, NAME), -1, -1 },
	[SAR_CPU] = { ENTITY_CPU, -1, -1, COL(CPU, INDEX) },
	[SAR_DISK] = { ENTITY_DISK, COL(DISK, NAME), -1, -1 },
	[SAR_NET] = { ENTITY_NET, COL(NET, NAME), -1, -1 },
	[SAR_FS] = { ENTITY_FS, COL(FS, DEVICE), COL(FS, MOUNT), -1 },
};

enum entity_id sar_entity(enum sar_kind kind)
{
	return kinds[kind].entity;
}

void sar_data_init(struct sar_data *d, bool strict)
{
	size_t n = entity_get(ENTITY_HOST)->ncols;

	*d = (struct sar_data) { .strict = strict,
		.sum = gs_calloc(n, sizeof(*d->sum)),
		.n_sum = gs_calloc(n, sizeof(*d->n_sum)) };
}

static void release_item(struct sar_item *t)
{
	free(t->name);
	free(t->other);
	cells_free(t->first);
	cells_free(t->prev);
	cells_free(t->now);
}

void sar_data_clear(struct sar_data *d)
{
	size_t n = entity_get(ENTITY_HOST)->ncols, i, k;

	for (k = 0; k < SAR_KINDS; k++) {
		for (i = 0; i < d->of[k].n; i++)
			release_item(&d->of[k].item[i]);
		d->of[k].n = 0;
	}
	d->samples = 0;
	if (!d->sum)
		return;
	memset(d->sum, 0, n * sizeof(*d->sum));
	memset(d->n_sum, 0, n * sizeof(*d->n_sum));
}

void sar_data_release(struct sar_data *d)
{
	size_t k;

	sar_data_clear(d);
	for (k = 0; k < SAR_KINDS; k++)
		free(d->of[k].item);
	free(d->sum);
	free(d->n_sum);
	*d = (struct sar_data) { 0 };
}

/* ---- one item -------------------------------------------------------- */

static char *text_of(const struct world *w, const struct row *r, int col)
{
	struct span s = row_text(w, r, (unsigned)col);
	char *copy = gs_calloc(span_len(s) + 1, 1);

	memcpy(copy, s.ptr, span_len(s));
	return copy;
}

static char *name_of(enum sar_kind k, const struct world *w,
	const struct row *r, uint64_t number)
{
	char digits[24];

	if (kinds[k].name >= 0)
		return text_of(w, r, kinds[k].name);
	(void)snprintf(digits, sizeof(digits), "%" PRIu64, number);
	return gs_strdup(digits);
}

/* CPUs are in order of number, all else in order of appearance. */
static size_t place_for(const struct sar_items *of, bool numbered,
	uint64_t number)
{
	size_t i = of->n;

	while (numbered && i > 0 && of->item[i - 1].number > number)
		i--;
	return i;
}

static struct sar_item *add_item(struct sar_data *d, enum sar_kind k,
	const struct sar_item *new)
{
	struct sar_items *of = &d->of[k];
	size_t i = place_for(of, kinds[k].number >= 0, new->number);

	GS_GROW(of->item, &of->cap, of->n + 1);
	memmove(&of->item[i + 1], &of->item[i],
	    (of->n - i) * sizeof(*of->item));
	of->n++;
	of->item[i] = *new;
	return &of->item[i];
}

static bool same(const struct sar_item *a, const struct sar_item *b)
{
	return strcmp(a->name, b->name) == 0 &&
	    (!a->other || strcmp(a->other, b->other) == 0);
}

/* An item that was absent is the same again; sar also continues its counters,
 * gpsnap does not. */
static struct sar_item *come_back(struct sar_data *d, enum sar_kind k,
	struct sar_item *new)
{
	struct sar_items *of = &d->of[k];
	size_t i;

	for (i = 0; i < of->n; i++) {
		struct sar_item *t = &of->item[i];

		if (t->here || t->serial == new->serial || !same(t, new))
			continue;
		t->serial = new->serial;
		if (!d->strict) {
			t->first_at = d->now;
			cells_copy(kinds[k].entity, t->first, new->first);
		}
		release_item(new);
		return t;
	}
	return add_item(d, k, new);
}

static struct sar_item *new_item(struct sar_data *d, enum sar_kind k,
	const struct world *w, const struct row *r)
{
	enum entity_id e = kinds[k].entity;
	struct sar_item t = { .serial = r->serial, .first_at = d->now,
		.first = cells_new(e), .prev = cells_new(e),
		.now = cells_new(e) };

	if (kinds[k].number >= 0)
		(void)row_get(r, (unsigned)kinds[k].number, &t.number);
	t.name = name_of(k, w, r, t.number);
	if (kinds[k].other >= 0)
		t.other = text_of(w, r, kinds[k].other);
	/* for sar, an absent item had counted nothing */
	if (!d->strict || d->samples == 0)
		cells_copy(e, t.first, r->now);
	return come_back(d, k, &t);
}

/* Items mostly stay in place. */
static struct sar_item *find_item(struct sar_items *of, uint32_t serial,
	size_t at)
{
	size_t i;

	for (i = 0; i < of->n; i++) {
		struct sar_item *t = &of->item[(at + i) % of->n];

		if (t->serial == serial)
			return t;
	}
	return NULL;
}

/* Continues an item's counters, the narrow ones beyond the kernel's width: over
 * a run these may wrap more than once.  False if one decreased: then all of the
 * item's counters restart. */
static bool go_on(enum sar_kind k, const struct sar_item *t,
	const struct row *r, struct cells to)
{
	enum entity_id e = kinds[k].entity;
	size_t n = entity_get(e)->ncols;
	unsigned i;

	cells_copy(e, to, r->now);
	for (i = 0; i < n; i++) {
		const struct metric *m = metric_get(e, i);
		uint64_t was = t->now.val[i], grew;

		if (!metric_is_counter(m) || !cells_has(t->now, i) ||
		    !cells_has(r->now, i))
			continue;
		if (!diff_between(e, i, m->bits == 32 ? was & UINT32_MAX : was,
		    r->now.val[i], &grew))
			return false;
		to.val[i] = was + grew;
	}
	return true;
}

/* The kernel corrects some counters of the host: a decrease there is not a
 * restart. */
static void apply_cells(struct sar_data *d, enum sar_kind k,
	struct sar_item *t, const struct row *r)
{
	enum entity_id e = kinds[k].entity;
	bool may_reset = k == SAR_DISK || k == SAR_NET;
	struct cells next;

	if (d->strict || !may_reset || !t->was_here) {
		cells_copy(e, t->now, r->now);
		return;
	}
	next = cells_new(e);
	if (go_on(k, t, r, next)) {
		cells_copy(e, t->now, next);
	} else {
		t->was_here = false;
		t->first_at = d->now;
		cells_copy(e, t->first, r->now);
		cells_copy(e, t->now, r->now);
	}
	cells_free(next);
}

static void apply_item(struct sar_data *d, enum sar_kind k,
	struct sar_item *t, const struct world *w, const struct row *r)
{
	apply_cells(d, k, t, r);
	t->last_at = d->now;
	t->here = true;
	if (k == SAR_NET)
		t->full_duplex = span_eq(row_text(w, r,
		    COL(NET, DUPLEX)), "full");
}

static void apply_kind(struct sar_data *d, enum sar_kind k,
	const struct world *w, const struct host *h)
{
	const struct table *rows = &h->table[kinds[k].entity];
	struct sar_items *of = &d->of[k];
	size_t i, at = 0;

	for (i = 0; i < of->n; i++)
		of->item[i].here = false;
	for (i = 0; i < rows->n_slot; i++) {
		const struct row *r = rows->slot[i];
		struct sar_item *t;

		if (!r)
			continue;
		t = of->n ? find_item(of, r->serial, at) : NULL;
		if (!t)
			t = new_item(d, k, w, r);
		at = (size_t)(t - of->item) + 1;
		apply_item(d, k, t, w, r);
	}
}

/* ---- samples --------------------------------------------------------- */

/* Levels are averaged over the samples that have an interval before them. */
static void add_up(struct sar_data *d)
{
	struct sar_items *of = &d->of[SAR_HOST];
	size_t n = entity_get(ENTITY_HOST)->ncols;
	unsigned i;
	uint64_t v;

	if (of->n == 0)
		return;
	for (i = 0; i < n; i++) {
		if (!cells_get(of->item[0].now, i, &v))
			continue;
		d->sum[i] += (double)v;
		d->n_sum[i]++;
	}
}

void sar_data_apply(struct sar_data *d, const struct world *w,
	const struct host *h)
{
	size_t k;

	d->now = instant_of(h);
	if (d->samples == 0)
		d->first = d->prev = d->now;
	for (k = 0; k < SAR_KINDS; k++)
		apply_kind(d, (enum sar_kind)k, w, h);
	if (d->samples > 0)
		add_up(d);
	d->samples++;
}

void sar_data_step(struct sar_data *d)
{
	size_t k, i;

	d->prev = d->now;
	for (k = 0; k < SAR_KINDS; k++) {
		for (i = 0; i < d->of[k].n; i++) {
			struct sar_item *t = &d->of[k].item[i];

			t->was_here = t->here;
			if (t->here || (d->strict && k == SAR_CPU))
				cells_copy(kinds[k].entity, t->prev, t->now);
			else
				cells_clear(kinds[k].entity, t->prev);
		}
	}
}

static bool is_cpu(const struct sar_data *d, const struct sar_item *t)
{
	const struct sar_items *of = &d->of[SAR_CPU];

	return of->n > 0 && t >= of->item && t < of->item + of->n;
}

bool sar_item_spans(const struct sar_data *d, const struct sar_item *t,
	bool average)
{
	struct cells was = average ? t->first : t->prev;

	/* for sar an absent item had counted nothing, except a CPU, whose
	 * counters stood still */
	if (d->strict && is_cpu(d, t))
		return (average || t->here) &&
		    cells_has(was, COL(CPU, USER));
	if (d->strict)
		return t->here;
	if (average)
		return t->last_at.mono_ns > t->first_at.mono_ns;
	return t->here && t->was_here;
}
