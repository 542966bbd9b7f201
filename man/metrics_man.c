/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics_man.c - writes gpsnap-metrics(7) from the registry.
 *
 *   metrics_man FILE
 *
 * The text at the top explains what the registry's words mean; all else comes
 * from metrics.def, entities.def and unit.def.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "metric/metric.h"
#include "metric/needs.h"
#include "metric/unit.h"

static const char head[] =
    ".Dd November 21, 2026\n"
    ".Dt GPSNAP-METRICS 7\n"
    ".Os\n"
    ".Sh NAME\n"
    ".Nm gpsnap-metrics\n"
    ".Nd all that gpsnap can measure\n"
    ".Sh DESCRIPTION\n"
    "A recording holds rows of the kinds below, and of each row the metrics\n"
    "that the kernel gave.\n"
    "The full name of a metric is its kind, a dot and its name:\n"
    ".Li process.minflt .\n"
    "The columns of\n"
    ".Xr gpsnap-replay 1\n"
    "are computed from these.\n"
    "Kind and metric are numbers in files; these are given, too, and never\n"
    "change.\n"
    ".Ss Absence\n"
    "What the kernel does not say is absent, which is not zero: there is no\n"
    "such line on an older kernel, the file may not be read, the thing is not\n"
    "measured here.\n"
    "Zeros that mean\n"
    ".Dq not measured\n"
    "are absent as well: block-IO delay while kernel.task_delayacct is 0,\n"
    "scheduler statistics that stay 0 although the process ran, the memory of\n"
    "zombies and kernel threads.\n"
    "Absent values are\n"
    ".Li -\n"
    "in text, null in JSON and empty in CSV; a sum in which some rows lack\n"
    "the value is marked\n"
    ".Li \\(>= .\n"
    ".Ss Classes\n"
    ".Bl -tag -width counter -compact\n"
    ".It counter\n"
    "only grows; what matters is the difference of two samples.\n"
    "One that is said to wrap at 32 bits starts again at 0 when that is full;\n"
    "any other that goes back was reset, and counts nothing in that tick\n"
    ".It gauge\n"
    "a level at the instant of the sample\n"
    ".It peak\n"
    "the highest level that there ever was, kept by the kernel\n"
    ".It state\n"
    "a number that names something\n"
    ".It text\n"
    "a text; bytes as the kernel has them\n"
    ".El\n"
    ".Ss Units\n"
    "Values are stored as whole numbers of the unit that is given.\n"
    "JSON and CSV show base units: bytes, seconds, percent, plain numbers.\n"
    ".Bl -tag -width \"Mbit/s\" -compact\n";

static const char middle[] =
    ".El\n"
    ".Ss Putting together\n"
    "Of several rows, of one host or of many, there is shown the\n"
    ".Em sum ,\n"
    "the highest\n"
    ".Pq Em max ,\n"
    "the most frequent\n"
    ".Pq Em mode ,\n"
    "the lowest and the highest\n"
    ".Pq Em range ,\n"
    "the\n"
    ".Em last ,\n"
    "all that are in any of the lists\n"
    ".Pq Em CPUs ,\n"
    "or\n"
    ".Em none .\n"
    ".Ss Remarks\n"
    ".Bl -tag -width Ds -compact\n";

static const char tail[] =
    ".Sh SEE ALSO\n"
    ".Xr gpsnap 1 ,\n"
    ".Xr gpsnap-metrics 1 ,\n"
    ".Xr gpsnap-record 1 ,\n"
    ".Xr gpsnap-replay 1 ,\n"
    ".Xr gpsnap-archive 5 ,\n"
    ".Xr proc 5\n";

/* Flags in words, and what they mean. */
static const struct {
	unsigned flag;
	const char *name;
	const char *meaning;
} flags[] = {
	{ F_ID, "identity", "part of what makes the row itself; a row in which "
	    "it changes is another row" },
	{ F_BIRTH, "birth", "when it started, on the clock that began when the "
	    "host was booted" },
	{ F_FACT, "fact", "about the thing, not about the interval" },
	{ F_SIGNED, "signed", "may be negative" },
	{ F_MAIN, "main thread only", "what the process's other threads do is "
	    "not in it" },
	{ F_REAPED, "includes reaped children", "when a child has ended and "
	    "was waited for, all that the child ever did is added to its "
	    "parent's; see exited children in gpsnap-replay(1)" },
	{ F_SAMEUID, "same user only", "read for processes of the agent's own "
	    "user, and for all by root" },
	{ F_ROOT, "root only", "read by root only, on hardened kernels" },
	{ F_OPT, "on request", "recorded if gpsnap record --with asks for it, "
	    "since it costs more" },
	{ F_SECRET, "may hold passwords", "mind who gets the file" },
	{ F_MAX, "limit", "max is no limit" },
	{ F_TURN, "by turns", "read within 10 s, or ten ticks if these take "
	    "longer, but within 60 s or one tick" },
	{ F_SELDOM, "seldom", "what others change while the process sleeps is "
	    "shown within 60 s, or thirty ticks if these take longer, but within "
	    "150 s or one tick; memory that the kernel reclaims, at once" },
	{ F_LATE, "late", "while the process runs it is read by turns, too, within "
	    "30 s, or thirty ticks if these take longer, but within 60 s or one "
	    "tick; at once if page faults, its sizes, its program or memory "
	    "that was reclaimed show that it may have changed; a figure of the "
	    "host, as soon as an interface counts packets" },
	{ F_RETIRED, "retired", "in old recordings only" },
};

#define N_FLAGS (sizeof(flags) / sizeof(flags[0]))

