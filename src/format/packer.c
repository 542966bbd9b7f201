/* SPDX-License-Identifier: Apache-2.0 */
#include "format/packer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format/group.h"
#include "format/groupcode.h"
#include "format/repair.h"
#include "format/summaryframe.h"
#include "format/tickcode.h"

struct packer {
	struct tickcode *code;
	struct group group;
	struct grouper *records;
	size_t raw_len; /* of these */
	struct summarycode *summaries; /* NULL: none was added */
	struct buf gists; /* frames */
	struct buf raw, frame, comp; /* for packer_flush() */
};

struct packer *packer_new(int level)
{
	struct packer *p = gs_calloc(1, sizeof(*p));

	p->code = tickcode_new(level);
	p->records = grouper_new();
	return p;
}

void packer_free(struct packer *p)
{
	if (!p)
		return;
	tickcode_free(p->code);
	summarycode_free(p->summaries);
	buf_release(&p->gists);
	group_release(&p->group);
	grouper_free(p->records);
	buf_release(&p->raw);
	buf_release(&p->frame);
	buf_release(&p->comp);
	free(p);
}

static bool is_time(const struct packer *p, const struct packer_tick *t)
{
	if (p->group.n == 0)
		return false;
	if (t->first || p->group.n == GROUP_TICKS_MAX ||
	    p->raw_len + t->len > PACKER_RAW_MAX)
		return true;
	return t->kind == FRAME_KEY && (p->group.n >= PACKER_TICKS ||
	    p->raw_len + t->len > PACKER_RAW);
}

int packer_add(struct packer *p, const struct packer_tick *t,
	struct outfile *to, struct gs_err *err)
{
	int r = is_time(p, t) ? packer_flush(p, to, err) : GS_OK;

	if (r < 0)
		return r;
	r = grouper_add(p->records, t->record, t->len, err);
	if (r < 0)
		return r;
	group_add(&p->group, &(struct group_tick) { .kind = t->kind,
	    .seq = t->seq, .left_out = t->left_out,
	    .wall_ns = t->wall_ns });
	p->raw_len += t->len;
	return GS_OK;
}

void packer_add_summary(struct packer *p, const struct summary *s)
{
	if (!p->summaries)
		p->summaries = summarycode_new(PACKER_LEVEL);
	summarycode_add(p->summaries, s);
}

void packer_add_gist(struct packer *p, const struct buf *frame)
{
	buf_add(&p->gists, frame->ptr, frame->len);
}

int packer_flush(struct packer *p, struct outfile *to, struct gs_err *err)
{
	struct outframe f = { .group = &p->group };
	int r;

	if (p->group.n == 0)
		return GS_OK;
	grouper_end(p->records, &p->raw);
	buf_reset(&p->frame);
	group_put(&p->group, &p->frame);
	tickcode_compress(p->code, p->raw.ptr, p->raw.len, &p->comp);
	buf_add(&p->frame, p->comp.ptr, p->comp.len);
	buf_add(&p->frame, p->gists.ptr, p->gists.len);
	f.summary = p->gists.len > 0;
	f.summary |= p->summaries && summarycode_put(p->summaries, &p->frame);
	buf_reset(&p->gists);
	repair_add(&p->frame);
	f.raw_len = (uint32_t)p->raw.len;
	f.kind = p->group.tick[0].kind;
	f.seq = p->group.tick[0].seq;
	f.wall_ns = p->group.tick[0].wall_ns;
	f.zframe = p->frame.ptr;
	f.zframe_len = (uint32_t)p->frame.len;
	r = outfile_append(to, &f, err);
	group_reset(&p->group);
	p->raw_len = 0;
	return r;
}
