/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_deploy.c - any bytes as what a host says before an agent answers, in
 * pieces as they may come.  The first byte is the length of a piece.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fuzz.h"
#include "record/deploy.h"

/* One marked line, or none; false: that was all. */
static bool hear(const struct deploy *d, const char *p, size_t len,
	size_t *ret_used)
{
	struct gs_err err = { GS_OK, "" };
	size_t used = SIZE_MAX, noise = SIZE_MAX;
	enum deploy_step step = deploy_parse(d, p, len, &used, &noise, &err);

	if (step == DEPLOY_WAIT)
		return false;
	if (used > len || used == 0 || noise > used)
		abort();
	if (step == DEPLOY_FAILED && (err.status == GS_OK || !*err.msg ||
	    strpbrk(err.msg, "\033\r\n")))
		abort();
	*ret_used = used;
	return true;
}

static void hear_all(const struct deploy *d, const char *p, size_t size,
	size_t step)
{
	size_t at = 0, there = 0, used = 0;

	while (there < size) {
		there = size - there < step ? size : there + step;
		while (at < there && hear(d, p + at, there - at, &used))
			at += used;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct deploy d = { .machine = "x86_64" };
	char *copy;

	if (size < 1)
		return 0;
	copy = gs_strndup((const char *)data + 1, size - 1);
	hear_all(&d, copy, size - 1, 1U + data[0]);
	hear_all(NULL, copy, size - 1, size);
	free(copy);
	return 0;
}
