/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_status_report.c - any bytes as a recorder's answer: what is taken can be
 * written, and read again as the same.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record/status_report.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct status_report a, b;
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct gs_err err;

	if (status_report_read(&a, (const char *)data, size, &err) < 0) {
		check(err.msg[0] != '\0' && a.n_at == 0);
		return 0;
	}
	status_report_put(&a, &once);
	check(status_report_read(&b, once.ptr, once.len, &err) == 0);
	status_report_put(&b, &twice);
	check(a.n_at == b.n_at && once.len == twice.len &&
	    memcmp(once.ptr, twice.ptr, once.len) == 0);
	status_report_release(&a);
	status_report_release(&b);
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
