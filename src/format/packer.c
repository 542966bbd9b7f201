/* SPDX-License-Identifier: Apache-2.0 */
#include "format/packer.h"

#include <stdlib.h>

#include "base/arith.h"
#include "base/mem.h"
#include "base/worker.h"
#include "format/group.h"
#include "format/groupcode.h"
#include "format/planes.h"
#include "format/repair.h"
#include "format/summaryframe.h"
#include "format/tickcode.h"

/* A group that is filled, or compressed. */
struct job {
	struct worker *worker; /* NULL: it is compressed at once */
	bool sealed; /* it is full, and not written yet */
	bool early; /* as in struct outframe */
	struct tickcode *code; /* NULL: it never was */
	struct group group;
	struct summarycode *summaries; /* NULL: none was ever added */
	struct buf page; /* a frame, of the last group only */
	struct buf gists; /* frames */
	bool summary; /* the frame has one, or a gist or page */
	struct buf raw, frame, comp;
};

struct packer {
	int level;
	struct grouper *records;
	size_t raw_len; /* of these */
	struct job *job; /* in a ring: the one that is filled, the oldest ... */
	size_t n_job, at;
	struct held { /* of packer_add_frame(), not written yet */
		bool any;
		struct packer_tick tick; /* its record is in raw */
		struct buf raw, zframe;
	} held;
};

struct packer *packer_new(int level, size_t threads)
{
	struct packer *p = gs_calloc(1, sizeof(*p));
	size_t i;

	p->level = level;
	p->records = grouper_new();
	p->n_job = GS_MIN(GS_MAX(threads, 1), PACKER_THREADS_MAX);
	p->job = gs_calloc(p->n_job, sizeof(*p->job));
	for (i = 0; p->n_job > 1 && i < p->n_job; i++)
		p->job[i].worker = worker_new();
	return p;
}

static void release_job(struct job *j)
{
	worker_free(j->worker);
	tickcode_free(j->code);
	summarycode_free(j->summaries);
	group_release(&j->group);
	buf_release(&j->page);
	buf_release(&j->gists);
	buf_release(&j->raw);
	buf_release(&j->frame);
	buf_release(&j->comp);
}

void packer_free(struct packer *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->n_job; i++)
		release_job(&p->job[i]);
	free(p->job);
	grouper_free(p->records);
	buf_release(&p->held.raw);
	buf_release(&p->held.zframe);
	free(p);
}

/* The job that is filled. */
static struct job *open_job(const struct packer *p)
{
	return &p->job[p->at];
}

static bool is_time(const struct packer *p, const struct packer_tick *t)
{
	const struct group *g = &open_job(p)->group;

	if (g->n == 0)
		return false;
	if (t->first || g->n == GROUP_TICKS_MAX ||
	    p->raw_len + t->len > PACKER_RAW_MAX)
		return true;
	return t->kind == FRAME_KEY && (g->n >= PACKER_TICKS ||
	    p->raw_len + t->len > PACKER_RAW);
}

/* Frames beside the ticks. */
static bool has_beside(const struct job *j)
{
	return j->page.len > 0 || j->gists.len > 0 || (j->summaries &&
	    !summarycode_is_empty(j->summaries));
}

/* The frame of a full group.  Of a worker's: nothing but the job is used. */
static void make_frame(void *ctx)
{
	struct job *j = ctx;

	buf_reset(&j->frame);
	group_put(&j->group, &j->frame);
	/* a group of ours */
	if (!j->early)
		(void)planes_split(j->raw.ptr, j->raw.len,
		    PLANES_OF_GROUP, NULL);
	tickcode_compress(j->code, j->raw.ptr, j->raw.len, &j->comp);
	buf_add(&j->frame, j->comp.ptr, j->comp.len);
	buf_add(&j->frame, j->page.ptr, j->page.len);
	buf_add(&j->frame, j->gists.ptr, j->gists.len);
	j->summary = has_beside(j);
	if (j->summaries)
		(void)summarycode_put(j->summaries, &j->frame); /* or none */
	repair_add(&j->frame);
}

