/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_web.c - gpsnap web: the page of a recording, or of what happens now,
 * served to a browser.
 *
 * The server reads no recording: commands do, in processes with a sandbox.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cmds.h"
#include "cli/confine.h"
#include "cli/memory.h"
#include "cli/start.h"
#include "cli/web_live.h"
#include "cli/web_login.h"
#include "web/asks.h"
#include "web/secret.h"
#include "web/server.h"

struct web {
	bool live;
	const char *record;
	int64_t port;
	const char *listen, *cert, *key, *password_file;
	uint64_t memory_bytes;
	int64_t time_ns;
	struct sampling sampling;
};

#define AT(field) .offset = OPT_AT(struct web, field)

static const struct opt options[] = {
	{ OPT_FLAG, 0, "live", NULL,
	    "record what happens now, and show that", AT(live) },
	{ OPT_PATH, 'o', "record", "FILE|DIR",
	    "with --live: record into it, as gpsnap record would; else what "
	    "is recorded is gone at the end", AT(record) },
	SAMPLING_WHEN(struct web),
	{ OPT_INT, 0, "port", "PORT", "listen there; default: any free one",
	    .group = "Who can look", .min = 1, .max = UINT16_MAX, AT(port) },
	{ OPT_TEXT, 0, "listen", "ADDR",
	    "listen to other hosts, at this address; needs the three below",
	    .dflt = "127.0.0.1", AT(listen) },
	{ OPT_PATH, 0, "tls-cert", "FILE", "certificate of this host, PEM",
	    AT(cert) },
	{ OPT_PATH, 0, "tls-key", "FILE", "its private key, PEM", AT(key) },
	{ OPT_PATH, 0, "password-file", "FILE",
	    "its first line is USER:PASSWORD, which a browser asks for",
	    AT(password_file) },
	{ OPT_SIZE, 0, "request-memory", "SIZE",
	    "what one request may take", .dflt = MEMORY_DEFAULT,
	    .group = "Limits", AT(memory_bytes) },
	{ OPT_DURATION, 0, "request-time", "TIME",
	    "how long one request may take", .dflt = "60s",
	    .min = GS_NSEC_PER_SEC, .max = 3600 * GS_NSEC_PER_SEC,
	    AT(time_ns) },
	SAMPLING_WHAT(struct web, 0, "server-pid"),
};

static const char *const usage[] = {
	"[PATH...] [OPTION...]", "--live [-i INTERVAL] [OPTION...]", NULL
};

static const char *const about[] = {
	"Shows in a browser what gpsnap report shows, and more: any zoom down "
	"to single samples, any view and column, --find, and a recording as "
	"it grows. It prints the address to open, and listens to this host "
	"only; from another one look through ssh -L. PATH is a file or a "
	"directory of them, by default ~/gpsnap/.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap web incident.gpsnap", "prints the address of its page" },
	{ "gpsnap web --live -i 1", "what happens now" },
	{ "gpsnap web ~/gpsnap --port 8432",
	    "what a recorder writes; from elsewhere: ssh -L "
	    "8432:127.0.0.1:8432 HOST" },
	{ NULL, NULL }
};

const struct opt_cmd web_opts = {
	.name = "web",
	.summary = "serve the page of a recording to a browser, with any detail",
	OPT_TABLES,
	.exits = cli_exits,
};

struct work {
	struct web o;
	struct web_live live;
	struct web_login login;
	struct site_options site;
	struct server *server;
	struct buf place, memory;
	char token[SECRET_LEN + 1];
	char *path[ASKS_PATHS_MAX];
	size_t n_path;
};

/* For the handler of signals. */
static struct server *volatile running;

static void on_signal(int sig)
{
	(void)sig;
	if (running)
		server_stop(running);
}

static void catch_signals(struct server *s)
{
	struct sigaction sa = { .sa_handler = on_signal,
		.sa_flags = (int)SA_RESETHAND }; /* a second one ends at once */

	running = s;
	(void)sigaction(SIGINT, &sa, NULL); /* valid arguments */
	(void)sigaction(SIGTERM, &sa, NULL);
	(void)sigaction(SIGHUP, &sa, NULL);
}

/* ---- what is served ---------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* What is served is read by other processes, which have few rights: here, only whether
 * it can be a recording. */
static int check_file(const char *path, struct gs_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool ok = fd >= 0 && confine_is_recording(fd);
	int e = errno;

	if (fd >= 0)
		(void)close(fd); /* only read from */
	if (fd < 0)
		return gs_fail_errno(err, e, "%s", path);
	return ok ? GS_OK : gs_fail(err, GS_E_FORMAT, "%s: not a gpsnap recording",
	    path);
}

static int check_paths(const struct work *w)
{
	struct gs_err err;
	struct stat st;
	size_t i;

	for (i = 0; i < w->n_path; i++) {
		if (strcmp(w->path[i], "-") == 0)
			return cli_usage(&web_opts, "a pipe can be read once "
			    "only: a page needs a file");
		if (stat(w->path[i], &st) == 0) {
			if (S_ISDIR(st.st_mode) ||
			    check_file(w->path[i], &err) == GS_OK)
				continue;
			return cli_cannot(&err);
		}
		(void)gs_fail_errno(&err, errno, "%s", w->path[i]);
		if (w->path[i] == w->place.ptr)
			(void)cli_no_default_dir(w->path[i], "name a "
			    "recording, or see --live", err.status, &err);
		return cli_cannot(&err);
	}
	return CLI_GO;
}

