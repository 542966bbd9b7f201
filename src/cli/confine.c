/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/confine.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/gate.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/tempfile.h"
#include "base/zone.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/console.h"
#include "cli/memory.h"
#include "cli/state.h"
#include "replay/recfile.h"
#include "sandbox/sandbox.h"

/* For a rule of the sandbox, a recording and a temporary file. */
#define DESCRIPTORS_MIN 4

static struct {
	bool off, explain;
	bool holds_files; /* once it is in force */
	bool no_tables; /* the terminal can't save one: this is the home */
} asked;

const struct opt confine_options[CONFINE_OPTIONS] = {
	{ OPT_FLAG, 0, "explain-sandbox", NULL,
	    "say what this command could still do once it reads, and end",
	    .group = "Trust" },
	{ OPT_FLAG, 0, "no-sandbox", NULL,
	    "give up no rights before a recording is read", .offset = 0 },
};

bool confine_option(const char *word)
{
	if (strcmp(word, "--no-sandbox") == 0)
		asked.off = true;
	else if (strcmp(word, "--explain-sandbox") == 0)
		asked.explain = true;
	else
		return false;
	return true;
}

/* ---- what the user named ---------------------------------------------- */

bool confine_is_recording(int fd)
{
	unsigned char b[4];
	uint32_t magic;

	if (pread(fd, b, sizeof(b), 0) != sizeof(b))
		return false;
	magic = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
	    (uint32_t)b[3] << 24;
	return magic == 0xFD2FB528u || (magic & ~0xFu) == 0x184D2A50u;
}

/* Why it is skipped; NULL: it is a recording.  It never waits for a pipe, and
 * never opens anything but a regular file. */
static const char *refusal(const char *path, uid_t owner, struct stat *ret)
{
	const char *why = NULL;
	int fd;

	if (stat(path, ret) == 0 && !S_ISREG(ret->st_mode))
		return "that is no file";
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, ret) < 0)
		why = "that can't be opened";
	else if (!S_ISREG(ret->st_mode))
		why = "that is no file";
	else if (ret->st_uid != geteuid() && ret->st_uid != owner)
		why = "that is neither yours nor of who owns the directory";
	else if (!confine_is_recording(fd))
		why = "that is no recording";
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return why;
}

static void add_link(struct sandbox *s, const char *path, uid_t owner)
{
	char *to = realpath(path, NULL);
	const char *why;
	struct stat st;

	if (!to) /* dangling link: its reader reports it */
		return;
	why = refusal(to, owner, &st);
	if (why && sandbox_can_hold_files())
		cli_notice("%s leads to %s: %s; skipped: name it to read it",
		    path, to, why);
	else if (!why)
		sandbox_add_seen(s, to, &st, "a link leads there");
	free(to);
}

/* Links in a directory of recordings, which may be a stranger's.  Permits
 * reading their targets: only recordings of the user or of the directory's
 * owner.  A notice names the others. */
static void add_links(struct sandbox *s, const char *dir)
{
	struct buf path = BUF_INIT;
	struct stat here, st;
	struct dirent *e;
	DIR *d = opendir(dir);

	if (d && fstat(dirfd(d), &here) < 0) {
		(void)closedir(d); /* only read from */
		return;
	}
	while (d && (e = readdir(d)) != NULL) {
		if (!recfile_is_name(e->d_name))
			continue;
		recfile_path(dir, e->d_name, &path);
		if (lstat(buf_str(&path), &st) == 0 && S_ISLNK(st.st_mode))
			add_link(s, buf_str(&path), here.st_uid);
	}
	if (d)
		(void)closedir(d); /* only read from */
	buf_release(&path);
}

static void add_directory(struct sandbox *s, const char *dir,
	unsigned access)
{
	sandbox_add(s, dir, access, NULL);
	add_links(s, dir);
}

static void add_read(struct sandbox *s, const char *path, bool follow)
{
	char *dir;

	if (strcmp(path, "-") == 0)
		return;
	if (path_is_directory(path)) {
		add_directory(s, path, SANDBOX_READ);
		return;
	}
	sandbox_add(s, path, SANDBOX_READ, NULL);
	if (!follow)
		return;
	dir = path_directory(path);
	sandbox_add(s, dir, SANDBOX_READ, "the next files");
	free(dir);
}

/* The output has a temporary name until it is complete, may continue in other
 * files and is read again: so its directory is needed. */
static void add_make(struct sandbox *s, const char *path)
{
	char *dir;

	if (strcmp(path, "-") == 0)
		return;
	dir = path_directory(path);
	sandbox_add(s, dir, SANDBOX_CHANGE, "what is made");
	free(dir);
}

static void add_replace(struct sandbox *s, const char *path)
{
	if (path_is_directory(path))
		sandbox_add(s, path, SANDBOX_CHANGE, NULL);
	else
		add_make(s, path);
}

/* ---- what the system's libraries read --------------------------------- */

static void add_if_set(struct sandbox *s, const char *name, const char *what)
{
	const char *path = getenv(name);

	if (path && path[0] == '/')
		sandbox_add(s, path, SANDBOX_READ, what);
}

/* Zones are named in options and read when they are needed. */
static void add_zones(struct sandbox *s)
{
	static const char what[] = "time zones";

	tzset();
	sandbox_add(s, "/usr/share/zoneinfo", SANDBOX_READ, what);
	sandbox_add(s, "/etc/localtime", SANDBOX_READ, what);
	add_if_set(s, "TZDIR", what);
}