/* Text that mdoc takes as it is: nothing in it is a request or an escape. */
static void put_text(FILE *f, const char *s)
{
	if (*s == '.' || *s == '\'')
		(void)fputs("\\&", f);
	for (; *s; s++) {
		if (*s == '\\')
			(void)fputs("\\e", f);
		else
			(void)fputc(*s, f);
	}
}

static void put_line(FILE *f, const char *s)
{
	put_text(f, s);
	(void)fputc('\n', f);
}

/* One step of a unit in its base unit. */
static void put_step(FILE *f, double step, const char *base)
{
	if (step >= 1 && step <= 1)
		(void)fprintf(f, "%s\n", base);
	else
		(void)fprintf(f, "%.9g%s%s\n", step, *base ? " " : "", base);
}

static void put_units(FILE *f)
{
	int u;

	for (u = 0; u < UNIT_COUNT_; u++) {
		const char *name = unit_name((enum unit_id)u);
		const char *base = unit_base_name((enum unit_id)u);
		struct unit_env env = UNIT_ENV_INIT;

		if (*name == '\0')
			continue;
		(void)fprintf(f, ".It %s\n", name);
		if (u == UNIT_TICKS)
			(void)fputs("1 / host.clock_ticks seconds, mostly "
			    "1/100\n", f);
		else if (u == UNIT_PAGES)
			(void)fputs("host.page_size bytes, mostly 4096\n", f);
		else
			put_step(f, unit_to_base((enum unit_id)u, 1, &env),
			    base);
	}
}

static void put_flags(FILE *f)
{
	size_t i;

	for (i = 0; i < N_FLAGS; i++) {
		(void)fprintf(f, ".It %s\n", flags[i].name);
		put_line(f, flags[i].meaning);
	}
	(void)fputs(".El\n", f);
}

/* "counter, KiB, sum, wraps at 32 bits; main thread only" */
static void put_properties(FILE *f, const struct metric *m)
{
	const char *unit = unit_name((enum unit_id)m->unit);
	const char *mark = "; ";
	size_t i;

	(void)fprintf(f, "%s", metric_class_name((enum metric_class)m->cls));
	if (*unit)
		(void)fprintf(f, ", in %s", unit);
	(void)fprintf(f, ", %s", m->agg == AGG_CPUS ? "CPUs"
	    : metric_agg_name((enum metric_agg)m->agg));
	if (m->bits == 32)
		(void)fputs(", wraps at 32 bits", f);
	for (i = 0; i < N_FLAGS; i++) {
		if (!(m->flags & flags[i].flag))
			continue;
		(void)fprintf(f, "%s%s", mark, flags[i].name);
		mark = ", ";
	}
	(void)fputc('\n', f);
}

static void put_kernel(FILE *f, const char *kernel)
{
	if (*kernel)
		(void)fprintf(f, "; needs Linux: %s", kernel);
}

/* "from stat field 10", "from status: VmPeak; needs Linux: 4.5" */
static void put_origin(FILE *f, const struct metric *m)
{
	const char *path = metric_source_path((enum metric_source)m->source);

	(void)fputs("from ", f);
	put_text(f, path);
	if (*path && *m->field)
		(void)fputs(strncmp(m->field, "field ", 6) == 0 ? " " : ": ",
		    f);
	put_text(f, m->field);
	put_kernel(f, needs_of_metric(m));
	(void)fputc('\n', f);
}

static void put_metric(FILE *f, const struct metric *m)
{
	(void)fprintf(f, ".It Sy %s Pq No %u\n", m->name, (unsigned)m->id);
	put_line(f, m->help);
	(void)fputs(".br\n", f);
	put_properties(f, m);
	(void)fputs(".br\n", f);
	put_origin(f, m);
}

static void put_entity(FILE *f, const struct entity *e)
{
	unsigned i;

	(void)fprintf(f, ".Ss %s (%u)\n", e->name, (unsigned)e->id);
	put_text(f, e->help);
	(void)fprintf(f, ";\nview\n.Cm %s .\n", e->plural);
	if (e->has_birth)
		(void)fputs("It has a start: one that started after the "
		    "sample before is counted from 0.\n", f);
	(void)fputs(".Pp\n.Bl -tag -width Ds -compact\n", f);
	for (i = 0; i < e->ncols; i++)
		put_metric(f, &e->metrics[i]);
	(void)fputs(".El\n", f);
}

static bool put_page(FILE *f)
{
	int e;

	(void)fputs(head, f);
	put_units(f);
	(void)fputs(middle, f);
	put_flags(f);
	(void)fputs(".Sh METRICS\n"
	    "Files without a leading slash are below\n"
	    ".Pa /proc ,\n"
	    "those of a process below\n"
	    ".Pa /proc/<pid> .\n"
	    "After\n"
	    ".Dq needs Linux\n"
	    "stand the first version after 3.10, options that the kernel was\n"
	    "built with, without CONFIG_, and settings.\n", f);
	for (e = 0; e < ENTITY_COUNT; e++)
		put_entity(f, entity_get((enum entity_id)e));
	(void)fputs(tail, f);
	return !ferror(f);
}

int main(int argc, char **argv)
{
	FILE *f;
	bool ok;

	if (argc != 2) {
		(void)fputs("usage: metrics_man FILE\n", stderr);
		return 64;
	}
	f = fopen(argv[1], "w");
	if (!f) {
		perror(argv[1]);
		return 2;
	}
	ok = put_page(f);
	if (fclose(f) != 0 || !ok) {
		perror(argv[1]);
		return 2;
	}
	return 0;
}
