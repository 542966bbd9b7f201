/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_masktext.c - any bytes as the text of a query: what is masked holds no
 * string, is not longer than before, and stays as it is when masked again.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/masktext.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

/* Quotes may stand in quoted identifiers only. */
static bool has_string(const struct buf *b)
{
	bool quoted = false;
	size_t i;

	for (i = 0; i < b->len; i++) {
		if (b->ptr[i] == '"')
			quoted = !quoted;
		if (b->ptr[i] == '\'' && !quoted)
			return true;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;

	masktext((const char *)data, size, &once);
	check(once.len <= size);
	check(!has_string(&once));
	masktext(buf_str(&once), once.len, &twice);
	check(twice.len == once.len);
	check(once.len == 0 || memcmp(once.ptr, twice.ptr, once.len) == 0);
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
