/* SPDX-License-Identifier: Apache-2.0 */
#include "record/servers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/scan.h"
#include "record/agent_conn.h"
#include "record/localagent.h"
#include "record/loop.h"
#include "title/title.h"

#define ANSWER_MAX_MS 10000
#define PIDFILE_MAX 8192 /* a path and some numbers */

static void server_release(struct server *s)
{
	free(s->datadir);
	free(s->version);
	free(s->socket_dir);
}

void servers_release(struct servers *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		server_release(&s->item[i]);
	free(s->item);
	*s = (struct servers) SERVERS_INIT;
}

static struct server *add(struct servers *s)
{
	struct server *item;

	s->item = gs_realloc(s->item, (s->n + 1) * sizeof(*s->item));
	item = &s->item[s->n++];
	*item = (struct server) { 0 };
	return item;
}

/* ---- postmaster.pid -------------------------------------------------- */

static bool file_below(const char *dir, const char *name)
{
	struct buf path = BUF_INIT;
	bool answer;

	buf_printf(&path, "%s/%s", dir, name);
	answer = access(buf_str(&path), F_OK) == 0;
	buf_release(&path);
	return answer;
}

static int read_pidfile(const char *dir, char to[PIDFILE_MAX], size_t *ret_len,
	struct gs_err *err)
{
	struct buf path = BUF_INIT;
	ssize_t n = -1;
	int fd, status = 0;

	buf_printf(&path, "%s/postmaster.pid", dir);
	fd = open(buf_str(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		n = read(fd, to, PIDFILE_MAX);
	if (n < 0 && errno == ENOENT)
		status = gs_fail(err, GS_E_NOTFOUND, "%s: no data directory, "
		    "or its server does not run (no postmaster.pid)", dir);
	else if (n < 0)
		status = gs_fail_errno(err, errno, "%s", buf_str(&path));
	else
		*ret_len = (size_t)n;
	if (fd >= 0)
		(void)close(fd); /* only read */
	buf_release(&path);
	return status;
}

/*
 * Lines of postmaster.pid: pid, data directory, start, port, directory of the
 * socket, address, key of shared memory, state.  Since 9.1; the port may be
 * missing yet.  A starting server writes the directory after the port; one
 * without a socket leaves it empty, which is certain once a later line
 * exists: the key before PostgreSQL 10, then the state.
 */
static bool scan_pidfile(struct span text, struct server *s)
{
	int last = strncmp(s->version ? s->version : "", "9.", 2) == 0 ? 7 : 8;
	struct span line;
	uint64_t pid, port;
	int n;

	s->starting = true;
	for (n = 1; n <= last && scan_line(&text, &line); n++) {
		if (n == 1) {
			if (!scan_u64(&line, &pid) || pid == 0 ||
			    pid > INT32_MAX)
				return false;
			s->pid = (uint32_t)pid;
		} else if (n == 4 && scan_u64(&line, &port) &&
		    port <= UINT16_MAX) {
			s->port = (uint32_t)port;
		} else if (n == 5) {
			free(s->socket_dir);
			s->socket_dir =
			    gs_strndup(line.ptr, span_len(line));
		}
		s->starting &= !(n == 5 || n == last) || span_empty(line);
	}
	return n > 1;
}

int servers_add_datadir(struct servers *s, const char *dir,
	struct gs_err *err)
{
	char text[PIDFILE_MAX];
	struct server found = { 0 };
	size_t len;
	int status = read_pidfile(dir, text, &len, err);

	if (status < 0)
		return status;
	if (!scan_pidfile(span_of(text, len), &found)) {
		status = gs_fail(err, GS_E_FORMAT,
		    "%s/postmaster.pid: expected a pid in line 1", dir);
	} else if (kill((pid_t)found.pid, 0) < 0 && errno == ESRCH) {
		status = gs_fail(err, GS_E_NOTFOUND,
		    "%s: its server, pid %" PRIu32 ", does not run", dir,
		    found.pid);
	}
	if (status < 0) {
		server_release(&found);
		return status;
	}
	found.datadir = gs_strdup(dir);
	found.version = gs_strdup("");
	if (!found.socket_dir)
		found.socket_dir = gs_strdup("");
	*add(s) = found;
	return 0;
}

/* ---- the agent's answer ---------------------------------------------- */

struct asking {
	uv_loop_t loop;
	uv_timer_t patience;
	struct agent_conn *link;
	struct servers *found;
	struct gs_err why;
	bool failed;
};

/* The command line of a postmaster: Greenplum 6 starts coordinator and
 * standby with -E, later versions with -c gp_role=dispatch. */
static enum server_kind kind_of(struct span title, const char *datadir,
	bool segment)
{
	bool dispatch = false, executes = segment;
	struct span word;

	while (scan_word(&title, &word)) {
		dispatch |= span_eq(word, "-E") ||
		    span_eq(word, "gp_role=dispatch");
		executes |= span_eq(word, "gp_role=execute");
	}
	if (!dispatch)
		return executes ? SERVER_SEGMENT : SERVER_PLAIN;
	return file_below(datadir, "standby.signal") ||
	    file_below(datadir, "recovery.conf") ? SERVER_STANDBY
	                                         : SERVER_COORDINATOR;
}

static const struct row *process_of(const struct world *w, uint64_t pid)
{
	const struct table *t = &world_host(w, 0)->table[ENTITY_PROCESS];
	uint64_t v;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && row_peek(t->slot[i], COL(PROCESS, PID), &v) &&
		    v == pid)
			return t->slot[i];
	}
	return NULL;
}

