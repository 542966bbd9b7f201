/* SPDX-License-Identifier: Apache-2.0 */
#include "record/deploy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "record/builtin.h"

/* Maximum size of an agent. */
#define IMAGE_MAX ((off_t)64 << 20)

/* ---- the program ----------------------------------------------------- */

static int read_image(struct deploy *d, int fd, const char *path,
	struct gs_err *err)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return gs_fail_errno(err, errno, "%s", path);
	if (!S_ISREG(st.st_mode) || st.st_size > IMAGE_MAX)
		return gs_fail(err, GS_E_LIMIT, "%s: no program", path);
	d->image = gs_malloc((size_t)st.st_size + 1);
	while (d->len < (size_t)st.st_size) {
		n = read(fd, d->image + d->len, (size_t)st.st_size - d->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return gs_fail_errno(err, errno, "%s", path);
		if (n == 0)
			break;
		d->len += (size_t)n;
	}
	return 0;
}

int deploy_open(struct deploy *d, const char *agent, const char *version,
	const char *path, struct gs_err *err)
{
	struct buf text = BUF_INIT;
	struct utsname u;
	int fd, status;

	*d = (struct deploy) { 0 };
	if (uname(&u) == 0)
		memcpy(d->machine, u.machine,
		    GS_MIN(sizeof(d->machine), sizeof(u.machine)));
	d->machine[sizeof(d->machine) - 1] = '\0';
	buf_printf(&text, "gpsnap-agent %s", version);
	d->version = gs_strdup(buf_str(&text));
	buf_release(&text);
	d->path = path ? gs_strdup(path) : NULL;
	d->idle_s = DEPLOY_IDLE_S;
	fd = open(agent, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", agent);
	status = read_image(d, fd, agent, err);
	(void)close(fd); /* only read */
	return status;
}

void deploy_release(struct deploy *d)
{
	free(d->image);
	free(d->version);
	free(d->path);
	*d = (struct deploy) { 0 };
}

bool deploy_image(const struct deploy *d, struct span machine,
	const char **ret, size_t *ret_len)
{
	struct builtin b;

	if (span_eq(machine, d->machine)) {
		*ret = d->image;
		*ret_len = d->len;
		return true;
	}
	if (!builtin_find(machine, &b))
		return false;
	*ret = b.image;
	*ret_len = b.len;
	return true;
}

/* ---- the script ------------------------------------------------------ */

/* Execs the agent at $a if it is of our version. */
static const char find[] =
    "[ \"$(\"$a\" --version 2>/dev/null </dev/null)\" = \"$v\" ] &&\n"
    " exec \"$a\" --preamble --idle $i\n";

/* A file of the full length is made before the program is asked for, to find
 * a full file system in time, and a test program is run from there, to find a
 * noexec mount.  mktemp -d makes a directory of ours, 0700. */
static const char bring[] =
    "umask 077; t=\n"
    "trap '[ -z \"$t\" ] || rm -rf \"$t\"' 0\n"
    "trap 'exit 1' 1 2 13 15\n"
    "why='no directory for a program'\n"
    "for d in \"${XDG_CACHE_HOME:-$HOME/.cache}\" \"$HOME\" /dev/shm"
    " /var/tmp /tmp; do\n"
    " [ -d \"$d\" ] || continue\n"
    " t=$(mktemp -d \"$d/.gpsnap-XXXXXXXX\" 2>/dev/null) || { t=;"
    " continue; }\n"
    " f=\"$t/gpsnap-agent\"\n"
    " if printf '#!/bin/sh\\nexit 42\\n' >\"$f\" && chmod 700 \"$f\"; then\n"
    "  ( \"$f\" ) >/dev/null 2>&1 </dev/null\n"
    "  if [ $? -ne 42 ]; then why=\"$d: may not run programs\"\n"
    "  elif head -c $n /dev/zero >\"$f\" 2>/dev/null; then break\n"
    "  else why=\"$d: no room for a program\"; fi\n"
    " fi\n"
    " rm -rf \"$t\"; t=\n"
    "done\n"
    "[ -n \"$t\" ] || say fail \"$why\"\n"
    "say need \"$(uname -m)\"\n"
    "head -c $n 1<>\"$f\" || say fail \"$t: could not be written\"\n"
    "[ \"$(\"$f\" --version 2>/dev/null </dev/null)\" = \"$v\" ] ||\n"
    " say fail \"the agent does not run there\"\n"
    "exec \"$f\" --preamble --idle $i --remove-self\n";

/* The length of the program for that machine, as far as there are others. */
static void add_lengths(const struct deploy *d, struct buf *to)
{
	struct builtin b;
	size_t i;

	buf_printf(to, "\nn=%zu i=%u\n", d->len, d->idle_s);
	for (i = 0; builtin_at(i, &b); i++) {
		if (strcmp(b.machine, d->machine) != 0)
			buf_printf(to, "[ \"$(uname -m)\" != %s ] || n=%zu\n",
			    b.machine, b.len);
	}
}

void deploy_script(const struct deploy *d, enum deploy_want want,
	struct buf *to)
{
	/* In braces: the shell reads it as a whole before it runs any of it. */
	buf_add_str(to, "{ say() { echo \"" DEPLOY_MARK "$1 $2\";"
	    " [ $1 = need ] || exit 127; }\nv=");
	quote_add(to, d->version);
	add_lengths(d, to);
	if (want != DEPLOY_ALWAYS) {
		buf_add_str(to, "for a in ");
		if (d->path)
			quote_add(to, d->path);
		buf_add_str(to, " gpsnap-agent; do\n");
		buf_add_str(to, find);
		buf_add_str(to, "done\n");
	}
	if (want == DEPLOY_NEVER)
		buf_add_str(to,
		    "say fail \"no $v on PATH or at --agent-path\"\n");
	else
		buf_add_str(to, bring);
	buf_add_str(to, "}\n");
}

/* ---- output of the other side ---------------------------------------- */

static const size_t n_word = sizeof("need ") - 1;

struct span deploy_machine(const char *p, size_t len)
{
	struct span s = span_of(p, len);
	const char *at = memmem(p, len, DEPLOY_MARK "need ",
	    strlen(DEPLOY_MARK) + n_word);

	if (!at)
		return span_of(p, 0);
	s.ptr = at + strlen(DEPLOY_MARK) + n_word;
	if (!span_empty(s) && s.end[-1] == '\n')
		s.end--;
	return s;
}

static enum deploy_step parse_line(const struct deploy *d, struct span line,
	struct gs_err *err)
{
	struct buf text = BUF_INIT;
	enum deploy_step step = DEPLOY_FAILED;
	const char *image;
	size_t len;

	if (span_starts(line, "ready"))
		return DEPLOY_READY;
	utf8_add_safe(&text, line.ptr, GS_MIN(span_len(line), (size_t)200));
	if (span_starts(line, "need ")) {
		line.ptr += n_word;
		if (d && deploy_image(d, line, &image, &len))
			step = DEPLOY_SEND;
		else
			(void)gs_fail(err, GS_E_USAGE,
			    "it is %s, the agent here is for %s: install "
			    "gpsnap-agent there", buf_str(&text) + n_word,
			    d ? d->machine : "nobody");
	} else if (span_starts(line, "fail ")) {
		(void)gs_fail(err, GS_E_GONE, "%s", span_len(line) > n_word
		    ? buf_str(&text) + n_word
		    : "failed and did not say why");
	} else {
		(void)gs_fail(err, GS_E_PROTOCOL,
		    "sent \"%s\" instead of an answer", buf_str(&text));
	}
	buf_release(&text);
	return step;
}

enum deploy_step deploy_parse(const struct deploy *d, const char *p,
	size_t len, size_t *ret_used, size_t *ret_noise, struct gs_err *err)
{
	const size_t n_mark = strlen(DEPLOY_MARK);
	const char *mark = len ? memmem(p, len, DEPLOY_MARK, n_mark) : NULL;
	const char *end;
	size_t left;

	if (mark) {
		left = len - (size_t)(mark - p);
		end = memchr(mark, '\n', left);
		if (end) {
			*ret_noise = (size_t)(mark - p);
			*ret_used = (size_t)(end - p) + 1;
			mark += n_mark;
			return parse_line(d, span_of(mark,
			    (size_t)(end - mark)), err);
		}
	}
	if (len <= DEPLOY_NOISE_MAX)
		return DEPLOY_WAIT;
	(void)gs_fail(err, GS_E_PROTOCOL,
	    "sent %zu bytes before an agent answered", len);
	*ret_used = *ret_noise = len;
	return DEPLOY_FAILED;
}
