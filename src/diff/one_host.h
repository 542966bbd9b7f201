/* SPDX-License-Identifier: Apache-2.0 */
/*
 * one_host.h - a cursor over the ticks of one host of a recording.
 *
 * The blocks and events of other hosts are left out, and headers name this host
 * only; catalogs stay.  A recording of one host stays as it is, whatever the
 * name.
 */
#ifndef GS_DIFF_ONE_HOST_H
#define GS_DIFF_ONE_HOST_H

#include "model/cursor.h"
#include "model/header.h"

struct one_host;

/* name: as the recorder calls the host; it must outlive the cursor. */
struct one_host *one_host_new(struct cursor from, const char *name);
void one_host_free(struct one_host *o);
struct cursor one_host_cursor(struct one_host *o);

#endif
