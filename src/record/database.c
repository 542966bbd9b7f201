/* SPDX-License-Identifier: Apache-2.0 */
#include "record/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/user.h"
#include "record/servers.h"
#include "record/sockets.h"

const char *const record_query_texts[] = { "masked", "full", "none", NULL };

void database_release(struct database *d)
{
	size_t i;

	for (i = 0; i < d->n_server; i++) {
		struct database_server *s = d->server[i];

		buf_release(&s->socket_dir);
		buf_release(&s->port);
		buf_release(&s->user);
		buf_release(&s->peer);
		buf_release(&s->label);
		free(s->datadir);
		free(s);
	}
	buf_release(&d->text);
}

/* NULL: the maximum is reached. */
static struct database_server *add_server(struct database *d)
{
	struct database_server *s;

	if (d->n_server == SERVERS_ASKED_MAX)
		return NULL;
	s = gs_calloc(1, sizeof(*s));
	s->opt = d->opt;
	d->server[d->n_server++] = s;
	return s;
}

/* The server is on this host, so its processes are visible. */
static bool backend_alive(void *arg, int pid)
{
	char path[32];

	(void)arg;
	(void)snprintf(path, sizeof(path), "/proc/%d", pid);
	return access(path, F_OK) == 0;
}

static bool is_set(const char *name)
{
	const char *v = getenv(name);

	return v && v[0] != '\0';
}

/* The user that a process runs as; a server never runs as root. */
static bool owner_of(uint32_t pid, uint32_t *ret)
{
	char path[32];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32, pid);
	if (pid == 0 || stat(path, &st) < 0 || st.st_uid == 0)
		return false;
	*ret = st.st_uid;
	return true;
}

/* Root seldom has a role in the database; the server's owner has.  Over a
 * socket the server checks the connecting user, too. */
static void use_owner(struct database_server *d, uint32_t pid, bool socket)
{
	uint32_t uid;
	char *owner;

	if (geteuid() != 0 || is_set("PGUSER") || !owner_of(pid, &uid))
		return;
	owner = user_name(uid);
	if (!owner)
		return;
	buf_add_str(&d->user, owner);
	free(owner);
	d->opt.user = buf_str(&d->user);
	if (socket)
		d->opt.as_uid = uid;
}

/* The user did not name the socket: another process that listens there must not
 * get a password, nor be trusted.  False if the user has no name. */
static bool require_peer(struct database_server *d, uint32_t uid)
{
	char *owner;

	if (is_set("PGREQUIREPEER"))
		return true; /* libpq reads it */
	owner = user_name(uid);
	if (!owner)
		return false;
	buf_add_str(&d->peer, owner);
	free(owner);
	d->opt.peer = buf_str(&d->peer);
	return true;
}

/* A directory that PGHOST names is the user's choice. */
static void require_owner(struct database_server *d, uint32_t pid)
{
	uint32_t uid;

	if ((d->opt.host || !is_set("PGHOST")) && owner_of(pid, &uid))
		(void)require_peer(d, uid);
}

/* Sets what is known and was not set. */
static void fill_server(struct database_server *d, const struct server *s)
{
	d->opt.backend_alive = backend_alive;
	d->plain = s->kind == SERVER_PLAIN;
	if (s->socket_dir[0] != '\0') {
		buf_add_str(&d->socket_dir, s->socket_dir);
		d->opt.host = buf_str(&d->socket_dir);
		use_owner(d, s->pid, true);
	}
	require_owner(d, s->pid);
	if (s->port > 0) {
		buf_printf(&d->port, "%" PRIu32, s->port);
		d->opt.port = buf_str(&d->port);
		buf_printf(&d->label, "port %" PRIu32, s->port);
	} else {
		buf_printf(&d->label, "pid %" PRIu32, s->pid);
	}
	d->opt.label = buf_str(&d->label);
	if (s->datadir[0] != '\0')
		d->datadir = gs_strdup(s->datadir);
}

/* NULL: the maximum is reached. */
static struct database_server *use_server(struct database *all,
	const struct server *s)
{
	struct database_server *d = add_server(all);

	if (d)
		fill_server(d, s);
	return d;
}

