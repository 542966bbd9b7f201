/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/sysfs.h"

/*
 * /proc/<pid>/mountinfo, since 2.6.26: id, parent, major:minor, root, mount
 * point, options, any number of tags, "-", type, source, more options.
 * Blanks in names are \040.
 *
 *   36 35 98:0 /mnt1 /mnt/a\040b rw,noatime master:1 - ext3 /dev/sda1 rw
 */
static bool number_colon_number(struct span word, uint64_t *a, uint64_t *b)
{
	if (!scan_u64(&word, a) || span_empty(word) || *word.ptr != ':')
		return false;
	word.ptr++;
	return scan_u64(&word, b);
}

static bool scan_mount(struct span line, struct mount *ret)
{
	struct mount m;
	struct span word;
	uint64_t id;

	if (!scan_u64(&line, &id) || !scan_u64(&line, &id) ||
	    !scan_word(&line, &word) ||
	    !number_colon_number(word, &m.major, &m.minor) ||
	    !scan_word(&line, &m.root) || !scan_word(&line, &m.point))
		return false;
	do {
		if (!scan_word(&line, &word))
			return false;
	} while (!span_eq(word, "-"));
	if (!scan_word(&line, &m.type) || !scan_word(&line, &m.source))
		return false;
	if (!scan_word(&line, &m.super))
		m.super = span_of(m.source.end, 0);
	*ret = m;
	return true;
}

bool mountinfo_next(struct span *text, struct mount *ret)
{
	struct span line;

	while (scan_line(text, &line)) {
		if (scan_mount(line, ret))
			return true;
	}
	return false;
}

static bool octal(char c)
{
	return c >= '0' && c <= '7';
}

void mountinfo_unescape(struct span text, struct buf *to)
{
	while (!span_empty(text)) {
		const char *p = text.ptr;

		if (span_len(text) >= 4 && p[0] == '\\' && octal(p[1]) &&
		    octal(p[2]) && octal(p[3])) {
			int c = (p[1] - '0') * 64 + (p[2] - '0') * 8 +
			    (p[3] - '0');

			buf_add_char(to, (char)c);
			text.ptr += 4;
		} else {
			buf_add_char(to, *p);
			text.ptr++;
		}
	}
}
