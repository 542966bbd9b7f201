/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modules.c - lines as "7f6b2000-7f6b3000 r-xp 00009000 fe:00 1234  /usr/lib/x.so".
 */
#include "heap/modules.h"

static bool scan_hex(struct span *s, uint64_t *ret)
{
	const char *p = s->ptr;
	uint64_t v = 0;

	for (; p < s->end; p++) {
		unsigned d = *p >= '0' && *p <= '9' ? (unsigned)(*p - '0')
		    : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10 : 16;

		if (d == 16)
			break;
		if (v >> 60)
			return false;
		v = v << 4 | d;
	}
	if (p == s->ptr)
		return false;
	s->ptr = p;
	*ret = v;
	return true;
}

struct mapping {
	uint64_t start, end, offset, inode;
	struct span rights, path;
};

static bool scan_mapping(struct span line, struct mapping *ret)
{
	struct span device;

	if (!scan_hex(&line, &ret->start) || !scan_char(&line, '-') ||
	    !scan_hex(&line, &ret->end) || !scan_word(&line, &ret->rights))
		return false;
	scan_blank(&line);
	if (!scan_hex(&line, &ret->offset) || !scan_word(&line, &device) ||
	    !scan_u64(&line, &ret->inode))
		return false;
	scan_blank(&line);
	ret->path = line;
	return ret->inode != 0 && span_starts(line, "/");
}

/* Mappings of a file follow one another, so that the last ones are looked at
 * first. */
static struct module *module_of(struct modules *ms, const struct mapping *map)
{
	size_t i;

	for (i = ms->n; i-- > 0;) {
		if (ms->m[i].inode == map->inode &&
		    span_same(ms->m[i].path, map->path))
			return &ms->m[i];
	}
	if (ms->n == MODULES_MAX)
		return NULL;
	ms->m[ms->n] = (struct module) { .inode = map->inode,
		.path = map->path };
	return &ms->m[ms->n++];
}

static void drop_data(struct modules *ms)
{
	size_t i, kept = 0;

	for (i = 0; i < ms->n; i++) {
		if (ms->m[i].code && ms->m[i].begins)
			ms->m[kept++] = ms->m[i];
	}
	ms->n = kept;
}

void modules_scan(struct span maps, struct modules *ret)
{
	struct span line;

	ret->n = 0;
	while (scan_line(&maps, &line)) {
		struct mapping map;
		struct module *m;

		if (!scan_mapping(line, &map))
			continue;
		m = module_of(ret, &map);
		if (!m)
			continue;
		if (map.offset == 0 && !m->begins) {
			m->begins = true;
			m->base = map.start;
		}
		m->code |= span_len(map.rights) >= 3 && map.rights.ptr[2] == 'x';
	}
	drop_data(ret);
}