static int set_paths(struct work *w, const struct opt_rest *rest)
{
	int i;

	if (w->o.live && rest->n > 0)
		return cli_usage(&web_opts,
		    "--live shows no PATH: %s", rest->arg[0]);
	if (rest->n > ASKS_PATHS_MAX)
		return cli_usage(&web_opts, "expected at most %d paths; a "
		    "directory may have any number of files", ASKS_PATHS_MAX);
	for (i = 0; i < (int)rest->n; i++)
		w->path[w->n_path++] = rest->arg[i];
	if (w->o.live)
		w->path[w->n_path++] = w->live.dir;
	else if (rest->n == 0)
		w->path[w->n_path++] =
		    (char *)(uintptr_t)cli_default_dir(&w->place);
	return w->o.live ? CLI_GO : check_paths(w);
}

static void set_site(struct work *w)
{
	buf_printf(&w->memory, "%llu",
	    (unsigned long long)w->o.memory_bytes);
	w->site = (struct site_options) { .token = w->token,
		.path = w->path, .n_path = w->n_path,
		.title = w->o.live ? "live" : base_name(w->path[0]),
		.memory = buf_str(&w->memory),
		.time_ms = w->o.time_ns / GS_NSEC_PER_MSEC,
		.any_host = !server_is_local(w->o.listen),
		.scheme = w->login.cert ? "https" : "http" };
}

static void print_address(const struct work *w)
{
	struct buf b = BUF_INIT;
	bool v6 = strchr(w->o.listen, ':') != NULL;

	buf_printf(&b, "%s://%s%s%s:%u/%s/\n", w->site.scheme, v6 ? "[" : "",
	    w->o.listen, v6 ? "]" : "", server_port(w->server), w->token);
	(void)cli_write(buf_str(&b), b.len); /* cli_finish() looks */
	buf_release(&b);
}

static int open_server(struct work *w, struct gs_err *err)
{
	struct server_options so = { .address = w->o.listen,
		.port = (uint16_t)w->o.port, .cert = w->login.cert,
		.key = w->login.key, .login = w->login.login,
		.site = &w->site, .exporter = w->live.metrics.exporter };
	int r = secret_make(w->token, err);

	set_site(w);
	return r < 0 ? r : server_open(&so, &w->server, err);
}

static int serve(struct work *w)
{
	struct gs_err err;
	int r = open_server(w, &err), status = EXIT_DONE;

	if (r < 0)
		return cli_fail(&web_opts, &err);
	print_address(w);
	if (!w->o.live) {
		catch_signals(w->server);
		server_run(w->server);
		running = NULL;
		return status;
	}
	w->live.metrics.server = w->server;
	if (server_start(w->server, &err) < 0)
		return cli_cannot(&err);
	return web_live_run(&w->live);
}

/* ---- the command ------------------------------------------------------- */

/* Whoever may connect from elsewhere must be known, and unread on the way. */
static int check(struct work *w)
{
	const struct web *o = &w->o;
	struct gs_err err;

	if (o->record && !o->live)
		return cli_usage(&web_opts, "--record is for --live");
	if (o->memory_bytes < MEMORY_MIN)
		return cli_usage(&web_opts,
		    "--request-memory: expected at least 48M");
	if (!server_is_local(o->listen) &&
	    (!o->cert || !o->key || !o->password_file))
		return cli_usage(&web_opts, "--listen %s: other hosts are "
		    "served only with --tls-cert, --tls-key and "
		    "--password-file; or leave it out, and look through ssh "
		    "-L", o->listen);
	if (!o->cert != !o->key)
		return cli_usage(&web_opts,
		    "--tls-cert and --tls-key: expected both");
	if (o->password_file && !o->cert)
		return cli_usage(&web_opts, "--password-file: a password could "
		    "be read on the way without --tls-cert");
	if (web_login_read(&w->login, o->cert, o->key, o->password_file,
	    &err) < 0)
		return cli_fail(&web_opts, &err);
	return CLI_GO;
}

int cmd_web(int argc, char **argv)
{
	struct work w = { .live.use = SAMPLING_USE_INIT,
		.o.sampling.db.pid_option = "server-pid" };
	struct opt_rest rest;
	int status;

	(void)signal(SIGPIPE, SIG_IGN); /* a failed write reports it */
	(void)signal(SIGXFSZ, SIG_IGN);
	sampling_line(argc, argv, &w.live.typed);
	status = cli_start(&web_opts, argc, argv, &w.o, &rest);
	if (status == CLI_GO)
		status = check(&w);
	if (status == CLI_GO && w.o.live)
		status = web_live_open(&w.live, &web_opts, &w.o.sampling,
		    w.o.record);
	if (status == CLI_GO)
		status = set_paths(&w, &rest);
	if (status == CLI_GO)
		status = serve(&w);
	server_close(w.server);
	web_live_close(&w.live);
	web_login_release(&w.login);
	buf_release(&w.place);
	buf_release(&w.memory);
	return cli_finish(status);
}
