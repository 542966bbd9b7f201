/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording.h - the bytes of a recording, made tick by tick, and what every
 * tick of it must give back.
 */
#ifndef TESTS_LIB_RECORDING_H
#define TESTS_LIB_RECORDING_H

#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "digest.h"
#include "format/footer.h"
#include "format/tickcode.h"
#include "model/tick_encoder.h"
#include "simhost.h"

#define RECORDING_TICKS 4096

struct recording_tick {
	uint64_t seq;
	int64_t wall_ns;
	size_t at, end; /* of its pair of frames */
	bool key;
	uint64_t digest; /* of the hosts' worlds: the truth */
};

struct recording {
	struct tick_encoder *encoder;
	struct tickcode *code;
	struct buf bytes, raw, comp;
	struct footer footer;
	struct recording_tick *tick;
	size_t n;
	size_t start; /* of the file at hand, within bytes */
	uint64_t key_at, prev_key_at; /* + 1; 0: none */
};

static inline void recording_init(struct recording *r, uint8_t id)
{
	struct header *h = header_new();

	*r = (struct recording) { .footer = FOOTER_INIT };
	memset(h->recording_id, id, RECORDING_ID_LEN);
	h->file_number = 1;
	h->interval_ns = SIM_SECOND;
	free(h->program_version);
	h->program_version = gs_strdup("9.9");
	r->encoder = encoder_new(h);
	r->code = tickcode_new(TICKCODE_LEVEL);
	r->tick = gs_calloc(RECORDING_TICKS, sizeof(*r->tick));
}

static inline void recording_release(struct recording *r)
{
	encoder_free(r->encoder);
	tickcode_free(r->code);
	footer_release(&r->footer);
	buf_release(&r->bytes);
	buf_release(&r->raw);
	buf_release(&r->comp);
	free(r->tick);
}

/* Appends the pair of frames of whatever is in r->raw. */
static inline void recording_put_raw(struct recording *r, uint64_t seq,
	int64_t wall_ns, bool key)
{
	uint64_t at = r->bytes.len;
	struct frame_index ix = { .kind = key ? FRAME_KEY : FRAME_DELTA,
		.seq = seq, .wall_ns = wall_ns };
	struct frame_entry e;

	tickcode_compress_tick(r->code, r->raw.ptr, r->raw.len, &r->comp);
	ix.comp_len = (uint32_t)r->comp.len;
	ix.raw_len = (uint32_t)r->raw.len;
	ix.crc = frame_crc32c(r->comp.ptr, r->comp.len);
	if (key) {
		r->prev_key_at = r->key_at;
		r->key_at = at + 1;
	} else if (r->key_at) {
		ix.back_key = at + 1 - r->key_at;
	}
	if (r->prev_key_at)
		ix.back_prev_key = at + 1 - r->prev_key_at;
	(void)buf_reserve(&r->bytes, FRAME_INDEX_LEN);
	frame_index_put(&ix, r->bytes.ptr + at);
	r->bytes.len += FRAME_INDEX_LEN;
	buf_add(&r->bytes, r->comp.ptr, r->comp.len);
	e = (struct frame_entry) { .offset = at - r->start, .seq = seq,
		.wall_ns = wall_ns, .comp_len = ix.comp_len,
		.raw_len = ix.raw_len, .kind = ix.kind };
	footer_add(&r->footer, &e);
}

static inline void recording_put(struct recording *r, const struct tick *t,
	uint64_t digest)
{
	struct recording_tick *to = &r->tick[r->n++];

	to->at = r->bytes.len;
	tickcode_encode(r->code, t, &r->raw);
	recording_put_raw(r, t->seq, t->wall_ns, t->key);
	to->end = r->bytes.len;
	to->seq = t->seq;
	to->wall_ns = t->wall_ns;
	to->key = t->key;
	to->digest = digest;
}

/* One tick of n hosts, which have just been sampled. */
static inline const struct tick *recording_make(struct recording *r,
	struct simhost *const *host, size_t n, uint64_t *ret_digest)
{
	size_t i;

	*ret_digest = 0;
	encoder_begin(r->encoder, host[0]->clock.wall_ns);
	for (i = 0; i < n; i++) {
		encoder_block(r->encoder, (uint32_t)i, host[i]->world);
		*ret_digest += digest_world(host[i]->world);
	}
	return encoder_end(r->encoder);
}

static inline void recording_tick(struct recording *r,
	struct simhost *const *host, size_t n)
{
	uint64_t digest;
	const struct tick *t = recording_make(r, host, n, &digest);

	recording_put(r, t, digest);
}

static inline void recording_close(struct recording *r)
{
	footer_put(&r->footer, &r->bytes);
	footer_release(&r->footer);
}

/* Closes the file; the next one of the recording is in bytes from now on. */
static inline void recording_rotate(struct recording *r)
{
	uint64_t digest = r->n ? r->tick[r->n - 1].digest : 0;

	encoder_header(r->encoder)->file_number++;
	r->key_at = r->prev_key_at = 0;
	footer_release(&r->footer);
	r->start = r->bytes.len;
	recording_put(r, encoder_repeat_as_key(r->encoder), digest);
}

/* ---- files in memory --------------------------------------------------- */

struct memfile {
	int fd;
	char path[64];
};

static inline void memfile_write(const struct memfile *m, const void *p,
	size_t len)
{
	if (ftruncate(m->fd, 0) < 0 || pwrite(m->fd, p, len, 0) !=
	    (ssize_t)len)
		abort();
}

static inline void memfile_make(struct memfile *m, const void *p, size_t len)
{
	m->fd = memfd_create("recording", MFD_CLOEXEC);
	if (m->fd < 0)
		abort();
	(void)snprintf(m->path, sizeof(m->path), "/proc/self/fd/%d", m->fd);
	memfile_write(m, p, len);
}

static inline void memfile_close(const struct memfile *m)
{
	(void)close(m->fd);
}

#endif
