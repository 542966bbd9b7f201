/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a watch tells of a row: the first news of a recorded incident.
 */
#include "cli/watch_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cases.h"
#include "cli/cmds.h"
#include "cli/start.h"
#include "model/walk.h"
#include "replay/archive.h"

#define INCIDENT GS_SOURCE_DIR "/samples/postgresql15-incident.gpsnap"

static const struct told_case {
	const char *name;
	char *on;
	const char *rule, *session, *host;
	const char *says;
} told[] = {
	{ "an expression names its row, and who works there",
	    "lock.waiters > 3", "lock.waiters > 3", "89", "db1", "blocks 7, "
	    "root 89, session 89, mode AccessShare, object 16395, user bi, "
	    "application dashboard, query select count(*) from "
	    "pgbench_accounts where bid = ?;" },
	{ "an expression of a view without sessions", "host.busy > 50%",
	    "host.busy > 50%", NULL, "db1",
	    "busy_percent 51 %, host db1" },
	{ "a rule names the session of its subject", "lock pile-up",
	    "lock pile-up", "89", "db1", "7 sessions waited for 89 (bi, "
	    "dashboard): AccessShare on 16395, \"select count(*) from "
	    "pgbench_accounts where bid = ?;\"" },
};

static struct watch_news *first_news(char *on)
{
	char *file[] = { (char *)(uintptr_t)INCIDENT };
	struct opt_texts texts = { .text = { on }, .n = 1 }, none = { .n = 0 };
	struct watch_news *list = NULL, **end = &list;
	struct watch_rules *w = gs_calloc(1, sizeof(*w));
	struct watch_options o;
	struct archive *a;
	const struct tick *t;
	struct gs_err err;
	size_t bytes;

	assert_int_equal(archive_open(file, 1, &a, &err), GS_OK);
	assert_int_equal(watch_rules_set(&record_opts, &texts, &none,
	    GS_NSEC_PER_SEC, w), CLI_GO);
	watch_rules_options(w, &o);
	while (!list && walk_next_new(archive_cursor(a), &t, &err) > 0)
		assert_int_equal(o.judge.tick(o.judge.arg, t, false, false,
		    &end, &bytes, &err), GS_OK);
	watch_rules_release(w);
	free(w);
	archive_free(a);
	return list;
}

static void assert_text(const char *is, const char *want)
{
	if (!want)
		assert_null(is);
	else
		assert_string_equal(is ? is : "(none)", want);
}

static void test_told(void **state)
{
	const struct told_case *c = *state;
	struct watch_news *n = first_news(c->on);

	assert_non_null(n);
	assert_true(n->begins);
	assert_text(n->rule, c->rule);
	assert_text(n->session, c->session);
	assert_text(n->host, c->host);
	assert_text(n->says, c->says);
	while (n) {
		struct watch_news *next = n->link;

		watch_news_free(n);
		n = next;
	}
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_told, told);
	return cases_run(&c, "watch");
}
