/* SPDX-License-Identifier: Apache-2.0 */
#include "record/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/mem.h"
#include "format/wire.h"

#define REFUSED_MAX 64u
/* A value of process.role (metrics.def): recorded because all are. */
#define ROLE_ALL 4u

struct header *describe_new(const struct recorder_options *opt)
{
	struct header *h = header_new();

	/* Fails only before the kernel's pool is filled; then it is zero. */
	if (getrandom(h->recording_id, RECORDING_ID_LEN, 0) < 0)
		memset(h->recording_id, 0, RECORDING_ID_LEN);
	h->file_number = 1;
	h->interval_ns = opt->interval_ns;
	h->content = CONTENT_TITLES | CONTENT_ADDRESSES;
	if (opt->host_set.with & WITH_ARGUMENTS)
		h->content |= CONTENT_ARGUMENTS;
	if (opt->host_set.with & WITH_ALL)
		h->content |= CONTENT_ALL;
	h->program_version = gs_strdup(opt->version);
	h->options = gs_strdup(opt->command_line);
	h->recorder_host = gs_strdup(opt->host_set.nodename);
	return h;
}

bool describe_refused(struct header *h, const char *text)
{
	const char *colon = strstr(text, ": ");
	char *what;
	bool is_new;
	size_t i;

	what = colon ? gs_strndup(text, (size_t)(colon - text))
	             : gs_strdup(text);
	for (i = 0; i < h->n_refused; i++) {
		if (strcmp(h->refused[i].what, what) == 0)
			break;
	}
	is_new = i == h->n_refused && i < REFUSED_MAX;
	if (is_new)
		header_add_refused(h, what, colon ? colon + 2 : "");
	free(what);
	return is_new;
}

bool describe_roles(struct header *h, const struct world *w)
{
	struct row *const *row;
	uint64_t role;
	size_t n, i;

	if (h->content & CONTENT_ALL)
		return false;
	row = world_touched(w, &n);
	for (i = 0; i < n; i++) {
		if (row[i]->entity != ENTITY_PROCESS || row[i]->closed ||
		    !row_get(row[i], COL(PROCESS, ROLE), &role) ||
		    role != ROLE_ALL)
			continue;
		h->content |= CONTENT_ALL;
		return true;
	}
	return false;
}

bool describe_unreadable(struct header *h, uint64_t n,
	char text[DESCRIBE_TEXT_MAX])
{
	if (n == 0 || geteuid() == 0)
		return false;
	(void)snprintf(text, DESCRIBE_TEXT_MAX, "IO of %" PRIu64 " process%s: "
	    "not recorded, since only root and their own user may read it", n,
	    n == 1 ? "" : "es");
	(void)describe_refused(h, text); /* there already, or no room */
	return true;
}
