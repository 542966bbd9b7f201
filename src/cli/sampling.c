/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sampling.h"

#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/scan.h"
#include "cli/start.h"
#include "format/wire.h"
#include "record/remote_command.h"

const char *const sampling_deploy_values[] = { "auto", "always", "never",
	NULL };

static const struct {
	const char *name;
	uint32_t bit;
} costly[] = {
	{ "fd", WITH_FDS },
	{ "stack", WITH_STACK },
	{ "smaps", WITH_SMAPS },
	{ "sched", WITH_SCHED },
	{ "threads", WITH_THREADS },
	{ "heap", WITH_HEAP },
};

const char *sampling_with(size_t i)
{
	if (i == GS_LEN(costly))
		return "all";
	return i < GS_LEN(costly) ? costly[i].name : NULL;
}

/* The bits of a word; 0: there is no such word.  all: of every word, but heap,
 * which stops threads, only of processes that were chosen. */
static uint32_t costly_bits(struct span word, bool chosen)
{
	bool all = span_eq(word, "all");
	uint32_t bits = 0;
	size_t i;

	for (i = 0; i < GS_LEN(costly); i++) {
		if (all || span_eq(word, costly[i].name))
			bits |= costly[i].bit;
	}
	return all && !chosen ? bits & ~(uint32_t)WITH_HEAP : bits;
}

static int no_such_word(const struct opt_cmd *cmd, struct span word)
{
	struct buf words = BUF_INIT;
	size_t i;
	int status;

	for (i = 0; i < GS_LEN(costly); i++)
		buf_printf(&words, "%s, ", costly[i].name);
	status = cli_usage(cmd, "--with: expected %sall, got %.*s",
	    buf_str(&words), (int)span_len(word), word.ptr);
	buf_release(&words);
	return status;
}

static int parse_with(const struct opt_cmd *cmd, const char *list,
	bool chosen, uint32_t *ret)
{
	struct span all = span_str(list), word;
	uint32_t bits;
	bool more;

	do {
		more = scan_until(&all, ',', &word);
		if (!more)
			word = all;
		bits = costly_bits(word, chosen);
		if (bits == 0)
			return no_such_word(cmd, word);
		*ret |= bits;
	} while (more);
	return CLI_GO;
}

static int set_with(const struct opt_cmd *cmd, const struct sampling *o,
	uint32_t *ret)
{
	*ret = (o->all ? WITH_ALL : 0) | (o->arguments ? WITH_ARGUMENTS : 0) |
	    (o->threads ? WITH_THREADS : 0) |
	    (o->no_quiet ? WITH_NO_QUIET : 0);
	return o->with ? parse_with(cmd, o->with, o->pids || o->comm, ret)
	               : CLI_GO;
}

static int set_hosts(const struct opt_cmd *cmd, const struct sampling *o,
	struct host_list *list, struct recorder_options *ro)
{
	struct remote_command remote = REMOTE_COMMAND_INIT;
	struct gs_err err;

	if (o->hosts && host_list_add(list, o->hosts, &err) < 0)
		return cli_usage(cmd, "--hosts: %s", err.msg);
	if (o->hosts_file && host_list_read(list, o->hosts_file, &err) < 0)
		return cli_usage(cmd, "--hosts-file: %s", err.msg);
	if ((o->hosts || o->hosts_file) && list->n == 0)
		return cli_usage(cmd, "%s: no hosts in it",
		    o->hosts_file ? o->hosts_file : "--hosts");
	if (list->n > 0 && o->root)
		return cli_usage(cmd,
		    "--root is about this host: not with --hosts");
	if (o->agent_command &&
	    remote_command_parse(&remote, o->agent_command, &err) < 0)
		return cli_usage(cmd, "--agent-command: %s",
		    err.msg);
	remote_command_release(&remote);
	ro->host = (const char *const *)list->name;
	ro->n_host = list->n;
	ro->host_set.agent_command = o->agent_command;
	ro->host_set.agent_path = o->agent_path;
	ro->host_set.deploy = (enum deploy_want)o->deploy;
	ro->host_set.connect_parallel = (uint32_t)o->connect_parallel;
	ro->host_set.timeout_ns = o->host_timeout_ns;
	return CLI_GO;
}

static int set_named(const struct opt_cmd *cmd, const struct sampling *o,
	struct named *n, struct recorder_options *ro)
{
	int status;

