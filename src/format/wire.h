/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - the protocol between recorder and agent.
 *
 * Messages of proto/gpsnap.proto, each preceded by its length as a varint.
 * The recorder sends a Request per tick, the agent answers each with one
 * Answer, in order.  The first answer of a connection contains Hello and all
 * rows in full; later ones the changes.  Text ids are the agent's own: an
 * answer may reuse an id for a new text once no live cell refers to the old
 * one.
 *
 * An agent may send only rows of its host: no rows of the database's catalog,
 * and nothing that only recordings have (sums, ends).  An answer that does, or
 * that exceeds the limits below, is refused as a whole.
 *
 * Use: wire_codec_new(), then encode into a buf, or feed received bytes to a
 * buf and take messages from its front.
 */
#ifndef GS_FORMAT_WIRE_H
#define GS_FORMAT_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/tick.h"

#define WIRE_PROTOCOL 1u

/*
 * Limits of an answer; more is refused.  The first answer of a host has about
 * 300 bytes per process: 16 MiB are 50,000 processes.  Rows are those of a
 * host with all its threads.  An agent's numbers for rows and texts are dense:
 * they are reused.
 */
#define WIRE_MESSAGE_MAX (16u << 20)
#define WIRE_ROWS_MAX (1u << 16) /* rows that open, of all entities */
#define WIRE_SLOTS_MAX (2 * WIRE_ROWS_MAX) /* row numbers */
#define WIRE_CELLS_MAX (64 * WIRE_ROWS_MAX) /* values and row numbers */
#define WIRE_COLUMNS_MAX 4096u /* of all entities */
#define WIRE_TEXTS_MAX (4 * WIRE_ROWS_MAX)
#define WIRE_TEXT_IDS_MAX (2 * WIRE_TEXTS_MAX)
#define WIRE_EVENTS_MAX 65536u /* events */
/* Memory for decoding an answer: a value of one byte becomes eight in the
 * message and twelve in the tick.  That is 80 MiB of values, and as much for
 * everything else. */
#define WIRE_DECODE_MAX ((size_t)160 << 20)

enum wire_with {
	WITH_ALL = 1 << 0, /* every process */
	WITH_ARGUMENTS = 1 << 1, /* arguments of non-database processes */
	WITH_FDS = 1 << 2,
	WITH_STACK = 1 << 3,
	WITH_SMAPS = 1 << 4,
	WITH_NO_QUIET = 1 << 5, /* read every process at every tick */
	WITH_THREADS = 1 << 6, /* threads of the processes that are recorded */
	WITH_SCHED = 1 << 7, /* the scheduler's figures of processes, threads */
	WITH_HEAP = 1 << 8 /* what threads allocate by jemalloc */
};

/* What a request may name; more is refused. */
#define WIRE_PIDS_MAX 1024u
#define WIRE_COMMS_MAX 64u
#define WIRE_COMM_MAX 64u /* bytes of a pattern */

struct request {
	uint64_t sequence; /* from 1; the answer repeats it */
	uint32_t with; /* wire_with bits */
	uint32_t busiest; /* non-database processes to add */
	bool chosen; /* only processes that are named: by number, as at the
	              * first such request, or whose name fits a pattern */
	/* of a decoded request: valid until the codec is used again */
	const uint32_t *pid;
	size_t n_pid;
	char *const *comm;
	size_t n_comm;
	uint32_t heap_interval_s; /* between two reads for WITH_HEAP; 0: as the
				   * agent likes */
};

/* Strings point into memory that is valid until the next decode. */
struct hello {
	uint32_t protocol;
	const char *version;
};

struct answer {
	bool has_hello;
	struct hello hello;
	/* key if has_hello: the answer is full.  block[0] is the host's,
	 * with text ids of the agent; texts that are
	 * new with this answer in tick.text; notices in tick.event. */
	struct tick tick;
};

struct wire_codec;

struct wire_codec *wire_codec_new(void);
void wire_codec_free(struct wire_codec *c);

/* From now on refuses answers that take more than WIRE_DECODE_MAX.  Answers
 * must be released before the codec is freed. */
void wire_codec_limit(struct wire_codec *c);
void wire_put_request(const struct request *r, struct buf *out);
/* To the last request that c decoded: with columns of the same rows together, if that
 * takes them, as all but those of early recorders. */
void wire_put_answer(struct wire_codec *c, const struct answer *a,
	struct buf *out);

/* Size in bytes of the first message at p with its frame; 0 if it is not
 * complete yet; negative gs_status if the length is invalid or above
 * WIRE_MESSAGE_MAX. */
int64_t wire_message_len(const void *p, size_t len, struct gs_err *err);

/* Decode one framed message of exactly len bytes. */
int wire_get_request(struct wire_codec *c, const void *p, size_t len,
	struct request *ret, struct gs_err *err);
int wire_get_answer(struct wire_codec *c, const void *p, size_t len,
	struct answer *ret, struct gs_err *err);

#endif
