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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct archive_cluster {
	uint32_t *host; /* our indices, no catalogs */
	size_t n_host, host_cap;
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
	size_t i;

	for (i = 0; i < c->n_host; i++) {
		if (c->host[i] == host)
			return true;
	}
	return false;
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
		if (has_host(c, our_host(a, h->host[i].name)))
			return true;
		any = true;
	}
	return !any || c->n_host == 0;
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
		uint32_t host;

		if (h->host[i].catalog)
			continue;
		host = our_host(a, h->host[i].name);
		if (has_host(c, host))
			continue;
		GS_GROW(c->host, &c->host_cap, c->n_host + 1);
		c->host[c->n_host++] = host;
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

static uint32_t our_catalog(struct archive *a, const char *name)
{
	char longer[64];

	if (a->cluster_at == 0)
		return our_host(a, name);
	(void)snprintf(longer, sizeof(longer), "cluster-%zu-%.32s",
	    a->cluster_at + 1, name);
	return our_host(a, longer);
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
	    : our_host(a, h->name);
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
