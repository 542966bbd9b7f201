/* SPDX-License-Identifier: Apache-2.0 */
#include "record/describe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/mem.h"
#include "format/wire.h"

#define REFUSED_MAX 64u
#define NAMED_SHOWN ((size_t)32)
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

void describe_named(const struct host_set_options *opt, struct buf *to)
{
	size_t i, shown = GS_MIN(opt->n_pid, NAMED_SHOWN);

	for (i = 0; i < shown; i++)
		buf_printf(to, "%s%" PRIu32, i > 0 ? ", " :
		    opt->n_pid == 1 ? "only pid " : "only pids ", opt->pid[i]);
	if (opt->n_pid > shown)
		buf_printf(to, " and %zu more", opt->n_pid - shown);
	for (i = 0; i < opt->n_comm; i++)
		buf_printf(to, "%s%s", i > 0 ? ", " : opt->n_pid == 0
		    ? "only processes called " : " and processes called ",
		    opt->comm[i]);
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
		    !row_peek(row[i], COL(PROCESS, ROLE), &role) ||
		    role != ROLE_ALL)
			continue;
		h->content |= CONTENT_ALL;
		return true;
	}
	return false;
}
