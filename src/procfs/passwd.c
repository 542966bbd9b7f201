/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passwd.c - lines of /etc/passwd:
 *
 *   gpadmin:x:1001:1001::/home/gpadmin:/bin/bash
 *
 * Other lines (comments, "+::::::" of NIS) are skipped.
 */
#include "procfs/passwd.h"

#include <stdlib.h>

#include "base/mem.h"

void passwd_release(struct passwd *p)
{
	free(p->user);
	buf_release(&p->names);
	*p = (struct passwd) { 0 };
}

static void add(struct passwd *p, struct span name, uint32_t uid)
{
	GS_GROW(p->user, &p->cap, p->n + 1);
	p->user[p->n++] = (struct passwd_user) { uid,
		(uint32_t)p->names.len, (uint32_t)span_len(name) };
	buf_add(&p->names, name.ptr, span_len(name));
}

static void scan_user(struct passwd *p, struct span line)
{
	struct span name, word;
	uint64_t uid;

	if (!scan_until(&line, ':', &name) || span_empty(name) ||
	    span_len(name) > PASSWD_NAME_MAX || name.ptr[0] == '#' ||
	    !scan_until(&line, ':', &word) ||
	    !scan_until(&line, ':', &word) || !scan_u64(&word, &uid) ||
	    !span_empty(word) || uid > UINT32_MAX)
		return;
	add(p, name, (uint32_t)uid);
}

/* By uid, then in the order of the file: off grows. */
static int order(const void *x, const void *y)
{
	const struct passwd_user *a = x, *b = y;

	if (a->uid != b->uid)
		return a->uid < b->uid ? -1 : 1;
	return (a->off > b->off) - (a->off < b->off);
}

void passwd_scan(struct passwd *p, struct span text)
{
	struct span line;

	p->n = 0;
	buf_reset(&p->names);
	while (scan_line(&text, &line))
		scan_user(p, line);
	if (p->n > 0)
		qsort(p->user, p->n, sizeof(*p->user), order);
}

struct span passwd_name(const struct passwd *p, uint64_t uid)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->user[mid].uid < uid)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == p->n || p->user[low].uid != uid)
		return span_of("", 0);
	return span_of(p->names.ptr + p->user[low].off, p->user[low].len);
}
