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

struct sandbox_page {
	const struct sandbox *s;
	struct page page;
};

static void add_text(struct sandbox_page *p, const char *label, const char *text)
{
	buf_add_str(&p->page.line, text);
	page_add(&p->page, label);
}

static void add_paths(struct sandbox_page *p, const char *label, unsigned access,
	const char *none)
{
	const struct sandbox *s = p->s;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (!(s->path[i].access & access))
			continue;
		buf_printf(&p->page.line, "%s%s", n++ ? ", " : "",
		    s->path[i].path);
		if (s->path[i].what)
			buf_printf(&p->page.line, " (%s)", s->path[i].what);
	}
	if (n == 0)
		buf_add_str(&p->page.line, none);
	page_add(&p->page, label);
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

static void add_files(struct sandbox_page *p)
{
	const struct sandbox *s = p->s;

	if (!sandbox_holds_files(s)) {
		buf_printf(&p->page.line, "no Landlock: %s: all files can be "
		    "opened that the user may open",
		    why_not(-s->landlock));
		page_add(&p->page, "files");
		return;
	}
	buf_printf(&p->page.line, "held by Landlock, version %d", s->landlock);
	page_add(&p->page, "files");
	add_paths(p, "read", SANDBOX_READ | SANDBOX_CHANGE,
	    "nothing; what was opened before stays open");
	add_paths(p, "make", SANDBOX_NEW | SANDBOX_CHANGE, "nothing");
	add_paths(p, "remove", SANDBOX_CHANGE, "nothing");
	add_text(p, "", "A directory stands for all that is beneath it.");
}

static void add_calls(struct sandbox_page *p)
{
	const struct sandbox *s = p->s;

	if (s->seccomp != 0) {
		buf_printf(&p->page.line, "no seccomp: %s: network, programs and "
		    "other processes are not refused",
		    why_not(-s->seccomp));
		page_add(&p->page, "calls");
		return;
	}
	add_text(p, "calls", "held by seccomp");
	add_text(p, "refused", "new connections and sockets, new processes, "
	    "existing files for writing, changes of owners, modes and "
	    "directories, memory that is executed, and all that is not "
	    "needed");
	add_text(p, "killed for", "starting a program, looking into another "
	    "process, mounting, loading into the kernel, becoming another "
	    "user");
	if (s->needs & SANDBOX_THREADS)
		add_text(p, "kept", "new threads, which have the same limits");
	if (s->needs & SANDBOX_KEEPS)
		add_text(p, "kept", "the mode, group and times of open files");
	if (s->needs & SANDBOX_TALKS)
		add_text(p, "kept", "the connection to the database, which is "
		    "open");
	if (s->needs & SANDBOX_WAITS)
		add_text(p, "kept", "age, which was started before, has no "
		    "sandbox and gets only what it encrypts");
}

void sandbox_explain(const struct sandbox *s, size_t width, struct buf *to)
{
	struct sandbox_page p = { .s = s, .page = { .to = to,
		.width = width, .column = LABEL } };

	buf_printf(&p.page.line, "of %s, before it reads a byte of a recording",
	    s->name);
	page_add(&p.page, "sandbox");
	if (s->skipped) {
		buf_printf(&p.page.line, "none: %s", s->skipped);
		page_add(&p.page, "in force");
	} else {
		add_files(&p);
		add_calls(&p);
		add_text(&p, "privileges", s->no_new_privs
		    ? "none can be gained (no_new_privs)"
		    : "the kernel has no no_new_privs");
	}
	buf_release(&p.page.line);
}
