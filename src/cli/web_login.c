/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/web_login.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

#define FILE_MAX ((size_t)256 << 10) /* of a chain of certificates */

static int check(int fd, const char *path, bool secret, struct gs_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return gs_fail_errno(err, errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return gs_fail(err, GS_E_USAGE, "%s: is no file", path);
	if (secret && (st.st_mode & (S_IRWXG | S_IRWXO)))
		return gs_fail(err, GS_E_DENIED, "%s: others can read it: "
		    "chmod 600", path);
	return GS_OK;
}

static int read_text(int fd, const char *path, struct buf *to,
	struct gs_err *err)
{
	ssize_t n = 1;

	while (n > 0 && to->len <= FILE_MAX) {
		n = read(fd, buf_reserve(to, 4096), 4095);
		if (n > 0) {
			to->len += (size_t)n;
			to->ptr[to->len] = '\0';
		}
	}
	if (n < 0)
		return gs_fail_errno(err, errno, "%s", path);
	if (to->len > FILE_MAX)
		return gs_fail(err, GS_E_LIMIT, "%s: is too large", path);
	return GS_OK;
}

static int read_file(const char *path, bool secret, char **ret,
	struct gs_err *err)
{
	struct buf b = BUF_INIT;
	int fd, r;

	if (!path)
		return GS_OK;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return gs_fail_errno(err, errno, "%s", path);
	r = check(fd, path, secret, err);
	if (r == GS_OK)
		r = read_text(fd, path, &b, err);
	(void)close(fd); /* was only read */
	if (r == GS_OK)
		*ret = gs_strdup(buf_str(&b));
	buf_release(&b);
	return r;
}

int web_login_read(struct web_login *to, const char *cert, const char *key,
	const char *password, struct gs_err *err)
{
	int r = read_file(cert, false, &to->cert, err);
	const char *colon;

	if (r == GS_OK)
		r = read_file(key, true, &to->key, err);
	if (r == GS_OK)
		r = read_file(password, true, &to->login, err);
	if (r < 0 || !to->login)
		return r;
	to->login[strcspn(to->login, "\r\n")] = '\0';
	colon = strchr(to->login, ':');
	if (!colon || colon == to->login || strlen(colon + 1) < 8)
		return gs_fail(err, GS_E_USAGE, "%s: expected USER:PASSWORD "
		    "with a password of at least 8 characters", password);
	return GS_OK;
}

void web_login_release(struct web_login *l)
{
	free(l->cert);
	free(l->key);
	free(l->login);
}
