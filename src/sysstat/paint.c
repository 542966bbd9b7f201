/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/paint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGH_PERCENT 75.0
#define MIDDLE_PERCENT 50.0

static const struct {
	char letter;
	const char *sgr;
} defaults[PAINT_COLORS] = {
	[PAINT_COMMENT] = { 'C', "33;22" },
	[PAINT_HIGH] = { 'H', "31;1" },
	[PAINT_ITEM] = { 'I', "32;22" },
	[PAINT_MIDDLE] = { 'M', "35;1" },
	[PAINT_NAME] = { 'N', "34;1" },
	[PAINT_RESTART] = { 'R', "31;22" },
	[PAINT_ZERO] = { 'Z', "34;22" },
};

static bool want_color(bool is_terminal)
{
	const char *when = getenv("S_COLORS");

	if (when && strcmp(when, "never") == 0)
		return false;
	return is_terminal || (when && strcmp(when, "always") == 0);
}

/* One "H=31;1" of S_COLORS_SGR; anything else is skipped. */
static void parse_sgr(struct paint *p, const char *word, size_t len)
{
	size_t i;

	if (len < 3 || word[1] != '=' || len - 2 >= PAINT_SGR_MAX ||
	    strspn(word + 2, "0123456789;") < len - 2)
		return;
	for (i = 0; i < PAINT_COLORS; i++) {
		if (defaults[i].letter != word[0])
			continue;
		memcpy(p->sgr[i], word + 2, len - 2);
		p->sgr[i][len - 2] = '\0';
	}
}

void paint_init(struct paint *p, struct buf *to, bool is_terminal)
{
	const char *s = getenv("S_COLORS_SGR");
	size_t i;

	*p = (struct paint) { .to = to, .decimals = 2,
		.colored = want_color(is_terminal) };
	for (i = 0; i < PAINT_COLORS; i++)
		(void)snprintf(p->sgr[i], PAINT_SGR_MAX, "%s",
		    defaults[i].sgr);
	while (s && *s) {
		size_t len = strcspn(s, ":");

		parse_sgr(p, s, len);
		s += len + (s[len] == ':');
	}
}

void paint_begin(const struct paint *p, enum paint_color color)
{
	if (p->colored)
		buf_printf(p->to, "\033[%sm", p->sgr[color]);
}

void paint_end(const struct paint *p)
{
	if (p->colored)
		buf_add_str(p->to, "\033[0m");
}

/* What sizes are divided by. */
static const struct scale {
	double plain; /* 0: by nothing */
	double human; /* 0: the same for humans */
	size_t unit; /* for humans: of units[] */
	bool whole; /* no digits after the point */
} scales[] = {
	[STYLE_BYTES_RATE] = { 1024, 1, 0, false },
	[STYLE_KIB_RATE] = { 1, 1, 1, false },
	[STYLE_KIB] = { 1, 1, 1, true },
	[STYLE_MIB] = { 1024 * 1024, 1, 0, true },
	[STYLE_WHOLE] = { 1, 0, 0, true },
	[STYLE_WORD] = { 1, 0, 0, false },
};

/* Shown as nothing but zeros. */
static bool is_zero(const struct paint *p, const struct value_format *c,
	const struct value *v)
{
	static const double least[] = { 0.5, 0.05, 0.005 };
	bool no_digits = scales[c->style].whole;

	if (v->kind == VALUE_ABSENT)
		return true;
	if (v->kind == VALUE_WHOLE)
		return v->whole == 0;
	if (v->kind != VALUE_REAL)
		return false;
	return no_digits ? v->real <= least[0] : v->real < least[p->decimals];
}

static enum paint_color color_of(const struct paint *p,
	const struct value_format *c, const struct value *v)
{
	if (c->style == STYLE_ITEM)
		return PAINT_ITEM;
	if (is_zero(p, c, v))
		return PAINT_ZERO;
	if (c->style == STYLE_PERCENT && v->real >= HIGH_PERCENT)
		return PAINT_HIGH;
	if (c->style == STYLE_PERCENT && v->real >= MIDDLE_PERCENT)
		return PAINT_MIDDLE;
	return PAINT_NAME;
}

/* The suffix of a figure for humans is not coloured. */
static void end_with(const struct paint *p, char unit)
{
	paint_end(p);
	buf_add_char(p->to, unit);
}

static void put_percent(const struct paint *p, int width, double v)
{
	if (!p->human) {
		buf_printf(p->to, "%*.*f", width, p->decimals, v);
		paint_end(p);
		return;
	}
	buf_printf(p->to, "%*.*f", width - 1, p->decimals ? 1 : 0, v);
	end_with(p, '%');
}

/* Scaled by 1024, from the unit at index on. */
static void put_size(const struct paint *p, int width, double v,
	size_t unit)
{
	static const char units[] = "BkMGTP?";

	while (v >= 1024 && unit + 2 < sizeof(units)) {
		v /= 1024;
		unit++;
	}
	buf_printf(p->to, "%*.*f", width - 1, p->decimals ? 1 : 0, v);
	end_with(p, units[unit]);
}

static void put_real(const struct paint *p, const struct value_format *c,
	double v)
{
	const struct scale *s = &scales[c->style];

	if (c->style == STYLE_PERCENT || c->style == STYLE_SHARE) {
		put_percent(p, c->width, v);
	} else if (p->human && s->human > 0) {
		put_size(p, c->width, v / s->human, s->unit);
	} else {
		buf_printf(p->to, "%*.*f", c->width, s->whole ? 0
		    : p->decimals, s->plain > 0 ? v / s->plain : v);
		paint_end(p);
	}
}

static void put_text(const struct paint *p, const struct value_format *c,
	const char *text)
{
	buf_printf(p->to, "%*s", c->width, text);
	paint_end(p);
}

void paint_bare(const struct paint *p, const struct value_format *c,
	const struct value *v)
{
	switch (v->kind) {
	case VALUE_ABSENT:
		put_text(p, c, "-");
		return;
	case VALUE_REAL:
		put_real(p, c, v->real);
		return;
	case VALUE_WHOLE:
		if (p->human && scales[c->style].human > 0) {
			put_real(p, c, (double)v->whole);
			return;
		}
		buf_printf(p->to, "%*" PRIu64, c->width, v->whole);
		paint_end(p);
		return;
	case VALUE_WORD:
		put_text(p, c, v->word);
		return;
	}
}

void paint_value(const struct paint *p, const struct value_format *c,
	const struct value *v)
{
	paint_begin(p, color_of(p, c, v));
	buf_add_char(p->to, ' ');
	paint_bare(p, c, v);
}

static bool is_refused(const struct column *c, const struct value *v)
{
	return c->format.style == STYLE_BYTES_RATE && v->kind == VALUE_REAL &&
	    v->real == VALUE_REFUSED;
}

/* pidstat colours an unreadable figure as one. */
static size_t put_refused(const struct paint *p, const struct column *c,
	const struct value *v, size_t n)
{
	size_t i;

	paint_begin(p, PAINT_ZERO);
	for (i = 0; i < n && is_refused(&c[i], &v[i]); i++)
		buf_printf(p->to, " %*.2f", c[i].format.width, v[i].real);
	paint_end(p);
	return i;
}

void paint_values(const struct paint *p, const struct column *c,
	const struct value *v, size_t n)
{
	size_t i = 0;

	while (i < n) {
		if (is_refused(&c[i], &v[i])) {
			i += put_refused(p, c + i, v + i, n - i);
			continue;
		}
		paint_value(p, &c[i].format, &v[i]);
		i++;
	}
}
