/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/host.h"

/*
 * /proc/pressure/RESOURCE, since 4.20 (irq 6.1, full only).  A full line for
 * the CPU came with 5.13; for the whole host it has no meaning, and is 0.
 *
 *   some avg10=0.00 avg60=0.13 avg300=0.11 total=5030633
 *   full avg10=0.00 avg60=0.00 avg300=0.00 total=0
 */
#define NO_COL (~0u)

struct row {
	const char *resource;
	unsigned some, full; /* column of total; the averages follow */
};

#define FOLLOW(SYM)                                                     \
	_Static_assert(COL(HOST, SYM##_AVG10) == COL(HOST, SYM) + 1 &&  \
	    COL(HOST, SYM##_AVG300) == COL(HOST, SYM) + 3,              \
	    "total and averages are columns in this order")

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
	{ "irq", NO_COL, COL(HOST, PSI_IRQ_FULL) },
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

static void scan_kind(struct span line, unsigned col, bool zero_is_absent,
	struct cells host)
{
	static const char *const avg[] = { "avg10", "avg60", "avg300" };
	uint64_t v[4];
	unsigned i;

	for (i = 0; i < 3; i++) {
		if (!pair(&line, avg[i], 100, &v[i + 1]))
			return;
	}
	if (!pair(&line, "total", 1, &v[0]) || (zero_is_absent && v[0] == 0))
		return;
	for (i = 0; i < 4; i++)
		cells_set(host, col + i, v[i]);
}

void pressure_scan(const char *resource, struct span text, struct cells host)
{
	const struct row *row = rows;
	struct span line, kind;

	while (strcmp(row->resource, resource) != 0) {
		if (++row == rows + GS_LEN(rows))
			return;
	}
	while (scan_line(&text, &line)) {
		if (!scan_word(&line, &kind))
			continue;
		if (span_eq(kind, "some") && row->some != NO_COL)
			scan_kind(line, row->some, false, host);
		else if (span_eq(kind, "full"))
			scan_kind(line, row->full, row == rows, host);
	}
}
