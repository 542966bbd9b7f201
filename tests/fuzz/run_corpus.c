/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_corpus.c - runs a fuzz target over files, without a fuzzer.
 *
 *   fuzz_NAME [FILE ...] [--lines FILE ...]
 * Every file whole and cut at up to 512 places; after --lines every line of
 * it likewise.  Each input is a block of exactly its size, so that a
 * sanitizer sees a read beyond it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define CUTS 512

static void run_copy(const char *p, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	memcpy(copy, p, len);
	(void)LLVMFuzzerTestOneInput(copy, len); /* always 0 */
	free(copy);
}

static void run_cuts(const char *p, size_t len)
{
	size_t step = len / CUTS + 1;
	size_t i;

	for (i = 0; i < len; i += step)
		run_copy(p, i);
	run_copy(p, len);
}

static void run_lines(const char *p, size_t len)
{
	const char *end = p + len;
	const char *nl;

	while (p < end) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		run_cuts(p, (size_t)(nl - p));
		p = nl < end ? nl + 1 : end;
	}
}

static char *read_file(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	char *p = NULL;
	size_t len = 0, cap = 0, n;

	if (!f)
		return NULL;
	do {
		if (len == cap) {
			cap = cap ? 2 * cap : 65536;
			p = realloc(p, cap);
			if (!p)
				abort();
		}
		n = fread(p + len, 1, cap - len, f);
		len += n;
	} while (n > 0);
	(void)fclose(f); /* was only read */
	*ret_len = len;
	return p;
}

int main(int argc, char **argv)
{
	bool lines = false;
	size_t len;
	char *p;
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--lines") == 0) {
			lines = true;
			continue;
		}
		p = read_file(argv[i], &len);
		if (!p) {
			(void)fprintf(stderr, "%s: can not read\n", argv[i]);
			return 2;
		}
		if (lines)
			run_lines(p, len);
		else
			run_cuts(p, len);
		free(p);
	}
	return 0;
}
