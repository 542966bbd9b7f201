/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_anon.c - any bytes as a text whose names are replaced, the first byte
 * says of which kind: what comes out holds no letters but those of known words
 * and of pseudonyms.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "anonymize/anon.h"
#include "anonymize/plain.h"
#include "base/compiler.h"
#include "base/sqlwords.h"
#include "fuzz.h"

#define RUNS_MAX 32768

static const char *const more[] = {
	"user", "db", "login", "host", "domain", "addr", "app", "obj", "group",
	"cluster", "dir", "dev", "prog", "boot", "word", "con", "seg", "cmd",
	"slice", "gpseg", "pgsql", "session", "scope", "service", "mount",
	"socket", "pg", "toast", "temp", "aoseg", "aocsseg", "aovisimap",
	"aoblkdir",
};

/* Runs of letters of all that is known, in lower case. */
static struct span run[RUNS_MAX];
static size_t n_run;

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (unsigned char)c >= 0x80;
}

static bool take_run(struct span *s, struct span *ret)
{
	while (!span_empty(*s) && !is_letter(*s->ptr))
		s->ptr++;
	ret->ptr = s->ptr;
	while (!span_empty(*s) && is_letter(*s->ptr))
		s->ptr++;
	ret->end = s->ptr;
	return !span_empty(*ret);
}

static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	size_t n = GS_MIN(span_len(*x), span_len(*y)), i;

	for (i = 0; i < n; i++) {
		int d = wordlist_fold(x->ptr[i]) - wordlist_fold(y->ptr[i]);

		if (d != 0)
			return d;
	}
	return (span_len(*x) > n) - (span_len(*y) > n);
}

static void learn(const struct wordlist *l)
{
	struct span s, r;
	size_t i;

	for (i = 0; i < l->n; i++) {
		s = span_str(l->word[i]);
		while (take_run(&s, &r)) {
			if (n_run == RUNS_MAX)
				abort();
			run[n_run++] = r;
		}
	}
}

static void learn_all(void)
{
	const struct wordlist own = { more, GS_LEN(more) };
	int k;

	if (n_run > 0)
		return;
	learn(&own);
	for (k = 0; k < PLAIN_COUNT; k++)
		learn(plain_list((enum plain)k));
	for (k = 0; k < SQLWORD_COUNT; k++)
		learn(sqlword_list((enum sqlword_list)k));
	qsort(run, n_run, sizeof(*run), compare);
}

/* sda, vdab, xvdc */
static bool is_disk(struct span r)
{
	r.ptr += span_starts(r, "x");
	return span_len(r) <= 4 && (span_starts(r, "sd") ||
	    span_starts(r, "vd") || span_starts(r, "hd"));
}

/* Places in the log. */
static bool is_hex(struct span r)
{
	for (; r.ptr < r.end; r.ptr++) {
		if (*r.ptr < 'A' || *r.ptr > 'F')
			return false;
	}
	return true;
}

static bool is_known(struct span r)
{
	return bsearch(&r, run, n_run, sizeof(*run), compare) != NULL;
}

/* enp0s31f6: a letter says of what the number is. */
static bool is_marked(struct span r)
{
	return strchr("pnsfduc", r.end[-1]) &&
	    is_known(span_of(r.ptr, span_len(r) - 1));
}

/* Behind "-D", without a blank. */
static bool is_option(struct span r)
{
	return *r.ptr == 'D' && is_known(span_of(r.ptr + 1,
	    span_len(r) - 1));
}

static void check(struct span now)
{
	struct span r;

	while (take_run(&now, &r)) {
		if (span_len(r) > 1 && !is_disk(r) && !is_hex(r) &&
		    !is_known(r) && !is_marked(r) && !is_option(r))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct aliases *all = aliases_new();
	struct anon *a = anon_new(all);
	enum text_kind kind = size > 0
	    ? (enum text_kind)(data[0] % TEXT_KIND_COUNT) : TEXT_PLAIN;
	struct span now;

	learn_all();
	if (kind != TEXT_PLAIN && anon_text(a, kind,
	    span_of((const char *)data + 1, size - 1), &now))
		check(now);
	anon_free(a);
	aliases_free(all);
	return 0;
}
