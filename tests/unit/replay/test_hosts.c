/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of hosts in several recordings: hosts are known by name, catalogs by the
 * cluster of their recording.
 */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "replay/archive_int.h"

#define HOSTS 3

struct recording {
	const char *host[HOSTS]; /* before the catalog */
	const char *port; /* NULL: the server has not answered yet */
};

struct hosts_case {
	const char *name;
	struct recording first, second;
	bool same_id; /* a later key of the first recording */
	bool one; /* both catalogs are of one cluster */
};

static const struct hosts_case rows[] = {
	{ "the same", { { "mdw" }, "5432" }, { { "mdw" }, "5432" }, false,
	    true },
	{ "other hosts", { { "mdw", "sdw1" }, "5432" }, { { "a", "b", "c" },
	    "5432" }, false, false },
	{ "another port", { { "mdw" }, "5432" }, { { "mdw" }, "5433" }, false,
	    false },
	{ "restarted on another port", { { "mdw" }, "5432" }, { { "mdw" },
	    "5433" }, true, true },
	{ "no port at first", { { "mdw" }, NULL }, { { "mdw" }, "5433" }, false,
	    true },
	{ "no port later", { { "mdw" }, "5432" }, { { "mdw" }, NULL }, false,
	    true },
	{ "grown, with another coordinator", { { "mdw", "sdw1" }, "5432" },
	    { { "smdw", "sdw1", "sdw2" }, "5432" }, false, true },
	{ "a host that is called as a catalog is", { { "catalog" }, "5432" },
	    { { "a" }, "5432" }, false, false },
};

/* The numbers that its hosts get, the catalog's last. */
static size_t translate(struct archive *a, const struct recording *r, int id,
	uint32_t *ret)
{
	struct tick t = { .header = header_new() };
	uint32_t i;

	t.header->recording_id[0] = (uint8_t)id;
	for (i = 0; i < HOSTS && r->host[i]; i++)
		header_add_host(t.header, i, r->host[i]);
	header_add_catalog(t.header, i, "catalog");
	if (r->port)
		header_add_setting(t.header, i, "port", r->port);
	archive_translate(a, &t);
	for (i = 0; i < t.header->n_host; i++)
		ret[i] = t.header->host[i].index;
	header_free(t.header);
	return i - 1;
}

static void test_case(void **state)
{
	const struct hosts_case *c = *state;
	struct archive *a = calloc(1, sizeof(*a));
	uint32_t first[HOSTS + 1], second[HOSTS + 1], again[HOSTS + 1];
	size_t n = translate(a, &c->first, 1, first);
	size_t m = translate(a, &c->second, c->same_id ? 1 : 2, second);
	size_t i, k;

	assert_int_equal(first[n] == second[m], c->one);
	for (i = 0; i < n; i++) {
		assert_int_not_equal(first[i], first[n]);
		for (k = 0; k < m; k++)
			assert_int_equal(first[i] == second[k], strcmp(
			    c->first.host[i], c->second.host[k]) == 0);
	}
	/* back to the first one, as after a seek */
	if (!c->same_id) {
		(void)translate(a, &c->first, 1, again);
		assert_memory_equal(again, first, (n + 1) * sizeof(*first));
	}
	header_free(a->header);
	archive_forget_hosts(a);
	free(a);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_case, rows);
	return cases_run(&c, "hosts of several recordings");
}
