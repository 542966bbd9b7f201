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

struct header *header_dup(const struct header *from)
{
	struct header *h = gs_malloc(sizeof(*h));
	size_t i;

	*h = *from;
	h->program_version = dup_or_null(from->program_version);
	h->options = dup_or_null(from->options);
	h->recorder_host = dup_or_null(from->recorder_host);
	h->host = NULL;
	h->refused = NULL;
	h->unknown = NULL;
	h->n_host = h->n_refused = h->n_unknown = 0;
	for (i = 0; i < from->n_host; i++)
		header_add_host(h, from->host[i].index, from->host[i].name);
	for (i = 0; i < from->n_refused; i++)
		header_add_refused(h, from->refused[i].what,
		    from->refused[i].why);
	for (i = 0; i < from->n_unknown; i++)
		header_add_unknown(h, from->unknown[i]);
	return h;
}

void header_add_host(struct header *h, uint32_t index, const char *name)
{
	h->host = gs_realloc(h->host, (h->n_host + 1) * sizeof(*h->host));
	h->host[h->n_host++] = (struct header_host) { index,
		gs_strdup(name) };
}

void header_add_refused(struct header *h, const char *what, const char *why)
{
	h->refused = gs_realloc(h->refused,
	    (h->n_refused + 1) * sizeof(*h->refused));
	h->refused[h->n_refused++] = (struct header_refused) {
		gs_strdup(what), gs_strdup(why) };
}

void header_add_unknown(struct header *h, const char *name)
{
	h->unknown = gs_realloc(h->unknown,
	    (h->n_unknown + 1) * sizeof(*h->unknown));
	h->unknown[h->n_unknown++] = gs_strdup(name);
}
