/* SPDX-License-Identifier: Apache-2.0 */
#include "web/families.h"

#include <string.h>

#include "render/cell.h"

static void add_help(struct families *x, const char *help)
{
	for (; *help; help++) {
		if (*help == '\\' || (*help == '"' && x->openmetrics))
			buf_add_char(x->to, '\\');
		buf_add_char(x->to, *help == '\n' ? ' ' : *help);
	}
	buf_add_char(x->to, '\n');
}

static void add_head(struct families *x)
{
	const struct family *f = x->now;
	const char *ending = x->openmetrics ? "" : f->ending;
	bool info = strcmp(f->type, "info") == 0 && !x->openmetrics;

	buf_printf(x->to, "# TYPE %s%s %s\n", f->name, ending,
	    info ? "gauge" : f->type);
	if (f->unit[0] && x->openmetrics)
		buf_printf(x->to, "# UNIT %s %s\n", f->name, f->unit);
	buf_printf(x->to, "# HELP %s%s ", f->name, ending);
	add_help(x, f->help);
}

void families_begin(struct families *x, const struct family *f)
{
	x->now = f;
	x->headed = false;
}

void families_add(struct families *x, const char *labels, size_t len,
	const struct cell *c)
{
	const struct family *f = x->now;

	if (cell_is_absent(c) || c->kind == CELL_TEXT)
		return;
	if (!x->headed)
		add_head(x);
	x->headed = true;
	buf_printf(x->to, "%s%s", f->name, f->ending);
	if (len > 0) {
		buf_add_char(x->to, '{');
		buf_add(x->to, labels, len);
		buf_add_char(x->to, '}');
	}
	buf_add_char(x->to, ' ');
	if (c->kind == CELL_MAX)
		buf_add_str(x->to, "+Inf");
	else
		(void)cell_add_exact(x->to, Q_NUMBER, c); /* it is known */
	buf_add_char(x->to, '\n');
}

void families_add_real(struct families *x, const char *labels, size_t len,
	double v)
{
	const struct cell c = { .kind = CELL_REAL, .r = v };

	families_add(x, labels, len, &c);
}

void families_end(struct families *x)
{
	if (x->openmetrics)
		buf_add_str(x->to, "# EOF\n");
}
