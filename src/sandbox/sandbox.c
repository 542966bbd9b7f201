/* SPDX-License-Identifier: Apache-2.0 */
#include "sandbox/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/mem.h"
#include "sandbox/landlock.h"
#include "sandbox/sanitizer.h"
#include "sandbox/syscalls.h"

void sandbox_init(struct sandbox *s, const char *name, unsigned needs)
{
	*s = (struct sandbox) { .name = name, .needs = needs };
}

void sandbox_release(struct sandbox *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->path[i].path);
	free(s->path);
	*s = (struct sandbox) { .name = NULL };
}

void sandbox_add(struct sandbox *s, const char *path, unsigned access,
	const char *what)
{
	GS_GROW(s->path, &s->cap, s->n + 1);
	s->path[s->n++] = (struct sandbox_path) { .path = gs_strdup(path),
		.access = access, .what = what };
}

void sandbox_add_seen(struct sandbox *s, const char *path,
	const struct stat *st, const char *what)
{
	sandbox_add(s, path, SANDBOX_READ, what);
	s->path[s->n - 1].is = *st;
	s->path[s->n - 1].was_seen = true;
}

void sandbox_skip(struct sandbox *s, const char *why)
{
	s->skipped = why;
}

/* valgrind emulates the CPU, with system calls that the program does not
 * allow. */
static bool is_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "vgpreload_");
}

static bool may_make(const struct sandbox *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->path[i].access & (SANDBOX_NEW | SANDBOX_CHANGE))
			return true;
	}
	return false;
}

void sandbox_enter(struct sandbox *s)
{
	int r;

	if (is_valgrind()) {
		sandbox_skip(s, "valgrind runs it, which needs more itself");
		return;
	}
	if (HAS_SANITIZER)
		sandbox_add(s, "/proc", SANDBOX_READ, "the leak checker of "
		    "this build, which is for tests");
	s->no_new_privs = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
	s->landlock = landlock_version();
	if (s->landlock > 0) {
		r = landlock_restrict(s->landlock, s->path, s->n);
		s->landlock = r < 0 ? r : s->landlock;
	}
	s->seccomp = syscalls_restrict(s->needs, may_make(s));
}

bool sandbox_can_hold_files(void)
{
	return landlock_version() > 0;
}

bool sandbox_holds_files(const struct sandbox *s)
{
	return s->landlock > 0;
}
