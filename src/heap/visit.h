/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visit.h - reads the counters of all threads of one process.
 */
#ifndef GS_HEAP_VISIT_H
#define GS_HEAP_VISIT_H

#include "heap/attach.h"
#include "heap/layouts.h"
#include "heap/modules.h"
#include "heap/procfile.h"
#include "procfs/heapline.h"

struct visitor {
	struct layouts layouts;
	struct attach_late late;
	struct modules modules; /* of the process that is read */
	struct buf text, maps;
	pid_t parent; /* of this program: it is not read */
};

void visitor_init(struct visitor *v);
void visitor_release(struct visitor *v);

/* Appends the answer to out. */
void visit(struct visitor *v, const struct heap_request *r, struct buf *out);

#endif
