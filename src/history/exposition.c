/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exposition.c - one record of fixed size per sample, sorted by family, row
 * and time; the labels of rows are in a separate file.
 *
 * A row is identified by a 128-bit hash of its labels, so that no table of all
 * rows of a recording has to be held in memory.
 */
#include "history/exposition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/io.h"
#include "base/mem.h"
#include "history/sorter.h"
#include "render/family.h"

#define WRITE_BUFFER ((size_t)64 << 10)

/* Families: the registry's metrics, then the texts of each entity. */
#define FAMILIES (METRIC_COUNT + ENTITY_COUNT)

struct sample {
	uint64_t key[2]; /* of the labels */
	int64_t time_ns;
	uint64_t at; /* offset of the labels in their file */
	union {
		int64_t i;
		double r;
	};
	uint32_t len; /* of the labels */
	uint16_t family;
	uint8_t kind; /* enum cell_kind */
};

struct labels {
	uint64_t key[2];
	uint64_t at;
	uint32_t len;
};

struct exposition {
	struct sorter *sorter;
	int fd; /* labels */
	uint64_t file_len; /* bytes written */
	struct buf pending; /* bytes after them */
	uint64_t number; /* of the current row */
	struct buf label, info; /* of it */
	struct labels of;
	const struct entity *entity; /* that info is of */
	int64_t info_ns;
	bool has_info;
};

static int compare(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->family != y->family)
		return x->family < y->family ? -1 : 1;
	if (x->key[0] != y->key[0])
		return x->key[0] < y->key[0] ? -1 : 1;
	if (x->key[1] != y->key[1])
		return x->key[1] < y->key[1] ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return 0;
}

struct exposition *exposition_new(size_t memory)
{
	struct exposition *x = gs_calloc(1, sizeof(*x));

	x->sorter = sorter_new(sizeof(struct sample), memory, compare);
	x->fd = -1;
	return x;
}

void exposition_free(struct exposition *x)
{
	if (!x)
		return;
	if (x->fd >= 0)
		(void)close(x->fd); /* its contents are not needed */
	sorter_free(x->sorter);
	buf_release(&x->pending);
	buf_release(&x->label);
	buf_release(&x->info);
	free(x);
}

/* ---- labels ------------------------------------------------------------ */

static uint64_t hash(const struct buf *b, uint64_t h)
{
	h = fnv_add(h, b->ptr, b->len);
	return h ^ h >> 32;
}

static int flush_labels(struct exposition *x, struct gs_err *err)
{
	int r;

	if (x->fd < 0)
		x->fd = sorter_temporary(err);
	if (x->fd < 0)
		return GS_E_IO;
	r = io_write_all(x->fd, x->pending.ptr, x->pending.len);
	if (r != 0)
		return gs_fail_errno(err, r, "temporary file");
	x->file_len += x->pending.len;
	buf_reset(&x->pending);
	return GS_OK;
}

static int keep_labels(struct exposition *x, const struct buf *b,
	struct labels *ret, struct gs_err *err)
{
	*ret = (struct labels) {
		.key = { hash(b, FNV_BASIS),
		    hash(b, UINT64_C(0x9ae16a3b2f90404f)) },
		.at = x->file_len + x->pending.len,
		.len = (uint32_t)b->len };
	buf_add(&x->pending, b->ptr, b->len);
	return x->pending.len < WRITE_BUFFER ? GS_OK : flush_labels(x, err);
}

static int read_labels(struct exposition *x, const struct sample *s,
	struct buf *to, struct gs_err *err)
{
	char *p;
	size_t done = 0;

