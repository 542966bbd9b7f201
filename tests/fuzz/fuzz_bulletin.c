/*
 * fuzz_bulletin.c - any bytes as a recorder's answer: what is taken can be
 * written, and read again as the same.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record/bulletin.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bulletin a, b;
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct gs_err err;

	if (bulletin_read(&a, (const char *)data, size, &err) < 0) {
		check(err.msg[0] != '\0' && a.n_at == 0);
		return 0;
	}
	bulletin_put(&a, &once);
	check(bulletin_read(&b, once.ptr, once.len, &err) == 0);
	bulletin_put(&b, &twice);
	check(a.n_at == b.n_at && once.len == twice.len &&
	    memcmp(once.ptr, twice.ptr, once.len) == 0);
	bulletin_release(&a);
	bulletin_release(&b);
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