	if (!o->pids && !o->comm)
		return CLI_GO;
	if (o->all)
		return cli_usage(cmd, "--all and --%s: expected only one of "
		    "them", o->pids ? "pids" : "comm");
	if (o->pids && ro->n_host > 0)
		return cli_usage(cmd,
		    "--pids are of this host: not with --hosts");
	status = named_parse(cmd, o->pids, o->comm, n);
	if (status == CLI_GO && ro->n_host == 0)
		status = named_look(n, o->root);
	ro->host_set.pid = n->pid;
	ro->host_set.n_pid = n->n_pid;
	ro->host_set.comm = n->comm;
	ro->host_set.n_comm = n->n_comm;
	return status;
}

/* A captured tree has no database, and named hosts need none. */
static int set_database(const struct opt_cmd *cmd, const struct sampling *o,
	struct database *db, struct recorder_options *ro)
{
	bool look = !o->root && ro->n_host == 0;
	struct record_db ask = o->db;
	struct gs_err err;
	char *line, *save = NULL;
	size_t i;
	int r;

	ask.dsn = o->dsn.text;
	ask.n_dsn = o->dsn.n;
	ask.version = ro->version;
	r = database_choose(&ask, look, db, &err);
	if (r < 0 && db->text.len > 0) {
		for (line = strtok_r(db->text.ptr, "\n", &save); line;
		    line = strtok_r(NULL, "\n", &save))
			cli_notice("%s", line);
	}
	if (r < 0)
		return cli_fail(cmd, &err);
	for (i = 0; i < db->n_server; i++)
		ro->catalog[ro->n_catalog++] = &db->server[i]->opt;
	if (database_is_choosing(db)) {
		ro->choose_catalog = database_choose_later;
		ro->choose_arg = db;
	}
	return CLI_GO;
}

int sampling_set(const struct opt_cmd *cmd, const struct sampling *o,
	struct sampling_use *use, struct recorder_options *ro)
{
	int status = set_with(cmd, o, &ro->host_set.with);

	if (status == CLI_GO)
		status = set_hosts(cmd, o, &use->hosts, ro);
	if (status == CLI_GO)
		status = set_named(cmd, o, &use->named, ro);
	if (status == CLI_GO)
		status = set_database(cmd, o, &use->db, ro);
	if (status != CLI_GO)
		return status;
	(void)gethostname(use->nodename, sizeof(use->nodename) - 1);
	ro->host_set.nodename = use->nodename;
	ro->host_set.version = ro->version;
	ro->host_set.busiest = (uint32_t)o->busiest;
	ro->host_set.heap_interval_s = (uint32_t)(o->heap_interval_ns /
	    GS_NSEC_PER_SEC);
	ro->host_set.root = o->root;
	ro->interval_ns = o->interval_ns;
	ro->count = (uint64_t)o->count;
	ro->duration_ns = o->duration_ns;
	return CLI_GO;
}

void sampling_line(int argc, char **argv, struct buf *to)
{
	int i;

	buf_add_str(to, "gpsnap");
	for (i = 0; i < argc; i++) {
		buf_add_char(to, ' ');
		if (strncmp(argv[i], "--ds", 4) == 0) {
			buf_add_str(to, "--dsn ...");
			i += strchr(argv[i], '=') == NULL;
			continue;
		}
		quote_add_word(to, argv[i]);
		if (strcmp(argv[i], "--") == 0)
			break;
	}
	if (++i < argc) {
		buf_add_char(to, ' ');
		quote_add_word(to, argv[i]);
	}
	if (i + 1 < argc)
		buf_add_str(to, " ...");
}

void sampling_output(const char *path, struct recorder_options *ro)
{
	ro->out.path = path;
	ro->out.kind = output_kind_of(path);
	if (ro->out.kind != OUTPUT_DIR)
		return;
	ro->rotate_ns = 3600 * GS_NSEC_PER_SEC;
	ro->out.keep_bytes = UINT64_C(5) << 30;
	ro->out.keep_ns = 7 * 24 * 3600 * GS_NSEC_PER_SEC;
	ro->out.min_free = 0.05;
}

void sampling_release(struct sampling_use *use)
{
	host_list_release(&use->hosts);
	named_release(&use->named);
	database_release(&use->db);
}
