/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_hosts.c - numbers of hosts that hold for all files: a host is known by its
 * name.  Every recorder names its catalogs alike, so a catalog is known by its name and
 * its cluster.
 *
 * A recording is of a cluster that has one of its hosts, unless their servers, the
 * first of each, listen on other ports.
 */
#include "replay/archive_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#define WORD 64u

struct archive_cluster {
	uint64_t *host; /* a bit for each of ours; no catalogs */
	size_t n_word, word_cap;
	char *port; /* "": not known yet */
};

static uint32_t our_host(struct archive *a, const char *name)
{
	size_t i;

	for (i = 0; i < a->n_host; i++) {
		if (strcmp(a->host[i], name) == 0)
			return (uint32_t)i;
	}
	a->host = gs_realloc(a->host, (a->n_host + 1) * sizeof(*a->host));
	a->host[a->n_host] = gs_strdup(name);
	return (uint32_t)a->n_host++;
}

/* The same of a host of a recording, which most often has the index it had. */
static uint32_t our_host_at(struct archive *a, const struct header_host *h)
{
	if (h->index < a->n_map && a->map[h->index] < a->n_host &&
	    strcmp(a->host[a->map[h->index]], h->name) == 0)
		return a->map[h->index];
	return our_host(a, h->name);
}

/* ---- clusters ---------------------------------------------------------- */

static const char *port_of(const struct header *h)
{
	size_t i;

	for (i = 0; i < h->n_setting; i++) {
		if (strcmp(h->setting[i].name, "port") == 0)
			return h->setting[i].value;
	}
	return "";
}

static bool has_host(const struct archive_cluster *c, uint32_t host)
{
	return host / WORD < c->n_word &&
	    c->host[host / WORD] >> (host % WORD) & 1;
}

static void add_host(struct archive_cluster *c, uint32_t host)
{
	size_t n = host / WORD + 1;

	if (n > c->n_word) {
		GS_GROW(c->host, &c->word_cap, n);
		memset(c->host + c->n_word, 0,
		    (n - c->n_word) * sizeof(*c->host));
		c->n_word = n;
	}
	c->host[host / WORD] |= UINT64_C(1) << (host % WORD);
}

static bool is_of_cluster(struct archive *a, const struct archive_cluster *c,
	const struct header *h)
{
	const char *port = port_of(h);
	bool any = false;
	size_t i;

	if (port[0] != '\0' && c->port[0] != '\0' &&
	    strcmp(port, c->port) != 0)
		return false;
	for (i = 0; i < h->n_host; i++) {
		if (h->host[i].catalog)
			continue;
		if (has_host(c, our_host_at(a, &h->host[i])))
			return true;
		any = true;
	}
	return !any || c->n_word == 0;
}

static void learn(struct archive *a, struct archive_cluster *c,
	const struct header *h)
{
	size_t i;

	if (c->port[0] == '\0') {
		free(c->port);
		c->port = gs_strdup(port_of(h));
	}
	for (i = 0; i < h->n_host; i++) {
		if (!h->host[i].catalog)
			add_host(c, our_host_at(a, &h->host[i]));
	}
}

/* The cluster of a recording with catalogs. */
static size_t find_cluster(struct archive *a, const struct header *h)
{
	bool same = a->n_cluster > 0 && memcmp(a->cluster_of, h->recording_id,
	    RECORDING_ID_LEN) == 0;
	size_t i = 0;

	if (same) /* its server may be on another port now */
		return a->cluster_at;
	memcpy(a->cluster_of, h->recording_id, RECORDING_ID_LEN);
	while (i < a->n_cluster && !is_of_cluster(a, &a->cluster[i], h))
		i++;
	if (i < a->n_cluster)
		return i;
	a->cluster = gs_realloc(a->cluster,
	    (i + 1) * sizeof(*a->cluster));
	a->cluster[i] = (struct archive_cluster) { .port = gs_strdup("") };
	a->n_cluster++;
	return i;
}

/* No host has such a name. */
static uint32_t our_catalog(struct archive *a, const char *name)
{
	struct buf key = BUF_INIT;
	uint32_t index;

	buf_printf(&key, "\001%zu %s", a->cluster_at, name);
	index = our_host(a, buf_str(&key));
	buf_release(&key);
	return index;
}

/* ---- headers and ticks ------------------------------------------------- */

static void map_host(struct archive *a, struct header_host *h)
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
	a->map[index] = h->catalog ? our_catalog(a, h->name)
	    : our_host_at(a, h);
	h->index = a->map[index];
}

static void map_hosts(struct archive *a, struct header *h)
{
	size_t i;

	if (header_catalogs(h) > 0) {
		a->cluster_at = find_cluster(a, h);
		learn(a, &a->cluster[a->cluster_at], h);
	}
	for (i = 0; i < h->n_host; i++)
		map_host(a, &h->host[i]);
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
	size_t i;

	for (i = 0; i < a->n_host; i++)
		free(a->host[i]);
	for (i = 0; i < a->n_cluster; i++) {
		free(a->cluster[i].host);
		free(a->cluster[i].port);
	}
	free(a->host);
	free(a->cluster);
	free(a->map);
}
