/* SPDX-License-Identifier: Apache-2.0 */
#include "record/sockets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LISTENS 0x10000u /* __SO_ACCEPTCON */
#define LIST_MAX 4096 /* bytes: a user may bind many sockets */

static bool has(const struct buf *list, struct span dir)
{
	struct span s = span_of(buf_str(list), list->len), one;

	while (scan_until(&s, ',', &one)) {
		if (span_len(one) == span_len(dir) &&
		    memcmp(one.ptr, dir.ptr, span_len(dir)) == 0)
			return true;
	}
	return span_len(s) == span_len(dir) &&
	    memcmp(s.ptr, dir.ptr, span_len(dir)) == 0;
}

void sockets_add(struct buf *to, struct span dir)
{
	if (span_empty(dir) || memchr(dir.ptr, ',', span_len(dir)) ||
	    has(to, dir) || to->len + span_len(dir) >= LIST_MAX)
		return;
	if (to->len > 0)
		buf_add_char(to, ',');
	buf_add(to, dir.ptr, span_len(dir));
}

static bool listens(struct span flags)
{
	char text[20];
	char *end;
	unsigned long v;

	if (span_empty(flags) || span_len(flags) >= sizeof(text))
		return false;
	memcpy(text, flags.ptr, span_len(flags));
	text[span_len(flags)] = '\0';
	v = strtoul(text, &end, 16);
	return *end == '\0' && v & LISTENS;
}

/*
 * Num       RefCount Protocol Flags    Type St Inode Path
 * 0000000000000000: 00000002 00000000 00010000 0001 01 23456 /tmp/.s.PGSQL.5432
 * 0000000000000000: 00000002 00000000 00010000 0001 01 23456 @gpsnap/0/0f
 *
 * The format since Linux 2.2; the path may hold blanks.
 */
bool sockets_parse(struct span line, uint64_t *ret_inode, struct span *ret_path)
{
	struct span word, flags = { NULL, NULL };
	int i;

	for (i = 0; i < 7; i++) {
		if (!scan_word(&line, &word))
			return false;
		if (i == 3)
			flags = word;
	}
	if (!scan_u64(&word, ret_inode) || !listens(flags) ||
	    span_len(line) < 2)
		return false;
	line.ptr++; /* the blank */
	*ret_path = line;
	return true;
}

void sockets_scan(struct span table, uint32_t port, struct buf *to)
{
	struct span line, path;
	uint64_t inode;
	char name[32];
	size_t len;

	len = (size_t)snprintf(name, sizeof(name), "/.s.PGSQL.%u", port);
	while (scan_line(&table, &line)) {
		if (!sockets_parse(line, &inode, &path) ||
		    *path.ptr != '/' || span_len(path) <= len ||
		    memcmp(path.end - len, name, len) != 0)
			continue;
		path.end -= len;
		sockets_add(to, path);
	}
}

void sockets_find(uint32_t port, struct buf *to)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	FILE *f = fopen(SOCKETS_TABLE, "re");

	while (f && (len = getline(&line, &size, f)) > 0)
		sockets_scan(span_of(line, (size_t)len), port, to);
	free(line);
	if (f)
		(void)fclose(f); /* was only read */
}

/* ---- whose they are --------------------------------------------------- */

static bool is_one_of(uint32_t uid, const uint32_t *of, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (of[i] == uid)
			return true;
	}
	return false;
}

/* The owner of a socket; false if another user may have made it. */
static bool owner_of(struct span dir, uint32_t port, const uint32_t *uid,
	size_t n, uint32_t *ret)
{
	struct buf path = BUF_INIT;
	struct stat d, s;
	bool is;

	buf_add(&path, dir.ptr, span_len(dir));
	is = stat(buf_str(&path), &d) == 0 &&
	    (d.st_uid == 0 || is_one_of(d.st_uid, uid, n));
	buf_printf(&path, "/.s.PGSQL.%u", port);
	is = is && lstat(buf_str(&path), &s) == 0 && S_ISSOCK(s.st_mode);
	buf_release(&path);
	if (is)
		*ret = s.st_uid;
	return is;
}

static bool next_dir(struct span *s, struct span *ret)
{
	if (span_empty(*s))
		return false;
	if (!scan_until(s, ',', ret)) {
		*ret = *s;
		s->ptr = s->end;
	}
	return true;
}

bool sockets_keep(struct buf *list, uint32_t port, const uint32_t *uid,
	size_t n, uint32_t *ret_owner)
{
	struct buf kept = BUF_INIT;
	size_t i;

	for (i = 0; i < n && kept.len == 0; i++) {
		struct span s = span_of(buf_str(list), list->len), dir;
		uint32_t owner;

		*ret_owner = uid[i];
		while (next_dir(&s, &dir)) {
			if (owner_of(dir, port, uid, n, &owner) &&
			    owner == uid[i])
				sockets_add(&kept, dir);
		}
	}
	buf_release(list);
	*list = kept;
	return kept.len > 0;
}
