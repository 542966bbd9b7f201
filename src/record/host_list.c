/* SPDX-License-Identifier: Apache-2.0 */
#include "record/host_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/scan.h"
#include "model/tick.h"
#include "record/remote_command.h"

/* A file with the maximum of names is smaller. */
#define FILE_MAX ((size_t)4 << 20)

static struct span trim(struct span s)
{
	scan_blank(&s);
	while (!span_empty(s) && strchr(" \t\r", s.end[-1]))
		s.end--;
	return s;
}

static int add(struct host_list *l, struct span s, struct gs_err *err)
{
	char *name = gs_strndup(s.ptr, span_len(s));
	int status = span_empty(s)
	    ? gs_fail(err, GS_E_USAGE, "expected a name before and after each "
	    "comma") : remote_command_check_host(name, err);
	size_t i;

	for (i = 0; status == 0 && i < l->n; i++) {
		if (strcmp(l->name[i], name) == 0) {
			free(name);
			return 0;
		}
	}
	if (status == 0 && l->n >= TICK_HOSTS_MAX - 1)
		status = gs_fail(err, GS_E_LIMIT, "more than %u hosts",
		    TICK_HOSTS_MAX - 1);
	if (status < 0) {
		free(name);
		return status;
	}
	GS_GROW(l->name, &l->cap, l->n + 1);
	l->name[l->n++] = name;
	return 0;
}

static int add_line(struct host_list *l, struct span line,
	struct gs_err *err)
{
	struct span word, rest = line;
	int status = 0;
	bool more;

	if (scan_until(&rest, '#', &word))
		line = word;
	if (span_empty(trim(line)))
		return 0;
	rest = line;
	do {
		more = scan_until(&rest, ',', &word);
		status = add(l, trim(more ? word : rest), err);
	} while (more && status == 0);
	return status;
}

int host_list_add(struct host_list *l, const char *names, struct gs_err *err)
{
	return add_line(l, span_str(names), err);
}

static int read_all(const char *path, struct buf *to, struct gs_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", path);
	while (n > 0 && to->len <= FILE_MAX) {
		n = read(fd, buf_reserve(to, 65536), 65536);
		if (n > 0)
			to->len += (size_t)n;
	}
	if (n < 0)
		(void)gs_fail_errno(err, errno, "%s", path);
	(void)close(fd); /* only read */
	if (n < 0)
		return GS_E_IO;
	if (to->len > FILE_MAX)
		return gs_fail(err, GS_E_LIMIT, "%s: more than %zu bytes",
		    path, FILE_MAX);
	return 0;
}

int host_list_read(struct host_list *l, const char *path, struct gs_err *err)
{
	struct buf text = BUF_INIT;
	struct span all, line;
	int status = read_all(path, &text, err);
	unsigned n = 0;

	all = span_of(text.ptr ? text.ptr : "", text.len);
	while (status == 0 && scan_line(&all, &line)) {
		n++;
		status = add_line(l, line, err);
		if (status < 0)
			gs_err_prefix(err, "%s: line %u", path, n);
	}
	buf_release(&text);
	return status;
}

void host_list_release(struct host_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	*l = (struct host_list) { 0 };
}
