/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/status_line.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "cli/width.h"
#include "record/progress.h"

/* A terminal has one cursor. */
static struct status_line *at_cursor;

#define PACE_NS (GS_NSEC_PER_SEC / 5)

void status_line_init(struct status_line *l, bool wanted)
{
	*l = (struct status_line) { .on = wanted && isatty(STDERR_FILENO) };
}

/* As many whole parts as fit, with commas between them.  The last column stays
 * empty: some terminals wrap there. */
static size_t fitting(const struct buf *text)
{
	size_t fit = utf8_fit(text->ptr, text->len, width_of_errors() - 1);
	size_t len = fit;

	if (fit == text->len)
		return fit;
	while (len > 0 && strncmp(text->ptr + len, ", ", 2) != 0)
		len--;
	return len > 0 ? len : fit;
}

bool status_line_is_due(struct status_line *l)
{
	int64_t now_ns = gs_clock_mono_ns();

	if (!l->on || now_ns - l->shown_ns < PACE_NS)
		return false;
	l->shown_ns = now_ns;
	return true;
}

void status_line_set(struct status_line *l, const struct buf *text)
{
	size_t len;

	if (!l->on)
		return;
	len = fitting(text);
	(void)fprintf(stderr, "\r%.*s\033[K", (int)len, text->ptr);
	(void)fflush(stderr); /* a terminal that is gone says so by SIGHUP */
	l->shown = true;
	at_cursor = l;
}

void status_line_show(struct status_line *l, const struct recorder_status *s)
{
	struct buf b = BUF_INIT;

	if (!l->on)
		return;
	progress_add_line(s, &b);
	status_line_set(l, &b);
	buf_release(&b);
}

void status_line_clear(struct status_line *l)
{
	if (!l->shown)
		return;
	(void)fputs("\r\033[K", stderr);
	(void)fflush(stderr); /* as above */
	l->shown = false;
	at_cursor = NULL;
}

void status_line_make_room(void)
{
	if (at_cursor)
		status_line_clear(at_cursor);
}