static int use_datadir(struct database *d, const char *dir,
	struct gs_err *err)
{
	struct servers s = SERVERS_INIT;
	int status = servers_add_datadir(&s, dir, err);

	if (status == 0)
		(void)use_server(d, &s.item[0]); /* the first: there is room */
	servers_release(&s);
	return status;
}

static bool env_port(uint32_t *ret)
{
	struct span s = span_str(getenv("PGPORT"));
	uint64_t v;

	if (!scan_u64(&s, &v) || !span_empty(s) || v == 0 || v > UINT16_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

/* The pid of a server that listens on the port; 0: none is seen, or servers of
 * several users, one of which may be false. */
static uint32_t add_running(struct buf *to, uint32_t port, bool *ret_plain)
{
	struct servers s = SERVERS_INIT;
	uint32_t pid = 0, uid, first = 0;
	bool own = false, differ = false;
	size_t i;

	/* without an agent only the kernel's list is left */
	if (servers_find(&s, NULL) < 0)
		return 0;
	for (i = 0; i < s.n; i++) {
		if (s.item[i].port != port || !owner_of(s.item[i].pid, &uid))
			continue;
		differ |= first != 0 && uid != first;
		first = uid;
		if (pid == 0 || s.item[i].own) {
			pid = s.item[i].pid;
			*ret_plain = s.item[i].kind == SERVER_PLAIN;
		}
		own |= s.item[i].own;
		sockets_add(to, span_str(s.item[i].socket_dir));
	}
	servers_release(&s);
	return differ && !own ? 0 : pid;
}

#define TRUSTED_MAX 4

/* Owners that a server's socket may have: this user, the owner of a running
 * server, root, and the owner of the system's socket directory. */
static size_t trusted(uint32_t pid, uint32_t ret[TRUSTED_MAX])
{
	struct stat st;
	size_t n = 0;

	if (geteuid() != 0)
		ret[n++] = geteuid();
	if (owner_of(pid, &ret[n]))
		n++;
	ret[n++] = 0;
	if (stat("/var/run/postgresql", &st) == 0 && st.st_uid != 0)
		ret[n++] = st.st_uid;
	return n;
}

/* A port alone names a server of this host.  Its socket is where its
 * postmaster.pid says, where the kernel says, or in the directories that libpq
 * and Greenplum's libpq are built with.  Any user may bind a socket in /tmp or
 * in his own directory: only sockets of permitted owners are used, and root
 * trusts only those of postmasters. */
static void use_port(struct database_server *d)
{
	uint32_t port, pid, owner, uid[TRUSTED_MAX];
	size_t n;

	if (!env_port(&port))
		return; /* libpq reports the error */
	pid = add_running(&d->socket_dir, port, &d->plain);
	if (geteuid() != 0)
		sockets_find(port, &d->socket_dir);
	n = trusted(pid, uid);
	if (!sockets_keep(&d->socket_dir, port, uid, n, &owner)) {
		/* it may start later */
		if (!owner_of(pid, &owner))
			owner = geteuid() != 0 ? geteuid() : uid[n - 1];
		if (geteuid() != 0)
			buf_add_str(&d->socket_dir, ",/tmp");
	}
	if (owner_of(pid, &uid[0]) && uid[0] == owner)
		use_owner(d, pid, true);
	if (!require_peer(d, owner))
		buf_reset(&d->socket_dir);
	if (d->socket_dir.len > 0)
		d->opt.host = buf_str(&d->socket_dir);
}

static bool is_this_host(const char *host)
{
	static const char *const names[] = { "localhost", "127.0.0.1", "::1" };
	size_t i;

	for (i = 0; i < GS_LEN(names); i++) {
		if (strcmp(host, names[i]) == 0)
			return true;
	}
	return false;
}

/* A named host that is this one: libpq finds the socket, but not the user. */
static void use_host(struct database_server *d, const char *host)
{
	struct buf sockets = BUF_INIT;
	uint32_t port = 5432, pid;
	bool socket = host[0] == '/';

	if (!socket && !is_this_host(host))
		return;
	if (is_set("PGPORT") && !env_port(&port))
		return; /* libpq reports the error */
	pid = add_running(&sockets, port, &d->plain);
	if (pid)
		use_owner(d, pid, socket);
	buf_release(&sockets);
}

/* libpq reads these itself. */
static bool use_libpq_environment(struct database *all)
{
	const char *host = getenv("PGHOST");
	struct database_server *d;

	if (!is_set("PGHOST") && !is_set("PGPORT") && !is_set("PGSERVICE") &&
	    !is_set("PGHOSTADDR"))
		return false;
	d = add_server(all); /* the first: there is room */
	if (!is_set("PGSERVICE") && !is_set("PGHOSTADDR") &&
	    (!is_set("PGHOST") || host[0] == '/' ||
	    strcmp(host, "localhost") == 0))
		d->opt.backend_alive = backend_alive;
	if (!is_set("PGSERVICE") && !is_set("PGHOSTADDR") &&
	    !is_set("PGHOST"))
		use_port(d);
	else if (!is_set("PGSERVICE") && !is_set("PGHOSTADDR"))
		use_host(d, host);
	return true;
}

/* Greenplum's own variables; a server that does not run there is no error. */
static bool use_datadir_environment(struct database *d)
{
	static const char *const names[] = { "COORDINATOR_DATA_DIRECTORY",
		"MASTER_DATA_DIRECTORY", "PGDATA" };
	size_t i;

	for (i = 0; i < GS_LEN(names); i++) {
		if (is_set(names[i]) &&
		    use_datadir(d, getenv(names[i]), NULL) == 0)
			return true;
	}
	return false;
}

/* If there are several, those with an unknown port can't be reached. */
static bool is_reachable(const struct server *s, size_t n)
{
	return s->port > 0 || n == 1;
}

static int use_running(const struct record_db *o, struct database *d,
	struct gs_err *err)
{
	const struct server *chosen[SERVERS_ASKED_MAX];
	uint32_t pid = o->pid > 0 ? (uint32_t)o->pid : 0;
	struct servers s = SERVERS_INIT;
	size_t n = 0, i;
	int status = servers_find(&s, err);

	if (status == 0)
		status = servers_choose(&s, pid, chosen, SERVERS_ASKED_MAX,
		    &n, &d->text, err);
	for (i = 0; status == 0 && i < GS_MIN(n, (size_t)SERVERS_ASKED_MAX);
	    i++) {
		if (!chosen[i]->starting && is_reachable(chosen[i], n))
			(void)use_server(d, chosen[i]); /* no more than the
			                                 * maximum */
	}
	d->awaited = status == 0 && pid == 0;
	servers_release(&s);
	return status;
}

static int collect(const struct record_db *o, struct database *d,
	struct gs_err *err)
{
	d->opt.collectors = COLLECTORS_DEFAULT;
	if (!o->collect)
		return 0;
	return collectors_parse(o->collect, &d->opt.collectors, err);
}

static int use_dsns(const struct record_db *o, struct database *d,
	struct gs_err *err)
{
	size_t i;

	for (i = 0; i < o->n_dsn; i++) {
		struct database_server *s = add_server(d);

		if (!s)
			return gs_fail(err, GS_E_USAGE, "--dsn is given %zu "
			    "times: at most %d servers are asked", o->n_dsn,
			    SERVERS_ASKED_MAX);
		s->opt.dsn = o->dsn[i];
		buf_printf(&s->label, "--dsn %zu", i + 1);
		s->opt.label = buf_str(&s->label);
	}
	return 0;
}

bool database_may_lead(const struct database *d)
{
	size_t i;

	for (i = 0; i < d->n_server; i++) {
		if (!d->server[i]->plain)
			return true;
	}
	return false;
}

int database_choose(const struct record_db *o, bool search,
	struct database *d, struct gs_err *err)
{
	int status;

	d->pid_option = o->pid_option ? o->pid_option : "pid";
	d->opt.activity_ns = o->sql_interval_ns;
	d->opt.dispatch_ns = o->dispatch_interval_ns;
	d->opt.locks_ns = 10 * GS_NSEC_PER_SEC;
	d->opt.query_text = (enum query_text)o->query_text;
	d->opt.query_text_size = (size_t)o->query_text_size;
	d->opt.version = o->version;
	status = collect(o, d, err);
	if (status < 0 || o->no_catalog)
		return status;
	if (o->n_dsn > 0)
		return use_dsns(o, d, err);
	if (o->pgdata)
		return use_datadir(d, o->pgdata, err);
	if (o->pid > 0)
		return use_running(o, d, err);
	if (!search || is_set("GPSNAP_NO_CATALOG") ||
	    use_libpq_environment(d) || use_datadir_environment(d))
		return 0;
	return use_running(o, d, err);
}

/* ---- servers that are seen later -------------------------------------- */

bool database_is_choosing(const struct database *d)
{
	size_t i;

	for (i = 0; i < d->n_server; i++) {
		if (d->server[i]->datadir)
			return true;
	}
	return d->awaited;
}

static bool same_directory(const char *a, const char *b)
{
	return a[0] != '\0' && b[0] != '\0' && path_is_same(a, b);
}

/* NULL: it is not asked. */
static struct database_server *find_known(const struct database *d,
	const struct server *s)
{
	char port[16];
	size_t i;

	(void)snprintf(port, sizeof(port), "%" PRIu32, s->port);
	for (i = 0; i < d->n_server; i++) {
		struct database_server *v = d->server[i];

		if (v->datadir ? same_directory(v->datadir, s->datadir)
		    : v->opt.port && strcmp(v->opt.port, port) == 0)
			return v;
	}
	return NULL;
}

/* A starting server has not yet published its port; that of another user is
 * never visible here. */
static bool is_placed(const struct server *s)
{
	return !s->starting && (s->port > 0 ||
	    (!s->own && geteuid() != 0));
}

static bool is_elsewhere(const struct database_server *d,
	const struct server *s)
{
	char port[16];

	(void)snprintf(port, sizeof(port), "%" PRIu32, s->port);
	return d->datadir && s->port > 0 && (
	    strcmp(port, d->opt.port ? d->opt.port : "") != 0 ||
	    strcmp(s->socket_dir, d->opt.host ? d->opt.host : "") != 0);
}

/* It was started again, with other settings. */
static void move_server(struct database *all, struct database_server *d,
	const struct server *s)
{
	buf_reset(&d->socket_dir);
	buf_reset(&d->port);
	buf_reset(&d->user);
	buf_reset(&d->peer);
	buf_reset(&d->label);
	free(d->datadir);
	d->datadir = NULL;
	d->opt = all->opt;
	fill_server(d, s);
}

static void report_too_many(struct database *d, size_t n, size_t others,
	struct gs_err *err)
{
	if (others <= d->reported_others)
		return;
	d->reported_others = others;
	(void)gs_fail(err, GS_E_USAGE, "%zu database servers run here: the "
	    "catalogs of %d are recorded, of the other %zu only their "
	    "processes", n, SERVERS_ASKED_MAX, others);
}

/* What to do with a server that is seen; NULL: it is asked already, or not at
 * all. */
static struct database_server *choose_seen(struct database *d,
	const struct server *s, bool alone, bool *ret_later)
{
	struct database_server *known = find_known(d, s);

	if (!is_placed(s)) {
		*ret_later |= !known || known->datadir;
		return NULL;
	}
	if (known && !is_elsewhere(known, s))
		return NULL;
	if (known)
		move_server(d, known, s);
	else if (d->awaited && is_reachable(s, alone ? 1 : 2))
		known = use_server(d, s);
	return known;
}

size_t database_choose_later(void *arg, const struct servers *s,
	const struct catalog_options **ret, bool *ret_later,
	struct gs_err *err)
{
	const struct server *seen[SERVERS_MAX];
	struct database *d = arg;
	size_t n = 0, found = 0, others = 0, i;

	(void)servers_choose(s, 0, seen, SERVERS_MAX, &n, NULL, NULL);
	for (i = 0; i < n; i++) {
		struct database_server *v = choose_seen(d, seen[i], n == 1,
		    ret_later);

		if (v && found < SERVERS_ASKED_MAX)
			ret[found++] = &v->opt;
		others += !find_known(d, seen[i]);
	}
	if (d->awaited && d->n_server == SERVERS_ASKED_MAX)
		report_too_many(d, n, others, err);
	return found;
}
