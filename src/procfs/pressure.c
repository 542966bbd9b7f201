/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/host.h"

/*
 * /proc/pressure/RESOURCE, since 4.20 (irq 6.1, full only), and the files
 * RESOURCE.pressure of control groups.  A full line for the CPU came with
 * 5.13; for the whole host it has no meaning, and is 0.
 *
 *   some avg10=0.00 avg60=0.13 avg300=0.11 total=5030633
 *   full avg10=0.00 avg60=0.00 avg300=0.00 total=0
 */
struct row {
	const char *resource;
	unsigned some, full; /* column of total; the averages follow */
};

#define FOLLOWS(E, SYM)                                             \
	_Static_assert(COL(E, SYM##_AVG10) == COL(E, SYM) + 1 &&    \
	    COL(E, SYM##_AVG300) == COL(E, SYM) + 3,                \
	    "total and averages are columns in this order")
#define FOLLOW(SYM)                                                 \
	FOLLOWS(HOST, SYM);                                         \
	FOLLOWS(CGROUP, SYM)

FOLLOW(PSI_CPU_SOME);
FOLLOW(PSI_CPU_FULL);
FOLLOW(PSI_MEMORY_SOME);
FOLLOW(PSI_MEMORY_FULL);
FOLLOW(PSI_IO_SOME);
FOLLOW(PSI_IO_FULL);
FOLLOW(PSI_IRQ_FULL);

static const struct row rows[] = {
	{ "cpu", COL(HOST, PSI_CPU_SOME), COL(HOST, PSI_CPU_FULL) },
	{ "memory", COL(HOST, PSI_MEMORY_SOME), COL(HOST, PSI_MEMORY_FULL) },
	{ "io", COL(HOST, PSI_IO_SOME), COL(HOST, PSI_IO_FULL) },
	{ "irq", PRESSURE_NONE, COL(HOST, PSI_IRQ_FULL) },
};

/* Takes "NAME=value" if NAME is the given one. */
static bool pair(struct span *line, const char *name, uint64_t scale,
	uint64_t *ret)
{
	struct span key;

	scan_blank(line);
	return scan_until(line, '=', &key) && span_eq(key, name) &&
	    scan_fixed(line, scale, ret);
}

static void scan_kind(struct span line, unsigned col, struct cells c)
{
	static const char *const avg[] = { "avg10", "avg60", "avg300" };
	uint64_t v[4];
	unsigned i;

	for (i = 0; i < 3; i++) {
		if (!pair(&line, avg[i], 100, &v[i + 1]))
			return;
	}
	if (!pair(&line, "total", 1, &v[0]))
		return;
	for (i = 0; i < 4; i++)
		cells_set(c, col + i, v[i]);
}

void pressure_scan_at(struct span text, unsigned some, unsigned full,
	struct cells c)
{
	struct span line, kind;

	while (scan_line(&text, &line)) {
		if (!scan_word(&line, &kind))
			continue;
		if (span_eq(kind, "some") && some != PRESSURE_NONE)
			scan_kind(line, some, c);
		else if (span_eq(kind, "full"))
			scan_kind(line, full, c);
	}
}

void pressure_drop_zero(struct cells c, unsigned col)
{
	uint64_t total;
	unsigned i;

	if (!cells_get(c, col, &total) || total != 0)
		return;
	for (i = 0; i < 4; i++)
		cells_unset(c, col + i);
}

void pressure_scan(const char *resource, struct span text, struct cells host)
{
	const struct row *row = rows;

	while (strcmp(row->resource, resource) != 0) {
		if (++row == rows + GS_LEN(rows))
			return;
	}
	pressure_scan_at(text, row->some, row->full, host);
	if (row == rows)
		pressure_drop_zero(host, row->full);
}
