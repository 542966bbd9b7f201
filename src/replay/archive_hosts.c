/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_hosts.c - numbers of hosts that hold for all files: a host is known by its
 * name.  Every recorder names its catalogs alike, so a catalog is known by its name and
 * its cluster.
 *
 * A recording is of the cluster that has one of its hosts with the port of its server,
 * the first one; where its port is not known yet, of one that has the host.  It stays
 * of it when the server is restarted on another port.  A file that was made of others
 * may hold several recordings under one identity: each key of it is looked at.
 */
#include "replay/archive_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

#define NONE UINT32_MAX

/* What a number is looked up by: the kind, a number and a text. */
enum { HOST = 'h', /* 0, name: our index */
	CATALOG = 'c', /* cluster, name: our index */
	PLACE = 'p', /* host, port, "" if not known: cluster */
	ANY = 'a', /* host, "": the first cluster with it */
	KNOWN = 'k', /* cluster, "": its port is known */
	RECORDING = 'r' /* 0, identity: 2 * cluster + whether its port is known */
};

struct archive_number {
	char *key;
	uint32_t n;
	UT_hash_handle hh;
};

static struct archive_number *find(struct archive *a, char kind, size_t n,
	const char *text)
{
	struct archive_number *x;

	buf_reset(&a->key);
	buf_printf(&a->key, "%c%zu %s", kind, n, text);
	HASH_FIND_STR(a->number, buf_str(&a->key), x);
	return x;
}

static uint32_t look(struct archive *a, char kind, size_t n, const char *text)
{
	const struct archive_number *x = find(a, kind, n, text);

	return x ? x->n : NONE;
}

/* It has the number from now on, unless it has one. */
static struct archive_number *number(struct archive *a, char kind, size_t n,
	const char *text, uint32_t is)
{
	struct archive_number *x = find(a, kind, n, text);

	if (x)
		return x;
	x = gs_calloc(1, sizeof(*x));
	x->key = gs_strdup(buf_str(&a->key));
	x->n = is;
	HASH_ADD_KEYPTR(hh, a->number, x->key, strlen(x->key), x);
	return x;
}

static uint32_t our(struct archive *a, char kind, size_t n, const char *name)
{
	uint32_t index = number(a, kind, n, name, a->n_host)->n;

	a->n_host += index == a->n_host;
	return index;
}

/* ---- clusters ---------------------------------------------------------- */

/* Of the first server; "": it has not answered yet.  A setting that is the default is
 * not recorded. */
static const char *port_of(const struct header *h)
{
	size_t i;

	for (i = 0; i < h->n_setting; i++) {
		if (strcmp(h->setting[i].name, "port") == 0)
			return h->setting[i].value;
	}
	return h->server_version && h->server_version[0] ? "5432" : "";
}

static uint32_t by_hosts(struct archive *a, const struct header *h, char kind,
	const char *text)
{
	uint32_t c = NONE;
	size_t i;

	for (i = 0; i < h->n_host && c == NONE; i++) {
		uint32_t host = h->host[i].catalog ? NONE
		    : look(a, HOST, 0, h->host[i].name);

		if (host != NONE)
			c = look(a, kind, host, text);
	}
	return c;
}

static uint32_t choose(struct archive *a, const struct header *h,
	const char *port)
{
	uint32_t c = port[0] ? by_hosts(a, h, PLACE, port)
	    : by_hosts(a, h, ANY, "");

	if (c == NONE && port[0]) {
		c = by_hosts(a, h, PLACE, "");
		if (c != NONE && look(a, KNOWN, c, "") != NONE)
			c = NONE;
	}
	if (c == NONE && h->n_host == header_catalogs(h) && a->n_cluster > 0)
		c = 0; /* nothing tells */
	return c == NONE ? a->n_cluster++ : c;
}

/* Its hosts have their numbers, in the order of the header. */
static void learn(struct archive *a, const struct header *h, uint32_t cluster)
{
	const char *port = port_of(h);
	bool known = look(a, KNOWN, cluster, "") != NONE;
	size_t i;

	for (i = 0; i < h->n_host; i++) {
		uint32_t host = h->host[i].catalog ? NONE
		    : look(a, HOST, 0, h->host[i].name);

		if (host == NONE)
			continue;
		(void)number(a, ANY, host, "", cluster);
		if (port[0] || !known)
			(void)number(a, PLACE, host, port, cluster);
	}
	if (port[0])
		(void)number(a, KNOWN, cluster, "", 1);
}

/* The cluster of a recording with catalogs. */
static uint32_t find_cluster(struct archive *a, const struct header *h)
{
	const char *port = port_of(h);
	char id[2 * RECORDING_ID_LEN + 1];
	struct archive_number *is;
	uint32_t cluster;
	size_t i;

	for (i = 0; i < RECORDING_ID_LEN; i++) {
		id[2 * i] = "0123456789abcdef"[h->recording_id[i] >> 4];
		id[2 * i + 1] = "0123456789abcdef"[h->recording_id[i] & 15];
	}
	id[2 * i] = '\0';
	is = number(a, RECORDING, 0, id, NONE);
	if (is->n != NONE && !header_is_edited(h) &&
	    (is->n & 1 || !port[0]))
		cluster = is->n / 2;
	else
		cluster = choose(a, h, port);
	is->n = 2 * cluster + (port[0] || (is->n != NONE && is->n & 1));
	return cluster;
}

/* ---- headers and ticks ------------------------------------------------- */

static void map_host(struct archive *a, struct header_host *h, uint32_t cluster)
{
	uint32_t index = h->index;

	if (index >= TICK_HOSTS_MAX)
		return;
	if (index >= a->n_map) {
		a->map = gs_realloc(a->map, ((size_t)index + 1) *
		    sizeof(*a->map));
		while (a->n_map <= index) {
			a->map[a->n_map] = (uint32_t)a->n_map;
			a->n_map++;
		}
	}
	a->map[index] = h->catalog ? our(a, CATALOG, cluster, h->name)
	    : our(a, HOST, 0, h->name);
	h->index = a->map[index];
}

static void map_hosts(struct archive *a, struct header *h)
{
	bool has_catalogs = header_catalogs(h) > 0;
	uint32_t cluster = has_catalogs ? find_cluster(a, h) : 0;
	size_t i;

	for (i = 0; i < h->n_host; i++)
		map_host(a, &h->host[i], cluster);
	if (has_catalogs)
		learn(a, h, cluster);
}

void archive_translate(struct archive *a, struct tick *t)
{
	size_t i;

	if (t->header) {
		map_hosts(a, t->header);
		header_free(a->header);
		a->header = header_dup(t->header);
	}
	for (i = 0; i < t->n_block; i++) {
		if (t->block[i]->host < a->n_map)
			t->block[i]->host = a->map[t->block[i]->host];
	}
	for (i = 0; i < t->n_event; i++) {
		if (t->event[i].host < a->n_map)
			t->event[i].host = a->map[t->event[i].host];
	}
	for (i = 0; i < t->n_remark; i++) {
		if (t->remark[i].host < a->n_map)
			t->remark[i].host = a->map[t->remark[i].host];
	}
}

void archive_forget_hosts(struct archive *a)
{
	struct archive_number *x, *next;

	HASH_ITER(hh, a->number, x, next) {
		HASH_DEL(a->number, x);
		free(x->key);
		free(x);
	}
	buf_release(&a->key);
	free(a->map);
}
