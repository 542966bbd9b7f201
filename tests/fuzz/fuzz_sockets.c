/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_sockets.c - any bytes as /proc/net/unix, in which everybody on the
 * machine may write names: recorders are looked for, and database servers.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "memfile.h"
#include "record/ask.h"
#include "record/sockets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ask_whom *list = NULL;
	struct buf dirs = BUF_INIT;
	struct gs_err err = { GS_OK, "" };
	size_t n = 0, others = 0, i;

	if (ask_list(memfile(data, size), &list, &n, &others, &err) == 0) {
		for (i = 0; i < n; i++) {
			if (strncmp(list[i].name, "gpsnap/", 7) != 0 ||
			    strlen(list[i].name) >= ASK_NAME_MAX)
				abort();
		}
	} else if (!*err.msg) {
		abort();
	}
	free(list);
	sockets_scan(span_of((const char *)data, size), 5432, &dirs);
	if (dirs.len > 0 && dirs.ptr[0] != '/')
		abort();
	buf_release(&dirs);
	return 0;
}
