/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sandbox_explain.c - explains which limits are in force, to a user who knows
 * files and programs, not Landlock and seccomp.
 */
#include "sandbox/sandbox.h"

#include <errno.h>
#include <string.h>

#include "base/compiler.h"
#include "base/wrap.h"

#define LABEL ((size_t)13)

struct page {
	const struct sandbox *s;
	size_t width;
	struct buf *to;
	struct buf line;
};

static void put(struct page *p, const char *label)
{
	wrap_add_labelled(p->to, label, LABEL, &p->line, p->width);
	buf_reset(&p->line);
}

static void say(struct page *p, const char *label, const char *text)
{
	buf_add_str(&p->line, text);
	put(p, label);
}

static void put_paths(struct page *p, const char *label, unsigned access,
	const char *none)
{
	const struct sandbox *s = p->s;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (!(s->path[i].access & access))
			continue;
		buf_printf(&p->line, "%s%s", n++ ? ", " : "",
		    s->path[i].path);
		if (s->path[i].what)
			buf_printf(&p->line, " (%s)", s->path[i].what);
	}
	if (n == 0)
		buf_add_str(&p->line, none);
	put(p, label);
}

/* A kernel without it, and a container that hides it, answer differently. */
static const char *why_not(int errnum)
{
	switch (errnum) {
	case ENOSYS:
		return "this kernel does not have it";
	case EOPNOTSUPP:
		return "it is switched off in this kernel";
	case EPERM:
	case EACCES:
		return "the system or the container does not allow it";
	default:
		return strerror(errnum);
	}
}

static void put_files(struct page *p)
{
	const struct sandbox *s = p->s;

	if (!sandbox_holds_files(s)) {
		buf_printf(&p->line, "no Landlock: %s: all files can be "
		    "opened that the user may open",
		    why_not(-s->landlock));
		put(p, "files");
		return;
	}
	buf_printf(&p->line, "held by Landlock, version %d", s->landlock);
	put(p, "files");
	put_paths(p, "read", SANDBOX_READ | SANDBOX_CHANGE,
	    "nothing; what was opened before stays open");
	put_paths(p, "make", SANDBOX_NEW | SANDBOX_CHANGE, "nothing");
	put_paths(p, "remove", SANDBOX_CHANGE, "nothing");
	say(p, "", "A directory stands for all that is beneath it.");
}

static void put_calls(struct page *p)
{
	const struct sandbox *s = p->s;

	if (s->seccomp != 0) {
		buf_printf(&p->line, "no seccomp: %s: network, programs and "
		    "other processes are not refused",
		    why_not(-s->seccomp));
		put(p, "calls");
		return;
	}
	say(p, "calls", "held by seccomp");
	say(p, "refused", "new connections and sockets, new processes, "
	    "existing files for writing, changes of owners, modes and "
	    "directories, memory that is executed, and all that is not "
	    "needed");
	say(p, "killed for", "starting a program, looking into another "
	    "process, mounting, loading into the kernel, becoming another "
	    "user");
	if (s->needs & SANDBOX_TALKS)
		say(p, "kept", "the connection to the database, which is "
		    "open");
	if (s->needs & SANDBOX_WAITS)
		say(p, "kept", "age, which was started before, has no "
		    "sandbox and gets only what it encrypts");
}

void sandbox_explain(const struct sandbox *s, size_t width, struct buf *to)
{
	struct page p = { .s = s, .width = width, .to = to,
		.line = BUF_INIT };

	buf_printf(&p.line, "of %s, before it reads a byte of a recording",
	    s->name);
	put(&p, "sandbox");
	if (s->skipped) {
		buf_printf(&p.line, "none: %s", s->skipped);
		put(&p, "in force");
	} else {
		put_files(&p);
		put_calls(&p);
		say(&p, "privileges", s->no_new_privs
		    ? "none can be gained (no_new_privs)"
		    : "the kernel has no no_new_privs");
	}
	buf_release(&p.line);
}
