/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grids.h - hand-made grids for the tests of views and renderers.
 */
#ifndef TESTS_LIB_GRIDS_H
#define TESTS_LIB_GRIDS_H

#include <string.h>

#include "query/grid.h"

static inline struct cell marked(char mark, struct cell c)
{
	c.mark = mark;
	return c;
}

static inline struct cell text_cell(struct grid *g, const char *s)
{
	return cell_text(grid_text(g, s, strlen(s)));
}

/* Sessions: a text, an id, a number of every kind, some absent. */
static inline struct grid *grid_of_sessions(void)
{
	static const struct grid_col cols[] = {
		{ .name = "session", .title = "SESSION",
		    .help = "name", .quantity = Q_TEXT },
		{ .name = "pid", .title = "PID",
		    .help = "process", .quantity = Q_ID },
		{ .name = "cpu_percent", .title = "CPU%",
		    .help = "of one core", .quantity = Q_PERCENT,
		    .additive = true },
		{ .name = "cpu_seconds", .title = "CPU",
		    .help = "time", .quantity = Q_SECONDS,
		    .additive = true },
		{ .name = "memory_bytes", .title = "MEM",
		    .help = "anonymous", .quantity = Q_BYTES,
		    .additive = true },
		{ .name = "read_bytes_per_second", .title = "READ/s",
		    .help = "from disk", .quantity = Q_BYTES_RATE,
		    .min_width = 120, .additive = true },
		{ .name = "faults_per_second", .title = "FAULTS",
		    .help = "minor", .quantity = Q_RATE,
		    .min_width = 120, .additive = true },
		{ .name = "age_seconds", .title = "AGE",
		    .help = "of the session", .quantity = Q_AGE },
		{ .name = "start", .title = "START",
		    .help = "when", .quantity = Q_TIME,
		    .min_width = 200 },
		{ .name = "switches", .title = "CSW",
		    .help = "count", .quantity = Q_COUNT,
		    .min_width = 200, .additive = true },
		{ .name = "title", .title = "TITLE",
		    .help = "of the process", .quantity = Q_TEXT,
		    .min_width = 80, .flexible = true },
	};
	static const struct {
		const char *session, *title;
		int64_t pid;
		double cpu, mem, read, faults, age;
	} rows[] = {
		{ "con7", "postgres: 5432, gpadmin db con7 seg0 SELECT", 4711,
		    99.95, 1610612736, 1048576, 1234.5, 843 },
		{ "con12", "idle", 12, 0.04, 1023, 0, 0.5, 273600 },
		{ "con3", "\x1b[31mred\x1b[0m \xe2\x80\xae" "evil \xff", 3,
		    1234.56, 17, 5e13, 1e7, 9.2 },
		{ "\xe6\x97\xa5\xe6\x9c\xac", "wide \xe6\x97\xa5", 999, 100,
		    9.3e18, 12, 999.95, 1 },
	};
	struct grid *g = grid_new("sessions", "Sessions");
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
	for (i = 0; i < GS_LEN(rows); i++) {
		struct cell *c = grid_add_row(g)->cell;

		c[0] = text_cell(g, rows[i].session);
		c[1] = cell_int(rows[i].pid);
		c[2] = cell_real(rows[i].cpu);
		c[3] = cell_real(rows[i].cpu / 10);
		c[4] = cell_real(rows[i].mem);
		c[5] = cell_real(rows[i].read);
		c[6] = cell_real(rows[i].faults);
		c[7] = cell_real(rows[i].age);
		c[8] = cell_int(INT64_C(1790000000250000000) +
		    (int64_t)i * 1000000000);
		c[9] = cell_int(i == 3 ? INT64_MIN : (int64_t)i * 777777);
		c[10] = text_cell(g, rows[i].title);
	}
	g->row[1].cell[4] = (struct cell) { 0 };
	g->row[1].cell[10] = (struct cell) { 0 };
	g->row[0].cell[2].mark = '~';
	g->row[0].cell[7].mark = '>';
	return g;
}

#endif
