/* SPDX-License-Identifier: Apache-2.0 */
#include "model/header.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"

struct header *header_new(void)
{
	struct header *h = gs_calloc(1, sizeof(*h));

	h->format_version = FORMAT_VERSION;
	return h;
}

static void settings_free(struct header_setting *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		free(s[i].name);
		free(s[i].value);
	}
	free(s);
}

static void host_release(struct header_host *host)
{
	free(host->name);
	free(host->server_version);
	settings_free(host->setting, host->n_setting);
}

void header_free(struct header *h)
{
	size_t i;

	if (!h)
		return;
	settings_free(h->setting, h->n_setting);
	free(h->server_version);
	for (i = 0; i < h->n_host; i++)
		host_release(&h->host[i]);
	for (i = 0; i < h->n_refused; i++) {
		free(h->refused[i].what);
		free(h->refused[i].why);
	}
	for (i = 0; i < h->n_unknown; i++)
		free(h->unknown[i]);
	for (i = 0; i < h->n_source; i++)
		free(h->source[i].recorder_host);
	free(h->edited);
	free(h->source);
	free(h->host);
	free(h->refused);
	free(h->unknown);
	free(h->program_version);
	free(h->options);
	free(h->recorder_host);
	free(h);
}

/* One more element of a list, which is not set yet. */
#define APPEND(list, n)                                                 \
	((list) = gs_realloc((list), ((n) + 1) * sizeof(*(list))),      \
	    &(list)[(n)++])

static char *dup_or_null(const char *s)
{
	return s ? gs_strdup(s) : NULL;
}

static struct header_host *add_host(struct header *h, uint32_t index,
	const char *name, bool catalog)
{
	struct header_host *to = APPEND(h->host, h->n_host);

	*to = (struct header_host) { .index = index,
		.name = gs_strdup(name), .catalog = catalog };
	return to;
}

static void add_setting(struct header_setting **list, size_t *n,
	const char *name, const char *value)
{
	*APPEND(*list, *n) = (struct header_setting) { gs_strdup(name),
		gs_strdup(value) };
}

static void dup_host(struct header *h, const struct header_host *from)
{
	struct header_host *to = add_host(h, from->index, from->name,
	    from->catalog);
	size_t i;

	to->server_version = dup_or_null(from->server_version);
	for (i = 0; i < from->n_setting; i++)
		add_setting(&to->setting, &to->n_setting,
		    from->setting[i].name, from->setting[i].value);
}

struct header *header_dup(const struct header *from)
{
	struct header *h = gs_malloc(sizeof(*h));
	size_t i;

	*h = *from;
	h->program_version = dup_or_null(from->program_version);
	h->options = dup_or_null(from->options);
	h->recorder_host = dup_or_null(from->recorder_host);
	h->server_version = dup_or_null(from->server_version);
	h->edited = dup_or_null(from->edited);
	h->setting = NULL;
	h->host = NULL;
	h->refused = NULL;
	h->source = NULL;
	h->unknown = NULL;
	h->n_setting = h->n_host = h->n_refused = h->n_unknown = 0;
	h->n_source = 0;
	for (i = 0; i < from->n_host; i++)
		dup_host(h, &from->host[i]);
	for (i = 0; i < from->n_setting; i++)
		add_setting(&h->setting, &h->n_setting,
		    from->setting[i].name, from->setting[i].value);
	for (i = 0; i < from->n_refused; i++)
		header_add_refused(h, from->refused[i].what,
		    from->refused[i].why);
	for (i = 0; i < from->n_source; i++)
		header_add_source(h, &from->source[i]);
	for (i = 0; i < from->n_unknown; i++)
		header_add_unknown(h, from->unknown[i]);
	return h;
}

void header_add_host(struct header *h, uint32_t index, const char *name)
{
	(void)add_host(h, index, name, false);
}

void header_remove_host(struct header *h, uint32_t index)
{
	size_t i, n = 0;

	for (i = 0; i < h->n_host; i++) {
		if (h->host[i].index == index)
			host_release(&h->host[i]);
		else
			h->host[n++] = h->host[i];
	}
	h->n_host = n;
}

