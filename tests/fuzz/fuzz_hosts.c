/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_hosts.c - any bytes as a file of hosts: names that are taken can be
 * given to ssh.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "memfile.h"
#include "record/host_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct host_list l = HOST_LIST_INIT;
	struct gs_err err = { GS_OK, "" };
	size_t i;

	if (host_list_read(&l, memfile(data, size), &err) < 0 && !*err.msg)
		abort();
	for (i = 0; i < l.n; i++) {
		if (l.name[i][0] == '-' || l.name[i][0] == '\0' ||
		    strpbrk(l.name[i], " \t\n\033;|&$`\"'\\"))
			abort();
	}
	host_list_release(&l);
	return 0;
}
