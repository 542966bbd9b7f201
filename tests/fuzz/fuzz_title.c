/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_title.c - any bytes as a process title: all spans lie within them,
 * numbers are in range, and what was found is consistent.
 */
#include <stdlib.h>

#include "base/compiler.h"
#include "fuzz.h"
#include "title/title.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = span_of((const char *)data, size);
	struct title t;
	const struct span *s[] = { &t.cluster, &t.user_db, &t.user,
		&t.database, &t.client, &t.name, &t.activity, &t.datadir };
	struct title_names names = { 0 };
	size_t i;

	(void)title_learn(&names, text); /* what it says is used below */
	names.known = true;
	title_parse_named(text, &names, &t);
	check(!span_empty(t.cluster) || names.len == 0 ||
	    t.kind == TITLE_NONE);
	title_parse(text, &t);
	for (i = 0; i < GS_LEN(s); i++)
		check((!s[i]->ptr && !s[i]->end) || (s[i]->ptr >= text.ptr &&
		    s[i]->ptr <= s[i]->end && s[i]->end <= text.end));
	check(!t.has_port || t.port <= 65535);
	check((t.kind == TITLE_QE) == t.has_seg || t.kind == TITLE_WALSENDER);
	check(t.kind != TITLE_QD || t.has_session);
	check(*title_kind_name(t.kind) && *title_role_name(t.role));
	return 0;
}
