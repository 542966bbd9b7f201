/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define EVENTS_MAX 1000

void note(struct tick *events, enum event_kind kind, int64_t value,
	const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (events->n_event >= EVENTS_MAX)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut if need be */
	va_end(ap);
	tick_add_event(events, kind, gs_clock_wall_ns(), EVENT_NO_HOST, value,
	    text, strlen(text));
}