static bool is_here(const char *dir)
{
	return dir && path_is_same(".", dir);
}

/* The columns of the terminal.  Who only asks what could be done makes no
 * directory. */
static void add_state(struct sandbox *s)
{
	const char *set = config_get("terminal", "columns");
	struct buf dir = BUF_INIT;
	struct stat st;

	if (set && strcmp(set, "forget") == 0)
		return;
	if (asked.explain ? state_dir(&dir) && stat(buf_str(&dir), &st) == 0
	    : state_make_dir(&dir))
		sandbox_add(s, buf_str(&dir), SANDBOX_CHANGE, "columns that "
		    "are kept");
	buf_release(&dir);
}

/* A new file in a home directory can be one that a shell or sshd reads at the
 * next login. */
static void add_terminal(struct sandbox *s)
{
	static const char what[] = "terminals";
	static const char *const dirs[] = { "/etc/terminfo", "/lib/terminfo",
		"/usr/share/terminfo", "/usr/lib/terminfo",
		"/usr/local/share/terminfo" };
	const char *home = getenv("HOME");
	struct buf own = BUF_INIT;
	struct stat st;
	size_t i;

	for (i = 0; i < GS_LEN(dirs); i++) {
		if (stat(dirs[i], &st) == 0)
			sandbox_add(s, dirs[i], SANDBOX_READ, what);
	}
	add_if_set(s, "TERMINFO", what);
	buf_printf(&own, "%s/.terminfo", home ? home : "");
	if (home && stat(buf_str(&own), &st) == 0)
		sandbox_add(s, buf_str(&own), SANDBOX_READ, what);
	buf_release(&own);
	add_state(s);
	asked.no_tables = is_here(home);
	if (!asked.no_tables)
		sandbox_add(s, ".", SANDBOX_NEW, "tables that are saved");
}

/* Encodings other than UTF-8 are in a library, which is loaded with the first
 * character. */
static void load_characters(void)
{
	wchar_t c;

	(void)mbtowc(&c, "a", 1);
}

/* ---- the sandbox ------------------------------------------------------- */

static void add_all(struct sandbox *s, const struct confine *w,
	unsigned rights)
{
	size_t i;

	for (i = 0; i < w->n_read; i++)
		add_read(s, w->read[i], w->follow);
	if (w->make && (rights & RIGHT_MAKE))
		add_make(s, w->make);
	for (i = 0; (rights & RIGHT_KEEP) && i < w->n_replace; i++)
		add_replace(s, w->replace[i]);
	for (i = 0; (rights & RIGHT_MAKE) && i < GS_LEN(w->change); i++) {
		if (w->change[i])
			add_directory(s, w->change[i], SANDBOX_CHANGE);
	}
	if (w->spools && (rights & RIGHT_SPOOL))
		sandbox_add(s, tempfile_dir(), SANDBOX_CHANGE,
		    "temporary files");
	if (w->has_terminal && (rights & RIGHT_TERMINAL))
		add_terminal(s);
	add_zones(s);
}

static int explain(const struct sandbox *s)
{
	struct buf text = BUF_INIT;

	sandbox_explain(s, cli_width(), &text);
	return cli_print(&text);
}

static unsigned needs_of(const struct confine *w, unsigned rights)
{
	return (w->talks && (rights & RIGHT_TALK) ? SANDBOX_TALKS : 0) |
	    (w->waits && (rights & RIGHT_WAIT) ? SANDBOX_WAITS : 0) |
	    (w->threads && (rights & RIGHT_THREADS) ? SANDBOX_THREADS : 0) |
	    (rights & RIGHT_KEEP ? SANDBOX_KEEPS : 0);
}

/* A directory may hold more recordings than the usual 1024. */
static void raise_file_limit(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) < 0)
		return;
	l.rlim_cur = l.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &l); /* else fewer files */
}

int cli_confine(const struct opt_cmd *c, const struct confine *w)
{
	const struct command *cmd = command_find(c->name);
	unsigned rights = cmd ? cmd->rights : 0;
	struct buf name = BUF_INIT;
	struct sandbox s;
	struct gs_err err;
	int status = CLI_GO;

	if (!w->follow) /* for which memory would only grow */
		memory_prefer_large_pages();
	raise_file_limit();
	/* too few of them look like paths that the sandbox refuses */
	if (io_check_descriptors(DESCRIPTORS_MIN, &err) < 0)
		return cli_cannot(&err);
	buf_printf(&name, "gpsnap %s", c->name);
	sandbox_init(&s, buf_str(&name), needs_of(w, rights));
	if (asked.off) {
		sandbox_skip(&s, "--no-sandbox was said");
	} else {
		add_all(&s, w, rights);
		load_characters();
		sandbox_enter(&s);
	}
	asked.holds_files = !asked.off && sandbox_holds_files(&s);
	gate_open();
	if (asked.explain)
		status = explain(&s);
	sandbox_release(&s);
	buf_release(&name);
	return status;
}

bool confine_explains(void)
{
	return asked.explain;
}

const char *confine_refused(void)
{
	if (!asked.holds_files)
		return NULL;
	return asked.no_tables ? "not in a home directory: start gpsnap in "
	    "another one, or see --no-sandbox"
	    : "only in the current directory: gpsnap is in a sandbox, see "
	    "--no-sandbox";
}
