/* SPDX-License-Identifier: Apache-2.0 */
#include "format/frame.h"

#include <string.h>

#include "base/bytes.h"
#include "format/crc32c.h"
#include "model/tick.h"

#define LAYOUT 1
#define LAYOUT_GROUP 2
#define LAYOUT_SPARSE 3 /* also of a group */
#define LAYOUT_PLANES 4 /* groups of the same two kinds; earlier versions wrote */
#define LAYOUT_SPARSE_PLANES 5 /* those without planes */
#define FLAG_REPAIR 1u
#define FLAG_SUMMARY 2u

static const char index_tag[4] = { 'G', 'P', 'S', 'N' };

uint32_t frame_crc32c(const void *p, size_t len)
{
	return ~crc32c_update(~UINT32_C(0), p, len);
}

static unsigned char layout_of(const struct frame_index *f)
{
	if (f->kind != FRAME_GROUP)
		return LAYOUT;
	if (f->early)
		return f->sparse ? LAYOUT_SPARSE : LAYOUT_GROUP;
	return f->sparse ? LAYOUT_SPARSE_PLANES : LAYOUT_PLANES;
}

void frame_index_put(const struct frame_index *f, void *to)
{
	unsigned char *p = to;

	memset(p, 0, FRAME_INDEX_LEN);
	gs_put_le32(p, FRAME_SKIP_MAGIC);
	gs_put_le32(p + 4, FRAME_INDEX_LEN - 8);
	memcpy(p + 8, index_tag, 4);
	p[12] = layout_of(f);
	p[13] = (unsigned char)f->kind;
	p[14] = (unsigned char)((f->repair ? FLAG_REPAIR : 0) |
	    (f->summary ? FLAG_SUMMARY : 0));
	gs_put_le64(p + 16, f->seq);
	gs_put_le64(p + 24, (uint64_t)f->wall_ns);
	gs_put_le32(p + 32, f->comp_len);
	gs_put_le32(p + 36, f->raw_len);
	gs_put_le64(p + 40, f->back_key);
	gs_put_le64(p + 48, f->back_prev_key);
	gs_put_le32(p + 56, f->crc);
	gs_put_le32(p + 60, frame_crc32c(p, 60));
}

static bool kind_fits_layout(enum frame_kind kind, unsigned char layout)
{
	if (layout >= LAYOUT_GROUP)
		return kind == FRAME_GROUP;
	return kind == FRAME_KEY || kind == FRAME_DELTA;
}

int frame_index_get(const void *from, struct frame_index *ret)
{
	const unsigned char *p = from;

	if (gs_get_le32(p) != FRAME_SKIP_MAGIC ||
	    gs_get_le32(p + 4) != FRAME_INDEX_LEN - 8 ||
	    memcmp(p + 8, index_tag, 4) != 0)
		return GS_E_FORMAT;
	if (gs_get_le32(p + 60) != frame_crc32c(p, 60))
		return GS_E_FORMAT;
	if (p[12] > LAYOUT_SPARSE_PLANES)
		return GS_E_VERSION;
	*ret = (struct frame_index) {
		.kind = (enum frame_kind)p[13],
		.sparse = p[12] == LAYOUT_SPARSE ||
		    p[12] == LAYOUT_SPARSE_PLANES,
		.early = p[12] == LAYOUT_GROUP || p[12] == LAYOUT_SPARSE,
		.repair = p[13] == FRAME_GROUP && (p[14] & FLAG_REPAIR),
		.summary = p[13] == FRAME_GROUP && (p[14] & FLAG_REPAIR) &&
		    (p[14] & FLAG_SUMMARY),
		.seq = gs_get_le64(p + 16),
		.wall_ns = (int64_t)gs_get_le64(p + 24),
		.comp_len = gs_get_le32(p + 32),
		.raw_len = gs_get_le32(p + 36),
		.back_key = gs_get_le64(p + 40),
		.back_prev_key = gs_get_le64(p + 48),
		.crc = gs_get_le32(p + 56),
	};
	if (!kind_fits_layout(ret->kind, p[12]) ||
	    ret->raw_len > FRAME_RAW_MAX || ret->comp_len > FRAME_RAW_MAX ||
	    !tick_time_ok(ret->wall_ns))
		return GS_E_FORMAT;
	return GS_OK;
}
