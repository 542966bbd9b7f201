/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is news in a header: settings and versions of servers.
 */
#include "cases.h"

#include "model/header.h"

/* A setting of the server; value NULL: it has none. */
static struct header *server(const char *name, const char *value)
{
	struct header *h = header_new();

	header_add_catalog(h, 0, "catalog");
	if (value)
		header_add_setting(h, 0, name, value);
	return h;
}

static const struct {
	const char *name;
	const char *setting[2];
	const char *value[2];
	bool same;
} settings[] = {
	{ "none", { "", "" }, { NULL, NULL }, true },
	{ "the same", { "work_mem", "work_mem" }, { "4MB", "4MB" }, true },
	{ "one more", { "", "work_mem" }, { NULL, "4MB" }, false },
	{ "another value", { "work_mem", "work_mem" }, { "4MB", "1GB" }, false },
	{ "another one", { "work_mem", "port" }, { "4MB", "4MB" }, false },
};

static void test_settings(void **state)
{
	const __typeof__(settings[0]) *c = *state;
	struct header *a = server(c->setting[0], c->value[0]);
	struct header *b = server(c->setting[1], c->value[1]);

	assert_int_equal(header_same_servers(a, b), c->same);
	assert_int_equal(header_same_servers(b, a), c->same);
	header_free(a);
	header_free(b);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_settings, settings);
	return cases_run(&c, "header");
}
