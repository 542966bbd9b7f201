/* SPDX-License-Identifier: Apache-2.0 */
#include "model/unread.h"

#include <errno.h>
#include <inttypes.h>

#include "base/compiler.h"
#include "metric/needs.h"

#define SEE "; see gpsnap-record(1), WHAT CAN NOT BE READ"
#define PTRACE "the agent needs CAP_SYS_PTRACE" SEE
#define HIDEPID "/proc is mounted with hidepid: the agent needs " \
	"CAP_SYS_PTRACE, or to be in the group of the mount option gid" SEE

/* What can not be read for lack of a privilege: a file, what it tells, what
 * helps.  %: the number of processes. */
static const struct remedy {
	const char *file, *what, *remedy;
} denied[] = {
	{ "io", "IO of % of other users is not readable", PTRACE },
	{ "smaps_rollup", "PSS (smaps_rollup) of % of other users is not "
	    "readable", PTRACE },
	{ "smaps", "the stack (smaps) of % of other users is not readable",
	    PTRACE },
	{ "fd", "the number of descriptors of % of other users is not "
	    "readable", PTRACE },
	{ "stat", "nothing of % of other users is readable", HIDEPID },
	{ "pids", "processes of other users are not listed", HIDEPID },
	{ "taskstats", "delays (taskstats) of % are not readable",
	    "the agent needs CAP_NET_ADMIN" SEE },
};

static bool is_denied(uint64_t error)
{
	return error == EACCES || error == EPERM;
}

static const struct remedy *find(const struct unread *u)
{
	size_t i;

	for (i = 0; i < GS_LEN(denied); i++) {
		if (is_denied(u->error) && span_eq(u->file, denied[i].file))
			return &denied[i];
	}
	return NULL;
}

static void add_processes(uint64_t n, struct buf *to)
{
	if (n == 0)
		buf_add_str(to, "processes");
	else
		buf_printf(to, "%" PRIu64 " process%s", n,
		    n == 1 ? "" : "es");
}

void unread_add_error(uint64_t error, struct buf *to)
{
	static const struct {
		uint64_t error;
		const char *name;
	} names[] = { { EACCES, "EACCES" }, { EPERM, "EPERM" },
		{ ENOENT, "ENOENT" }, { EIO, "EIO" }, { EINVAL, "EINVAL" },
		{ EMFILE, "EMFILE" }, { ENFILE, "ENFILE" },
		{ ENOMEM, "ENOMEM" }, { EFBIG, "EFBIG" } };
	size_t i;

	for (i = 0; i < GS_LEN(names); i++) {
		if (names[i].error == error) {
			buf_add_str(to, names[i].name);
			return;
		}
	}
	buf_printf(to, "errno %" PRIu64, error);
}

void unread_add_what(const struct unread *u, struct buf *to)
{
	const struct remedy *r = find(u);
	const char *p;

	for (p = r ? r->what : ""; *p; p++) {
		if (*p == '%')
			add_processes(u->processes, to);
		else
			buf_add_char(to, *p);
	}
	if (r)
		return;
	buf_add(to, u->file.ptr, span_len(u->file));
	if (u->error == ENOENT) {
		buf_add_str(to, " of processes does not exist");
		return;
	}
	buf_add_str(to, " of ");
	add_processes(u->processes, to);
	buf_add_str(to, " is not readable");
}

/* The options of the kernel that has the file. */
static const char *kernel_of(struct span file)
{
	int s;

	for (s = 0; s < SOURCE_COUNT; s++) {
		if (span_eq(file, metric_source_path((enum metric_source)s)))
			return needs_of_source((enum metric_source)s);
	}
	return "";
}

void unread_add_remedy(const struct unread *u, struct buf *to)
{
	const struct remedy *r = find(u);
	const char *kernel = kernel_of(u->file);

	if (r)
		buf_add_str(to, r->remedy);
	else if (u->error == ENOENT && *kernel)
		buf_printf(to, "it needs Linux: %s" SEE, kernel);
	else if (u->error == ENOENT)
		buf_add_str(to, "this kernel does not have it" SEE);
	else if (is_denied(u->error))
		buf_add_str(to, PTRACE);
	else
		unread_add_error(u->error, to);
}
