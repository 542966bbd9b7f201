/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <stdbool.h>

#include "base/compiler.h"

static bool continues(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

size_t utf8_decode(const char *s, size_t len, uint32_t *ret)
{
	static const uint32_t floor[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	uint32_t c = p[0];
	size_t n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 :
	    c < 0xf5 ? 4 : 0;
	size_t i;

	if (n == 1) {
		*ret = c;
		return 1;
	}
	if (n == 0 || n > len)
		goto bad;
	c &= 0x7fU >> n;
	for (i = 1; i < n; i++) {
		if (!continues(p[i]))
			goto bad;
		c = c << 6 | (p[i] & 0x3fU);
	}
	if (c < floor[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		goto bad;
	*ret = c;
	return n;
bad:
	*ret = 0xfffd;
	return 1;
}

struct range {
	uint32_t first, last;
};

static bool within(const struct range *r, size_t n, uint32_t c)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (c >= r[i].first && c <= r[i].last)
			return true;
	}
	return false;
}

/* Characters that change their surroundings or are invisible. */
static bool invisible(uint32_t c)
{
	static const struct range r[] = {
		{ 0x00ad, 0x00ad }, { 0x061c, 0x061c }, { 0x180e, 0x180e },
		{ 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
	};

	return within(r, GS_LEN(r), c);
}

/* Printable ASCII at the start: most of all text. */
static size_t plain_length(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] >= 0x20 && p[n] < 0x7f)
		n++;
	return n;
}

void utf8_add_safe(struct buf *to, const char *p, size_t len)
{
	while (len > 0) {
		uint32_t c;
		size_t n = plain_length(p, len);

		if (n > 0) {
			buf_add(to, p, n);
			p += n;
			len -= n;
			continue;
		}
		n = utf8_decode(p, len, &c);
		if (c == 0xfffd && n == 1)
			buf_printf(to, "\\x%02X", (unsigned char)*p);
		else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
			buf_printf(to, "\\x%02X", (unsigned)c);
		else if (invisible(c))
			buf_printf(to, "\\u{%X}", (unsigned)c);
		else
			buf_add(to, p, n);
		p += n;
		len -= n;
	}
}

static size_t columns_of(uint32_t c)
{
	static const struct range combining[] = {
		{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd },
		{ 0x064b, 0x065f }, { 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a },
		{ 0x0e47, 0x0e4e }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
		{ 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
	};
	static const struct range wide[] = {
		{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0x33ff },
		{ 0x3400, 0x4dbf }, { 0x4e00, 0x9fff }, { 0xa000, 0xa4cf },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
		{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f },
		{ 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff },
		{ 0x20000, 0x3fffd },
	};

	if (c < 0x300)
		return 1;
	if (within(combining, GS_LEN(combining), c))
		return 0;
	return within(wide, GS_LEN(wide), c) ? 2 : 1;
}

size_t utf8_width(const char *p, size_t len)
{
	size_t width = 0;

	while (len > 0) {
		uint32_t c;
		size_t n = utf8_decode(p, len, &c);

		width += columns_of(c);
		p += n;
		len -= n;
	}
	return width;
}

size_t utf8_fit(const char *p, size_t len, size_t columns)
{
	size_t used = 0;

	while (used < len) {
		uint32_t c;
		size_t n = utf8_decode(p + used, len - used, &c);
		size_t w = columns_of(c);

		if (w > columns)
			break;
		columns -= w;
		used += n;
	}
	return used;
}