/* The titles of Greenplum's background processes have their port, those of its
 * executors their segment; such a server that does not dispatch is a
 * segment. */
static bool is_segment_title(const struct title *t)
{
	return (t->kind == TITLE_BACKGROUND && t->has_port) ||
	    (t->kind == TITLE_QE && t->has_seg && t->seg >= 0);
}

/* The next process of a server from *at; NULL: there is none. */
static const struct row *next_below(const struct world *w, uint64_t pid,
	size_t *at)
{
	const struct table *t = &world_host(w, 0)->table[ENTITY_PROCESS];
	uint64_t v;

	while (*at < t->n_slot) {
		const struct row *r = t->slot[(*at)++];

		if (r && row_peek(r, COL(PROCESS, POSTMASTER), &v) && v == pid)
			return r;
	}
	return NULL;
}

static bool has_segment(const struct world *w, uint64_t pid)
{
	struct title_names names = { 0 };
	const struct row *r;
	struct title title;
	size_t at = 0;

	while ((r = next_below(w, pid, &at)) != NULL)
		if (title_learn(&names, row_peek_text(w, r,
			COL(PROCESS, TITLE))))
			break;
	for (at = 0; (r = next_below(w, pid, &at)) != NULL; ) {
		title_parse_named(row_peek_text(w, r, COL(PROCESS, TITLE)),
		    &names, &title);
		if (is_segment_title(&title))
			return true;
	}
	return false;
}

static char *text_of(const struct world *w, const struct row *r,
	unsigned col)
{
	struct span s = row_peek_text(w, r, col);

	return gs_strndup(s.ptr, span_len(s));
}

static bool is_own(uint64_t pid)
{
	char path[32];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu64, pid);
	return geteuid() != 0 && stat(path, &st) == 0 &&
	    st.st_uid == geteuid();
}

/* A server that crashed leaves its postmaster.pid.  One that was just started has not
 * gone to its data directory yet: the agent reports the directory before that, which
 * has no such file.  A directory that does not exist here is in a container. */
static void apply_pidfile(struct server *s, uint64_t pid, uint64_t ns_pid)
{
	struct server file = { .version = s->version };
	char text[PIDFILE_MAX];
	size_t len;
	int status;

	if (s->datadir[0] == '\0')
		return;
	status = read_pidfile(s->datadir, text, &len, NULL);
	if (status < 0) {
		s->starting = status == GS_E_NOTFOUND &&
		    file_below(s->datadir, ".");
		return;
	}
	if (!scan_pidfile(span_of(text, len), &file) ||
	    (file.pid != pid && file.pid != ns_pid)) {
		s->starting = true;
		free(file.socket_dir);
		return;
	}
	s->port = file.port;
	s->socket_dir = file.socket_dir;
	s->starting = file.starting;
}

static void add_row(struct servers *to, const struct world *w,
	const struct row *r)
{
	const struct row *process;
	uint64_t pid, port, ns_pid = 0;
	struct server *s;

	if (!row_peek(r, COL(POSTMASTER, PID), &pid) ||
	    to->n >= SERVERS_MAX)
		return;
	process = process_of(w, pid);
	s = add(to);
	s->datadir = text_of(w, r, COL(POSTMASTER, DATADIR));
	s->version = text_of(w, r, COL(POSTMASTER, VERSION));
	s->kind = kind_of(process
		? row_peek_text(w, process, COL(PROCESS, TITLE))
		: span_str(""), s->datadir, has_segment(w, pid));
	if (process)
		(void)row_peek(process, COL(PROCESS, NS_PID), &ns_pid);
	apply_pidfile(s, pid, ns_pid);
	s->pid = (uint32_t)pid;
	s->own = is_own(pid);
	if (row_peek(r, COL(POSTMASTER, PORT), &port))
		s->port = (uint32_t)port;
	if (!s->socket_dir)
		s->socket_dir = gs_strdup("");
}

