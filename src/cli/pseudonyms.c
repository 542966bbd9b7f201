/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pseudonyms.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "cli/config.h"

#define DEFAULT_NAME "share.key"

/* With all directories above it; each may exist. */
static int make_dir(const char *path, struct gs_err *err)
{
	struct buf part = BUF_INIT;
	const char *p;
	int r = GS_OK;

	for (p = path; r == GS_OK && *p; p++) {
		buf_add_char(&part, *p);
		if (p[1] != '/' && p[1] != '\0')
			continue;
		if (mkdir(buf_str(&part), 0700) < 0 && errno != EEXIST)
			r = gs_fail_errno(err, errno, "%s", buf_str(&part));
	}
	buf_release(&part);
	return r;
}

static int default_path(struct buf *to, struct gs_err *err)
{
	int r;

	if (!config_dir(to))
		return gs_fail(err, GS_E_USAGE,
		    "there is no HOME for the key: name a file with --key");
	r = make_dir(buf_str(to), err);
	buf_add_str(to, "/" DEFAULT_NAME);
	return r;
}

int pseudonyms_open(struct pseudonyms *p, const char *path,
	struct gs_err *err)
{
	struct buf own = BUF_INIT;
	int r = path ? GS_OK : default_path(&own, err);

	if (r == GS_OK)
		r = keyfile_open(&p->key, path ? path : buf_str(&own), err);
	if (r == GS_OK) {
		p->anon = anon_new(p->key.aliases);
		p->n_before = aliases_count(p->key.aliases);
	}
	buf_release(&own);
	return r;
}

int pseudonyms_save(struct pseudonyms *p, struct gs_err *err)
{
	return keyfile_save(&p->key, err);
}

void pseudonyms_close(struct pseudonyms *p)
{
	anon_free(p->anon);
	p->anon = NULL;
	keyfile_close(&p->key);
}

void pseudonyms_tell(const struct pseudonyms *p, struct buf *to)
{
	size_t n = aliases_count(p->key.aliases);

	buf_printf(to, "Whose names these are tells the key, which has %zu "
	    "name%s, %zu of them new.  Keep it:\n  gpsnap who ", n,
	    n == 1 ? "" : "s", n - p->n_before);
	utf8_add_safe(to, p->key.path, strlen(p->key.path));
	buf_add_char(to, '\n');
}
