/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/named.h"

#include <dirent.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/scan.h"
#include "cli/console.h"

/* PID_MAX_LIMIT of the kernel. */
#define PID_MAX (UINT64_C(1) << 22)
/* TASK_COMM_LEN of the kernel, without its end. */
#define COMM_LEN 15

static int add_pid(const struct opt_cmd *cmd, struct span word,
	struct named *n)
{
	uint64_t pid;

	if (!span_u64(word, &pid) || pid == 0 || pid > PID_MAX)
		return cli_usage(cmd, "--pids: expected process ids, separated "
		    "by commas, got \"%.*s\"", (int)span_len(word), word.ptr);
	if (n->n_pid == WIRE_PIDS_MAX)
		return cli_usage(cmd, "--pids: expected at most %u",
		    WIRE_PIDS_MAX);
	n->pid[n->n_pid++] = (uint32_t)pid;
	return CLI_GO;
}

static int add_comm(const struct opt_cmd *cmd, struct span word,
	struct named *n)
{
	size_t len = span_len(word);
	char *comm;

	if (n->n_comm == WIRE_COMMS_MAX)
		return cli_usage(cmd, "--comm: expected at most %u names",
		    WIRE_COMMS_MAX);
	if (len == 0 || len > WIRE_COMM_MAX)
		return cli_usage(cmd, "--comm: expected names of 1 to %u bytes",
		    WIRE_COMM_MAX);
	comm = gs_strndup(word.ptr, len);
	n->comm[n->n_comm++] = comm;
	if (len > COMM_LEN && !strpbrk(comm, "*?[\\"))
		return cli_usage(cmd, "--comm: the kernel keeps %d bytes of a "
		    "name: expected %.*s", COMM_LEN, COMM_LEN, comm);
	return CLI_GO;
}

static int add_words(const struct opt_cmd *cmd, const char *list,
	struct named *n, int (*add)(const struct opt_cmd *cmd,
	struct span word, struct named *n))
{
	struct span all = span_str(list), word;
	int status;

	if (span_empty(all))
		return add(cmd, all, n);
	for (status = CLI_GO; status == CLI_GO && scan_item(&all, ',', &word);)
		status = add(cmd, word, n);
	return status;
}

int named_parse(const struct opt_cmd *cmd, const char *pids,
	const char *comm, struct named *n)
{
	int status = CLI_GO;

	if (pids)
		status = add_words(cmd, pids, n, add_pid);
	if (status == CLI_GO && comm)
		status = add_words(cmd, comm, n, add_comm);
	return status;
}

/* ---- whether they exist ------------------------------------------------- */

static bool exists(const char *root, uint32_t pid)
{
	struct buf path = BUF_INIT;
	bool is;

	buf_printf(&path, "%s/proc/%" PRIu32 "/stat", root, pid);
	is = access(buf_str(&path), F_OK) == 0;
	buf_release(&path);
	return is;
}

static void add_missing(struct buf *to, size_t i, uint32_t pid)
{
	buf_printf(to, "%s%" PRIu32, i > 0 ? ", " : "", pid);
}

static int look_for_pids(const struct named *n, const char *root)
{
	struct buf missing = BUF_INIT;
	size_t i, k = 0;
	bool none;

	for (i = 0; i < n->n_pid; i++) {
		if (!exists(root, n->pid[i]))
			add_missing(&missing, k++, n->pid[i]);
	}
	none = k > 0 && k == n->n_pid && n->n_comm == 0;
	if (k > 0)
		cli_notice("--pids: no process %s%s", buf_str(&missing),
		    none ? ": nothing to record" : "");
	buf_release(&missing);
	return none ? EXIT_CANNOT : CLI_GO;
}

/* The name of a process, without its newline; false: it is gone. */
static bool read_comm(const char *root, const char *pid, char to[COMM_LEN + 2])
{
	struct buf path = BUF_INIT;
	bool ok;
	FILE *f;

	buf_printf(&path, "%s/proc/%s/comm", root, pid);
	f = fopen(buf_str(&path), "re");
	buf_release(&path);
	if (!f)
		return false;
	ok = fgets(to, COMM_LEN + 2, f) != NULL;
	(void)fclose(f); /* was only read */
	if (ok)
		to[strcspn(to, "\n")] = '\0';
	return ok;
}

static void look_for_names(const struct named *n, const char *root)
{
	bool found[WIRE_COMMS_MAX] = { false };
	char comm[COMM_LEN + 2];
	struct buf path = BUF_INIT;
	struct dirent *e;
	DIR *d;
	size_t i;

	buf_printf(&path, "%s/proc", root);
	d = opendir(buf_str(&path));
	buf_release(&path);
	while (d && (e = readdir(d)) != NULL) {
		if (e->d_name[0] < '0' || e->d_name[0] > '9' ||
		    !read_comm(root, e->d_name, comm))
			continue;
		for (i = 0; i < n->n_comm; i++)
			found[i] |= fnmatch(n->comm[i], comm, 0) == 0;
	}
	for (i = 0; d && i < n->n_comm; i++) {
		if (!found[i])
			cli_notice("--comm: no process is called %s yet",
			    n->comm[i]);
	}
	if (d)
		(void)closedir(d); /* was only read */
}

int named_look(const struct named *n, const char *root)
{
	int status = look_for_pids(n, root ? root : "");

	if (status == CLI_GO && n->n_comm > 0)
		look_for_names(n, root ? root : "");
	return status;
}

void named_release(struct named *n)
{
	while (n->n_comm > 0)
		free(n->comm[--n->n_comm]);
}