static int append(struct job *j, struct outfile *to, struct gs_err *err)
{
	const struct group_tick *first = &j->group.tick[0];
	struct outframe f = { .group = &j->group, .kind = first->kind,
		.seq = first->seq, .wall_ns = first->wall_ns,
		.raw_len = (uint32_t)j->raw.len, .zframe = j->frame.ptr,
		.zframe_len = (uint32_t)j->frame.len,
		.summary = j->summary, .early = j->early };
	int r = outfile_append(to, &f, err);

	group_reset(&j->group);
	buf_reset(&j->page);
	buf_reset(&j->gists);
	j->sealed = j->early = false;
	return r;
}

/* Waits for a job that is the oldest, and writes it. */
static int finish(struct job *j, struct outfile *to, struct gs_err *err)
{
	if (!j->sealed)
		return GS_OK;
	if (j->worker)
		worker_wait(j->worker);
	return append(j, to, err);
}

/* Compresses what was filled; the oldest job is written and filled next. */
static int seal(struct packer *p, struct outfile *to, struct gs_err *err)
{
	struct job *j = open_job(p);

	if (!j->code)
		j->code = tickcode_new(p->level);
	grouper_end(p->records, &j->raw);
	p->raw_len = 0;
	j->sealed = true;
	if (j->worker)
		worker_start(j->worker, make_frame, j);
	else
		make_frame(j);
	p->at = (p->at + 1) % p->n_job;
	return finish(open_job(p), to, err);
}

int packer_add(struct packer *p, const struct packer_tick *t,
	struct outfile *to, struct gs_err *err)
{
	int r = is_time(p, t) ? seal(p, to, err) : GS_OK;

	if (r < 0)
		return r;
	r = grouper_add(p->records, t->record, t->len, err);
	if (r < 0)
		return r;
	group_add(&open_job(p)->group, &(struct group_tick) { .kind = t->kind,
	    .seq = t->seq, .left_out = t->left_out,
	    .wall_ns = t->wall_ns });
	p->raw_len += t->len;
	return GS_OK;
}

void packer_add_summary(struct packer *p, const struct summary *s)
{
	struct job *j = open_job(p);

	if (!j->summaries)
		j->summaries = summarycode_new(PACKER_LEVEL);
	summarycode_add(j->summaries, s);
}

void packer_add_gist(struct packer *p, const struct buf *frame)
{
	buf_add(&open_job(p)->gists, frame->ptr, frame->len);
}

void packer_set_page(struct packer *p, const struct buf *frame)
{
	struct buf *page = &open_job(p)->page;

	buf_reset(page);
	buf_add(page, frame->ptr, frame->len);
}

/* ---- ticks that keep their frames --------------------------------------- */

static int append_frame(const struct held *h, struct outfile *to,
	struct gs_err *err)
{
	const struct packer_tick *t = &h->tick;
	struct outframe f = { .kind = t->kind, .seq = t->seq,
		.wall_ns = t->wall_ns, .raw_len = (uint32_t)h->raw.len,
		.zframe = h->zframe.ptr,
		.zframe_len = (uint32_t)h->zframe.len };

	return outfile_append(to, &f, err);
}

/* Nothing can be added to it any more. */
static int release_held(struct packer *p, struct outfile *to,
	struct gs_err *err)
{
	struct held *h = &p->held;

	if (!h->any)
		return GS_OK;
	h->any = false;
	if (!has_beside(open_job(p)))
		return append_frame(h, to, err);
	h->tick.record = h->raw.ptr;
	open_job(p)->early = true;
	return packer_add(p, &h->tick, to, err);
}

int packer_add_frame(struct packer *p, const struct packer_tick *t,
	const void *zframe, size_t zlen, struct outfile *to,
	struct gs_err *err)
{
	struct held *h = &p->held;
	int r = packer_flush(p, to, err);

	h->any = true;
	h->tick = *t;
	buf_reset(&h->raw);
	buf_add(&h->raw, t->record, t->len);
	buf_reset(&h->zframe);
	buf_add(&h->zframe, zframe, zlen);
	return r;
}

int packer_flush(struct packer *p, struct outfile *to, struct gs_err *err)
{
	int r = release_held(p, to, err);
	size_t i;

	if (r == GS_OK && open_job(p)->group.n > 0)
		r = seal(p, to, err);
	for (i = 0; r == GS_OK && i < p->n_job; i++)
		r = finish(&p->job[(p->at + i) % p->n_job], to, err);
	return r;
}

uint64_t packer_pending(const struct packer *p)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < p->n_job; i++)
		n += p->job[i].sealed ? p->job[i].raw.len : 0;
	return n;
}
