/* SPDX-License-Identifier: Apache-2.0 */
#include "record/localagent.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scan.h"
#include "record/builtin.h"

#define AGENT "gpsnap-agent"

static bool is_program(const char *path)
{
	return access(path, X_OK) == 0;
}

static bool beside_us(struct buf *out)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));

	if (n <= 0 || (size_t)n >= sizeof(self))
		return false;
	while (n > 0 && self[n - 1] != '/')
		n--;
	buf_reset(out);
	buf_add(out, self, (size_t)n);
	buf_add_str(out, AGENT);
	return is_program(buf_str(out));
}

static bool installed(struct buf *out)
{
	buf_reset(out);
	buf_add_str(out, GS_LIBEXECDIR "/gpsnap/" AGENT);
	return is_program(buf_str(out));
}

static bool on_path(struct buf *out)
{
	const char *path = getenv("PATH");
	struct span all, dir;
	bool more;

	if (!path)
		return false;
	all = span_str(path);
	do {
		more = scan_until(&all, ':', &dir);
		if (!more)
			dir = all;
		buf_reset(out);
		/* An empty name means the current directory: not for us. */
		if (span_empty(dir))
			continue;
		buf_add(out, dir.ptr, span_len(dir));
		buf_add_str(out, "/" AGENT);
		if (is_program(buf_str(out)))
			return true;
	} while (more);
	return false;
}

int localagent_find(struct buf *out, struct gs_err *err)
{
	struct builtin b;

	if (builtin_at(0, &b))
		return builtin_path(out, err); /* it is of our version */
	if (beside_us(out) || installed(out) || on_path(out))
		return 0;
	return gs_fail(err, GS_E_NOTFOUND,
	    AGENT ": not found beside gpsnap, in " GS_LIBEXECDIR
	    "/gpsnap, or on PATH");
}
