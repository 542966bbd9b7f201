/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/pid.h"

/*
 * /proc/<pid>/cmdline and environ: texts that each end with NUL.  A process
 * that sets its title overwrites them, and pads with NULs or blanks.
 *
 *   /usr/lib/postgresql/15/bin/postgres\0-D\0/var/lib/postgresql/15/main\0
 */
size_t pid_cmdline_join(char *p, size_t len)
{
	size_t i;

	while (len > 0 && p[len - 1] == '\0')
		len--;
	for (i = 0; i < len; i++) {
		if (p[i] == '\0')
			p[i] = ' ';
	}
	return len;
}

/* Takes the next text; the last one may lack its NUL. */
static bool next_arg(struct span *raw, struct span *ret)
{
	if (span_empty(*raw))
		return false;
	if (!scan_until(raw, '\0', ret)) {
		*ret = *raw;
		raw->ptr = raw->end;
	}
	return true;
}

static bool value_after(struct span arg, const char *key, struct span *ret)
{
	if (!span_starts(arg, key) || span_len(arg) == strlen(key))
		return false;
	*ret = (struct span) { arg.ptr + strlen(key), arg.end };
	return true;
}

bool pid_cmdline_data_dir(struct span raw, struct span *ret)
{
	struct span arg;

	(void)next_arg(&raw, &arg); /* the program */
	while (next_arg(&raw, &arg)) {
		if (span_eq(arg, "-D") && next_arg(&raw, &arg)) {
			*ret = arg;
			return !span_empty(arg);
		}
		if (value_after(arg, "-D", ret) ||
		    value_after(arg, "--data_directory=", ret) ||
		    value_after(arg, "--data-directory=", ret) ||
		    value_after(arg, "-cdata_directory=", ret) ||
		    value_after(arg, "data_directory=", ret))
			return true;
	}
	return false;
}

bool pid_environ_get(struct span raw, const char *name, struct span *ret)
{
	struct span arg;

	while (next_arg(&raw, &arg)) {
		size_t n = strlen(name);

		if (span_starts(arg, name) && span_len(arg) > n + 1 &&
		    arg.ptr[n] == '=') {
			*ret = (struct span) { arg.ptr + n + 1, arg.end };
			return true;
		}
	}
	return false;
}
