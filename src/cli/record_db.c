#include "cli/record_db.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "cli/version.h"
#include "record/servers.h"

const char *const record_query_texts[] = { "masked", "full", "none", NULL };

void database_release(struct database *d)
{
	buf_release(&d->socket_dir);
	buf_release(&d->port);
	buf_release(&d->user);
	buf_release(&d->text);
}

/* The server is on this host, so that its processes can be seen. */
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

/* Root has seldom a role in the database; who owns the server has. */
static void use_owner(struct database *d, uint32_t pid)
{
	const struct passwd *owner;
	char path[32];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32, pid);
	if (geteuid() != 0 || is_set("PGUSER") || stat(path, &st) < 0 ||
	    st.st_uid == 0)
		return;
	owner = getpwuid(st.st_uid);
	if (!owner)
		return;
	buf_add_str(&d->user, owner->pw_name);
	d->opt.user = buf_str(&d->user);
	d->opt.as_uid = st.st_uid;
}

static void use_server(struct database *d, const struct server *s)
{
	d->wanted = true;
	d->opt.backend_alive = backend_alive;
	if (s->socket_dir[0] != '\0') {
		buf_add_str(&d->socket_dir, s->socket_dir);
		d->opt.host = buf_str(&d->socket_dir);
		use_owner(d, s->pid);
	}
	if (s->port > 0) {
		buf_printf(&d->port, "%" PRIu32, s->port);
		d->opt.port = buf_str(&d->port);
	}
	buf_printf(&d->text, "database: pid %" PRIu32, s->pid);
	if (s->port > 0)
		buf_printf(&d->text, ", port %" PRIu32, s->port);
	if (s->datadir[0] != '\0')
		buf_printf(&d->text, ", %s", s->datadir);
	if (d->opt.as_uid)
		buf_printf(&d->text, ", as %s", d->opt.user);
}

static int use_datadir(struct database *d, const char *dir,
	struct gs_err *err)
{
	struct servers s = SERVERS_INIT;
	int status = servers_add_datadir(&s, dir, err);

	if (status == 0)
		use_server(d, &s.item[0]);
	servers_release(&s);
	return status;
}

/* libpq reads these itself. */
static bool use_libpq_environment(struct database *d)
{
	const char *host = getenv("PGHOST");

	if (!is_set("PGHOST") && !is_set("PGPORT") && !is_set("PGSERVICE") &&
	    !is_set("PGHOSTADDR"))
		return false;
	d->wanted = true;
	if (!is_set("PGSERVICE") && !is_set("PGHOSTADDR") &&
	    (!is_set("PGHOST") || host[0] == '/' ||
	    strcmp(host, "localhost") == 0))
		d->opt.backend_alive = backend_alive;
	buf_printf(&d->text, "database: %s%s%s, as PG* of the environment say",
	    is_set("PGHOST") ? host : "this host",
	    is_set("PGPORT") ? ", port " : "",
	    is_set("PGPORT") ? getenv("PGPORT") : "");
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

static int use_running(const struct record_db *o, struct database *d,
	struct gs_err *err)
{
	uint32_t pid = o->pid > 0 ? (uint32_t)o->pid : 0;
	struct servers s = SERVERS_INIT;
	const struct server *chosen = NULL;
	int status = servers_find(NULL, &s, err);

	if (status == 0)
		status = servers_choose(&s, pid, d->pid_option, &chosen,
		    &d->text, err);
	if (status == 0 && chosen)
		use_server(d, chosen);
	d->awaited = status == 0 && !chosen;
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

int database_choose(const struct record_db *o, bool look,
	struct database *d, struct gs_err *err)
{
	int status;

	d->pid_option = o->pid_option ? o->pid_option : "pid";
	d->opt.activity_ns = o->sql_interval_ns;
	d->opt.dispatch_ns = o->dispatch_interval_ns;
	d->opt.locks_ns = 10 * GS_NSEC_PER_SEC;
	d->opt.query_text = (enum query_text)o->query_text;
	d->opt.query_text_size = (size_t)o->query_text_size;
	d->opt.version = cli_version();
	status = collect(o, d, err);
	if (status < 0 || o->no_catalog)
		return status;
	if (o->dsn) {
		d->wanted = true;
		d->opt.dsn = o->dsn;
		buf_add_str(&d->text, "database: as --dsn says");
		return 0;
	}
	if (o->pgdata)
		return use_datadir(d, o->pgdata, err);
	if (o->pid > 0)
		return use_running(o, d, err);
	if (!look || is_set("GPSNAP_NO_CATALOG") ||
	    use_libpq_environment(d) || use_datadir_environment(d))
		return 0;
	return use_running(o, d, err);
}

/* One that begins has no port yet in its postmaster.pid; one of another user
 * never says it here. */
const struct catalog_options *database_choose_later(void *arg,
	const struct servers *s, struct gs_err *err)
{
	const struct server *chosen = NULL;
	struct database *d = arg;
	struct buf list = BUF_INIT;
	int status = servers_choose(s, 0, d->pid_option, &chosen, &list, err);

	buf_release(&list);
	if (status < 0 || !chosen ||
	    (chosen->port == 0 && (chosen->own || geteuid() == 0)))
		return NULL;
	use_server(d, chosen);
	return &d->opt;
}
