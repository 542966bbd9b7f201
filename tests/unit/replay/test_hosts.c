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
#define KEYS 4

/* Keys, in the order in which they are read. */
struct key {
	int id; /* of its recording; negative: it was made of others; 0: no
	         * more keys */
	const char *host[HOSTS]; /* before the catalog */
	const char *port; /* "": it is the default; NULL: nobody has answered yet */
	int cluster; /* equal ones are of one */
};

struct hosts_case {
	const char *name;
	struct key key[KEYS];
};

static const struct hosts_case rows[] = {
	{ "the same", { { 1, { "mdw" }, "5432", 1 },
	    { 2, { "mdw" }, "5432", 1 } } },
	{ "other hosts, and back", { { 1, { "mdw", "sdw1" }, "5432", 1 },
	    { 2, { "a", "b", "c" }, "5432", 2 },
	    { 1, { "mdw", "sdw1" }, "5432", 1 } } },
	{ "another port", { { 1, { "mdw" }, "5432", 1 },
	    { 2, { "mdw" }, "5433", 2 } } },
	{ "the default port, and another", { { 1, { "mdw" }, "", 1 },
	    { 2, { "mdw" }, "5433", 2 }, { 3, { "mdw" }, "5432", 1 } } },
	{ "restarted on another port", { { 1, { "mdw" }, "5432", 1 },
	    { 1, { "mdw" }, "5433", 1 }, { 2, { "mdw" }, "5433", 1 },
	    { 1, { "mdw" }, "5432", 1 } } },
	{ "no port at first", { { 1, { "mdw" }, NULL, 1 },
	    { 1, { "mdw" }, "5433", 1 }, { 2, { "mdw" }, "5432", 2 } } },
	{ "no port at first, of another", { { 1, { "mdw" }, "5432", 1 },
	    { 2, { "mdw" }, NULL, 1 }, { 2, { "mdw" }, "5433", 2 },
	    { 2, { "mdw" }, NULL, 2 } } },
	{ "no port later", { { 1, { "mdw" }, "5432", 1 },
	    { 2, { "mdw" }, NULL, 1 } } },
	{ "grown, with another coordinator", {
	    { 1, { "mdw", "sdw1" }, "5432", 1 },
	    { 2, { "smdw", "sdw1", "sdw2" }, "5432", 1 },
	    { 3, { "sdw2" }, "5432", 1 } } },
	{ "a file that was made of two", { { -1, { "mdw" }, "5432", 1 },
	    { -1, { "a" }, "5432", 2 }, { -1, { "mdw" }, "5432", 1 } } },
	{ "a host that is called as a catalog is", {
	    { 1, { "catalog" }, "5432", 1 }, { 2, { "a" }, "5432", 2 } } },
};

/* The numbers that its hosts get, the catalog's last; how many hosts.  The catalog
 * stands behind the first one, as a recorder has it. */
static size_t translate(struct archive *a, const struct key *k, uint32_t *ret)
{
	struct tick t = { .header = header_new() };
	uint32_t i;

	t.header->recording_id[0] = (uint8_t)abs(k->id);
	header_add_host(t.header, 0, k->host[0]);
	header_add_catalog(t.header, 1, "catalog");
	for (i = 1; i < HOSTS && k->host[i]; i++)
		header_add_host(t.header, i + 1, k->host[i]);
	if (k->port)
		header_set_server_version(t.header, 1, "PostgreSQL 15");
	if (k->port && k->port[0])
		header_add_setting(t.header, 1, "port", k->port);
	if (k->id < 0) {
		free(t.header->edited);
		t.header->edited = strdup("gpsnap share a b -o ab");
	}
	archive_translate(a, &t);
	for (i = 0; i < t.header->n_host; i++)
		ret[i < 2 ? (t.header->n_host - 1) * i : i - 1] =
		    t.header->host[i].index;
	header_free(t.header);
	return i - 1;
}

/* The first header keeps the order that it has. */
static void ordered(const uint32_t *x, size_t n)
{
	size_t i;

	assert_int_equal(x[0], 0);
	assert_int_equal(x[n], 1);
	for (i = 1; i < n; i++)
		assert_int_equal(x[i], i + 1);
}

static void same_where_named(const struct key *k, const uint32_t *x, size_t n,
	const struct key *l, const uint32_t *y, size_t m)
{
	size_t i, j;

	assert_int_equal(x[n] == y[m], k->cluster == l->cluster);
	for (i = 0; i < n; i++) {
		assert_int_not_equal(x[i], y[m]);
		for (j = 0; j < m; j++)
			assert_int_equal(x[i] == y[j],
			    strcmp(k->host[i], l->host[j]) == 0);
	}
}

static void test_case(void **state)
{
	const struct hosts_case *c = *state;
	struct archive *a = calloc(1, sizeof(*a));
	uint32_t index[KEYS][HOSTS + 1];
	size_t n[KEYS], i, k;

	for (k = 0; k < KEYS && c->key[k].id; k++) {
		n[k] = translate(a, &c->key[k], index[k]);
		for (i = 0; i <= k; i++)
			same_where_named(&c->key[i], index[i], n[i], &c->key[k],
			    index[k], n[k]);
	}
	ordered(index[0], n[0]);
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