	buf_reset(to);
	p = buf_reserve(to, s->len);
	while (done < s->len) {
		ssize_t n = pread(x->fd, p + done, s->len - done,
		    (off_t)(s->at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return gs_fail_errno(err, n < 0 ? errno : EIO,
			    "temporary file");
		done += (size_t)n;
	}
	to->len = s->len;
	return GS_OK;
}

/* Labels: the host and the parts of the identity, each by its name. */
static void name_row(struct exposition *x, const struct harvest_row *r)
{
	unsigned i;

	buf_reset(&x->label);
	family_add_label(&x->label, "host", span_str(r->host));
	for (i = 0; i < r->entity->ncols; i++) {
		const struct metric *m = &r->entity->metrics[i];
		struct buf text = BUF_INIT;
		uint64_t v;

		if (!(m->flags & F_ID) || r->row->entity == ENTITY_HOST ||
		    !row_get(r->row, i, &v))
			continue;
		if (metric_is_text(m) && r->row->closed)
			family_add_label(&x->label, m->name, r->identity);
		else if (metric_is_text(m))
			family_add_label(&x->label, m->name,
			    row_text(r->world, r->row, i));
		else if (m->flags & F_SIGNED)
			buf_printf(&text, "%lld", (long long)v);
		else
			buf_printf(&text, "%llu", (unsigned long long)v);
		if (!metric_is_text(m))
			family_add_label(&x->label, m->name,
			    span_of(buf_str(&text), text.len));
		buf_release(&text);
	}
}

/* ---- samples ----------------------------------------------------------- */

static int put_sample(struct exposition *x, uint16_t family,
	const struct labels *l, int64_t time_ns, const struct cell *c,
	struct gs_err *err)
{
	struct sample s = { .key = { l->key[0], l->key[1] },
		.time_ns = time_ns, .at = l->at, .len = l->len,
		.family = family, .kind = (uint8_t)c->kind };

	if (c->kind == CELL_INT)
		s.i = c->i;
	else if (c->kind == CELL_REAL)
		s.r = c->r;
	return sorter_add(x->sorter, &s, err);
}

/* The texts of the previous row are complete. */
static int end_row(struct exposition *x, struct gs_err *err)
{
	const struct cell one = cell_int(1);
	struct labels l;
	int r;

	if (!x->has_info)
		return GS_OK;
	x->has_info = false;
	r = keep_labels(x, &x->info, &l, err);
	if (r < 0)
		return r;
	return put_sample(x, (uint16_t)(METRIC_COUNT +
	    (x->entity - entity_get((enum entity_id)0))), &l, x->info_ns,
	    &one, err);
}

static int begin_row(struct exposition *x, const struct harvest_row *r,
	struct gs_err *err)
{
	int status = end_row(x, err);

	x->number = r->number;
	if (status < 0)
		return status;
	name_row(x, r);
	buf_reset(&x->info);
	buf_add(&x->info, x->label.ptr, x->label.len);
	return keep_labels(x, &x->label, &x->of, err);
}

/* Free texts, which may be long and hold secrets, and momentary states are no
 * labels. */
static void add_text(struct exposition *x, const struct harvest_row *r,
	const struct harvest_value *v)
{
	if (v->metric && (v->metric->flags & (F_SECRET | F_MAIN) ||
	    !metric_is_text(v->metric)))
		return;
	family_add_label(&x->info, v->name, cell_span(&v->value));
	x->has_info = true;
	x->info_ns = r->time_ns;
	x->entity = r->entity;
}

int exposition_add(void *ctx, const struct harvest_row *r,
	const struct harvest_value *v, struct gs_err *err)
{
	struct exposition *x = ctx;
	const struct metric *m = v->metric;
	int status = GS_OK;

	if (!r->row || r->residual)
		return GS_OK;
	if (x->number != r->number)
		status = begin_row(x, r, err);
	if (status < 0)
		return status;
	if (v->value.kind == CELL_TEXT) {
		add_text(x, r, v);
		return GS_OK;
	}
	return put_sample(x, (uint16_t)(m - metric_get((enum entity_id)0, 0)),
	    &x->of, r->time_ns, &v->value, err);
}

/* ---- writing ----------------------------------------------------------- */

static void begin_family(uint16_t i, struct family *ret, struct buf *to)
{
	const struct metric *first = metric_get((enum entity_id)0, 0);

	if (i < METRIC_COUNT)
		family_of_metric(first + i, ret);
	else
		family_of_texts(entity_get((enum entity_id)
		    (i - METRIC_COUNT)), ret);
	family_add_head(ret, to);
}

static bool same_row(const struct sample *a, const struct sample *b)
{
	return a->key[0] == b->key[0] && a->key[1] == b->key[1];
}

static void add_sample(const struct family *f, const struct buf *labels,
	const struct sample *s, struct buf *to)
{
	const struct cell c = s->kind == CELL_INT ? cell_int(s->i)
	    : s->kind == CELL_MAX ? cell_max() : cell_real(s->r);

	family_add_sample(f, buf_str(labels), labels->len, &c, s->time_ns,
	    to);
}

static int write_all(struct exposition *x,
	bool (*write_fn)(void *ctx, const struct buf *text), void *ctx,
	struct buf *out, struct buf *labels, struct gs_err *err)
{
	struct sample last = { .family = FAMILIES };
	struct family f;
	const void *p;
	int r;

	while ((r = sorter_next(x->sorter, &p, err)) == GS_OK && p) {
		const struct sample *s = p;
		bool fresh = s->family != last.family;

		if (fresh)
			begin_family(s->family, &f, out);
		if (fresh || !same_row(s, &last))
			r = read_labels(x, s, labels, err);
		else if (s->time_ns == last.time_ns)
			continue;
		if (r < 0)
			return r;
		add_sample(&f, labels, s, out);
		last = *s;
		if (out->len < WRITE_BUFFER)
			continue;
		if (!write_fn(ctx, out))
			return GS_OK;
		buf_reset(out);
	}
	if (r < 0)
		return r;
	buf_add_str(out, "# EOF\n");
	(void)write_fn(ctx, out); /* the end anyway */
	return GS_OK;
}

int exposition_write(struct exposition *x,
	bool (*write_fn)(void *ctx, const struct buf *text), void *ctx,
	struct gs_err *err)
{
	struct buf out = BUF_INIT, labels = BUF_INIT;
	int r = end_row(x, err);

	if (r == GS_OK)
		r = flush_labels(x, err);
	if (r == GS_OK)
		r = sorter_done(x->sorter, err);
	if (r == GS_OK)
		r = write_all(x, write_fn, ctx, &out, &labels, err);
	buf_release(&out);
	buf_release(&labels);
	return r;
}