size_t header_catalogs(const struct header *h)
{
	size_t i, n = 0;

	for (i = 0; i < h->n_host; i++)
		n += h->host[i].catalog;
	return n;
}

void header_add_catalog(struct header *h, uint32_t index, const char *name)
{
	(void)add_host(h, index, name, true);
	if (header_catalogs(h) > 1)
		h->incompat |= FEATURE_SERVERS;
}

/* ---- servers ----------------------------------------------------------- */

/* The facts of a catalog's server, wherever they are stored. */
struct place {
	char **version;
	struct header_setting **setting;
	size_t *n_setting;
};

static struct place place_of(struct header *h, uint32_t catalog)
{
	struct place p = { &h->server_version, &h->setting, &h->n_setting };
	bool first = true;
	size_t i;

	for (i = 0; i < h->n_host; i++) {
		struct header_host *host = &h->host[i];

		if (!host->catalog)
			continue;
		if (host->index == catalog && !first)
			return (struct place) { &host->server_version,
				&host->setting, &host->n_setting };
		first = false;
	}
	return p;
}

void header_add_setting(struct header *h, uint32_t catalog, const char *name,
	const char *value)
{
	struct place p = place_of(h, catalog);

	add_setting(p.setting, p.n_setting, name, value);
}

void header_clear_server(struct header *h, uint32_t catalog)
{
	struct place p = place_of(h, catalog);

	settings_free(*p.setting, *p.n_setting);
	free(*p.version);
	*p.setting = NULL;
	*p.n_setting = 0;
	*p.version = NULL;
}

void header_set_server_version(struct header *h, uint32_t catalog,
	const char *version)
{
	struct place p = place_of(h, catalog);

	free(*p.version);
	*p.version = gs_strdup(version);
}

struct header_host header_server(const struct header *h, size_t host)
{
	struct header_host s = h->host[host];
	size_t i;

	for (i = 0; i < host; i++) {
		if (h->host[i].catalog)
			return s;
	}
	s.server_version = h->server_version;
	s.setting = h->setting;
	s.n_setting = h->n_setting;
	return s;
}

const char *header_server_name(const struct header_host *server)
{
	static const char *const names[] = { "cluster_name", "port" };
	size_t i, k;

	for (i = 0; i < GS_LEN(names); i++) {
		for (k = 0; k < server->n_setting; k++) {
			const struct header_setting *s = &server->setting[k];

			if (strcmp(s->name, names[i]) == 0 &&
			    s->value[0] != '\0')
				return s->value;
		}
	}
	return NULL;
}

void header_add_refused(struct header *h, const char *what, const char *why)
{
	*APPEND(h->refused, h->n_refused) = (struct header_refused) {
		gs_strdup(what), gs_strdup(why) };
}

void header_add_source(struct header *h, const struct header_source *from)
{
	struct header_source *to = APPEND(h->source, h->n_source);

	*to = *from;
	to->recorder_host = gs_strdup(from->recorder_host
	    ? from->recorder_host : "");
}

void header_add_unknown(struct header *h, const char *name)
{
	*APPEND(h->unknown, h->n_unknown) = gs_strdup(name);
}

static bool same_settings(const struct header_host *a,
	const struct header_host *b)
{
	size_t i;

	if (a->n_setting != b->n_setting)
		return false;
	for (i = 0; i < a->n_setting; i++) {
		if (strcmp(a->setting[i].name, b->setting[i].name) != 0 ||
		    strcmp(a->setting[i].value, b->setting[i].value) != 0)
			return false;
	}
	return true;
}

bool header_same_servers(const struct header *a, const struct header *b)
{
	size_t i;

	if (a->n_host != b->n_host)
		return false;
	for (i = 0; i < a->n_host; i++) {
		struct header_host x = header_server(a, i);
		struct header_host y = header_server(b, i);

		if (!same_settings(&x, &y) ||
		    strcmp(x.server_version ? x.server_version : "",
		    y.server_version ? y.server_version : "") != 0)
			return false;
	}
	return true;
}
