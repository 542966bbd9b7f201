/* SPDX-License-Identifier: Apache-2.0 */
#include "record/builtin.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io.h"

#define AGENT "gpsnap-agent"

#ifdef GS_PORTABLE
extern const char gs_agent_x86_64[], gs_agent_x86_64_end[]; /* agents.S */
extern const char gs_agent_aarch64[], gs_agent_aarch64_end[];

static const struct {
	const char *machine, *image, *end;
} agents[] = {
	{ "x86_64", gs_agent_x86_64, gs_agent_x86_64_end },
	{ "aarch64", gs_agent_aarch64, gs_agent_aarch64_end },
};

bool builtin_at(size_t i, struct builtin *ret)
{
	if (i >= GS_LEN(agents))
		return false;
	*ret = (struct builtin) { agents[i].machine, agents[i].image,
		(size_t)(agents[i].end - agents[i].image) };
	return true;
}
#else
bool builtin_at(size_t i, struct builtin *ret)
{
	(void)i;
	(void)ret;
	return false;
}
#endif

bool builtin_find(struct span machine, struct builtin *ret)
{
	size_t i;

	for (i = 0; builtin_at(i, ret); i++) {
		if (span_eq(machine, ret->machine))
			return true;
	}
	return false;
}

/* A file in memory: no directory is needed that may hold programs.  Children
 * inherit the descriptor until they have started it. */
static int make_file(const struct builtin *b, int *ret, struct gs_err *err)
{
	int fd = memfd_create(AGENT, MFD_CLOEXEC), e;

	if (fd < 0)
		return gs_fail_errno(err, errno, AGENT ": a file in memory");
	e = io_write_all(fd, b->image, b->len);
	if (e != 0) {
		(void)close(fd); /* it is lost anyway */
		return gs_fail_errno(err, e, AGENT ": a file in memory");
	}
	*ret = fd;
	return 0;
}

int builtin_path(struct buf *out, struct gs_err *err)
{
	static int made = -1; /* one for the life of the process */
	struct builtin b;
	struct utsname u;
	int status = 0;

	if (uname(&u) < 0 || !builtin_find(span_str(u.machine), &b))
		return gs_fail(err, GS_E_NOTFOUND, AGENT ": none in here");
	if (made < 0)
		status = make_file(&b, &made, err);
	if (status < 0)
		return status;
	buf_reset(out);
	buf_printf(out, "/proc/self/fd/%d", made);
	return 0;
}
