/*
 * grids.h - hand-made grids for the tests of views and renderers.
 */
#ifndef TESTS_LIB_GRIDS_H
#define TESTS_LIB_GRIDS_H

#include <string.h>

#include "view/grid.h"

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
		{ "session", "SESSION", "name", Q_TEXT, 0, false, false, false },
		{ "pid", "PID", "process", Q_ID, 0, false, false, false },
		{ "cpu_percent", "CPU%", "of one core", Q_PERCENT, 0, false,
		    true, false },
		{ "cpu_seconds", "CPU", "time", Q_SECONDS, 0, false, true, false },
		{ "memory_bytes", "MEM", "anonymous", Q_BYTES, 0, false,
		    true, false },
		{ "read_bytes_per_second", "READ/s", "from disk",
		    Q_BYTES_RATE, 120, false, true, false },
		{ "faults_per_second", "FAULTS", "minor", Q_RATE, 120, false,
		    true, false },
		{ "age_seconds", "AGE", "of the session", Q_AGE, 0, false,
		    false, false },
		{ "start", "START", "when", Q_TIME, 200, false, false, false },
		{ "switches", "CSW", "count", Q_COUNT, 200, false, true, false },
		{ "title", "TITLE", "of the process", Q_TEXT, 80, true,
		    false, false },
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
