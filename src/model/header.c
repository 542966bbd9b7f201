#include "model/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct header *header_new(void)
{
	struct header *h = gs_calloc(1, sizeof(*h));

	h->format_version = FORMAT_VERSION;
	return h;
}

void header_free(struct header *h)
{
	size_t i;

	if (!h)
		return;
	for (i = 0; i < h->n_host; i++)
		free(h->host[i].name);
	for (i = 0; i < h->n_refused; i++) {
		free(h->refused[i].what);
		free(h->refused[i].why);
	}
	for (i = 0; i < h->n_unknown; i++)
		free(h->unknown[i]);
	for (i = 0; i < h->n_source; i++)
		free(h->source[i].recorder_host);
	header_clear_database(h);
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

static char *dup_or_null(const char *s)
{
	return s ? gs_strdup(s) : NULL;
}

static void add_host(struct header *h, uint32_t index, const char *name,
	bool catalog)
{
	h->host = gs_realloc(h->host, (h->n_host + 1) * sizeof(*h->host));
	h->host[h->n_host++] = (struct header_host) { index,
		gs_strdup(name), catalog };
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
		add_host(h, from->host[i].index, from->host[i].name,
		    from->host[i].catalog);
	for (i = 0; i < from->n_setting; i++)
		header_add_setting(h, from->setting[i].name,
		    from->setting[i].value);
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
	add_host(h, index, name, false);
}

void header_remove_host(struct header *h, uint32_t index)
{
	size_t i, n = 0;

	for (i = 0; i < h->n_host; i++) {
		if (h->host[i].index == index)
			free(h->host[i].name);
		else
			h->host[n++] = h->host[i];
	}
	h->n_host = n;
}

void header_add_catalog(struct header *h, uint32_t index, const char *name)
{
	add_host(h, index, name, true);
}

void header_add_setting(struct header *h, const char *name,
	const char *value)
{
	h->setting = gs_realloc(h->setting,
	    (h->n_setting + 1) * sizeof(*h->setting));
	h->setting[h->n_setting++] = (struct header_setting) {
		gs_strdup(name), gs_strdup(value) };
}

void header_clear_database(struct header *h)
{
	size_t i;

	for (i = 0; i < h->n_setting; i++) {
		free(h->setting[i].name);
		free(h->setting[i].value);
	}
	free(h->setting);
	free(h->server_version);
	h->setting = NULL;
	h->n_setting = 0;
	h->server_version = NULL;
}

void header_set_server_version(struct header *h, const char *version)
{
	free(h->server_version);
	h->server_version = gs_strdup(version);
}

void header_add_refused(struct header *h, const char *what, const char *why)
{
	h->refused = gs_realloc(h->refused,
	    (h->n_refused + 1) * sizeof(*h->refused));
	h->refused[h->n_refused++] = (struct header_refused) {
		gs_strdup(what), gs_strdup(why) };
}

void header_add_source(struct header *h, const struct header_source *from)
{
	struct header_source *to;

	h->source = gs_realloc(h->source,
	    (h->n_source + 1) * sizeof(*h->source));
	to = &h->source[h->n_source++];
	*to = *from;
	to->recorder_host = gs_strdup(from->recorder_host
	    ? from->recorder_host : "");
}

void header_add_unknown(struct header *h, const char *name)
{
	h->unknown = gs_realloc(h->unknown,
	    (h->n_unknown + 1) * sizeof(*h->unknown));
	h->unknown[h->n_unknown++] = gs_strdup(name);
}