void servers_read(const struct world *w, struct servers *ret)
{
	const struct table *t = &world_host(w, 0)->table[ENTITY_POSTMASTER];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			add_row(ret, w, t->slot[i]);
	}
}

static void stop_asking(struct asking *a)
{
	agent_conn_drop(
	    a->link); /* the loop goes on until the agent has ended */
	uv_close((uv_handle_t *)&a->patience, NULL);
}

static void on_answered(void *arg, const struct tick *t)
{
	struct asking *a = arg;

	(void)t;
	servers_read(agent_conn_world(a->link), a->found);
	stop_asking(a);
}

static void on_down(void *arg, const struct gs_err *why)
{
	struct asking *a = arg;

	a->why = *why;
	a->failed = true;
	stop_asking(a);
}

static void on_silence(uv_timer_t *t)
{
	struct asking *a = t->data;

	a->failed = true;
	(void)gs_fail(&a->why, GS_E_GONE,
	    "agent on this host: no answer for %d s", ANSWER_MAX_MS / 1000);
	stop_asking(a);
}

static void ask(struct asking *a, char *const *argv)
{
	struct agent_conn_ops ops = { .answered = on_answered, .down = on_down,
		.arg = a };
	const struct request nothing = { .with = 0 };
	struct agent_conn_pool pool;
	struct gs_err err;

	if (loop_open(&a->loop, &a->why) < 0) {
		a->failed = true;
		return;
	}
	agent_conn_pool_init(&pool, &a->loop);
	(void)uv_timer_init(&a->loop, &a->patience);
	a->patience.data = a;
	a->link = agent_conn_new(&pool, "this host", &ops);
	(void)uv_timer_start(&a->patience, on_silence, ANSWER_MAX_MS, 0);
	if (agent_conn_start(
		a->link, argv, LINK_LOCAL, NULL, DEPLOY_NEVER, &err) < 0)
		on_down(a, &err);
	else
		(void)agent_conn_request(a->link, &nothing);
	(void)uv_run(&a->loop, UV_RUN_DEFAULT);
	agent_conn_stop(a->link);
	(void)uv_run(&a->loop, UV_RUN_DEFAULT);
	agent_conn_free(a->link);
	agent_conn_pool_release(&pool);
	(void)uv_loop_close(&a->loop);
}

int servers_find(struct servers *ret, struct gs_err *err)
{
	struct asking a = { .found = ret };
	struct buf path = BUF_INIT;
	char *argv[2] = { NULL };
	int status = localagent_find(&path, err);

	if (status == 0) {
		argv[0] = path.ptr;
		ask(&a, argv);
	}
	buf_release(&path);
	if (a.failed) {
		status = a.why.status;
		if (err)
			*err = a.why;
	}
	return status;
}

/* ---- the choice ------------------------------------------------------ */

static const char *or_unknown(const char *s)
{
	return s[0] != '\0' ? s : "?";
}

static void list(const struct servers *s, struct buf *to)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct server *v = &s->item[i];

		buf_printf(to, "pid %" PRIu32 ", version %s, port ", v->pid,
		    or_unknown(v->version));
		if (v->port > 0)
			buf_printf(to, "%" PRIu32, v->port);
		else
			buf_add_char(to, '?');
		buf_printf(to, ", data directory %s%s\n",
		    or_unknown(v->datadir),
		    v->kind == SERVER_COORDINATOR ? ", coordinator"
		    : v->kind == SERVER_STANDBY ? ", standby"
		    : v->kind == SERVER_SEGMENT ? ", segment" : "");
	}
}

static const struct server *by_pid(const struct servers *s, uint32_t pid)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->item[i].pid == pid)
			return &s->item[i];
	}
	return NULL;
}

static bool is_asked(const struct server *v, bool own)
{
	return (v->kind == SERVER_PLAIN || v->kind == SERVER_COORDINATOR) &&
	    (!own || v->own);
}

static size_t choose_all(const struct servers *s, bool own,
	const struct server **ret, size_t max)
{
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (!is_asked(&s->item[i], own))
			continue;
		if (n < max)
			ret[n] = &s->item[i];
		n++;
	}
	return n;
}

int servers_choose(const struct servers *s, uint32_t pid,
	const struct server **ret, size_t max, size_t *ret_n,
	struct buf *ret_list, struct gs_err *err)
{
	if (pid == 0) {
		*ret_n = choose_all(s, true, ret, max);
		if (*ret_n == 0)
			*ret_n = choose_all(s, false, ret, max);
		return 0;
	}
	ret[0] = by_pid(s, pid);
	*ret_n = ret[0] != NULL;
	if (ret[0])
		return 0;
	list(s, ret_list);
	return gs_fail(err, GS_E_NOTFOUND,
	    "pid %" PRIu32 " is no database server", pid);
}
