/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_link.h - gpsnap-heap as a child of the agent, over two pipes.
 *
 * Nothing is ever waited for: what the child has not said by a tick is taken at
 * a later one.  A child that ends, or says nothing for long, is noticed once, and
 * another one is started after some minutes.
 */
#ifndef GS_AGENT_HEAP_LINK_H
#define GS_AGENT_HEAP_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "procfs/heapline.h"

struct heap_link {
	int to, from; /* -1: closed */
	pid_t child; /* 0: none */
	bool ending; /* both are closed, but it has not been waited for */
	int why; /* it is ending: enum heap_error, 0: ask its status */
	int64_t heard_ns; /* when it last said something, or had nothing to say */
	int64_t retry_ns; /* not started before */
	unsigned waiting; /* requests without an answer */
	struct buf in;
	size_t taken; /* bytes of in */
};

void heap_link_init(struct heap_link *l);
void heap_link_release(struct heap_link *l);

/* Starts the child, unless it runs or failed a moment ago; true: it runs. */
bool heap_link_start(struct heap_link *l, int64_t now_ns);

/* Begins a tick: reads what the child has said.  Returns 0, or the enum
 * heap_error by which the child was lost just now. */
int heap_link_receive(struct heap_link *l, int64_t now_ns);

/* The next answer; false: no more at this tick. */
bool heap_link_next(struct heap_link *l, struct heap_answer *ret);

/* False: it has enough to do. */
bool heap_link_ask(struct heap_link *l, const struct heap_request *r,
	int64_t now_ns);

/* It is not needed any more. */
void heap_link_close(struct heap_link *l);

#endif
