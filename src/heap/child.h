/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child.h - work on what is not trusted, in a process of its own.
 *
 * Whatever becomes of it, this process goes on: a child that takes too long is
 * killed, and one that ends early has found nothing.
 */
#ifndef GS_HEAP_CHILD_H
#define GS_HEAP_CHILD_H

#include "heap/layout.h"

typedef void child_fn(void *arg, struct layout *l);

/* Calls fn in a child and fills *ret as it did.  False: it did not end well. */
bool child_run(child_fn *fn, void *arg, struct layout *ret);

#endif
