/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tui_keys.c - CPU time of each key of the tui on a recording, without a
 * terminal: the key, its work, and the screen as text.
 *
 *   tui_keys FILE [COLUMNS LINES [VIEW[ TEST]...]]
 *
 * The first screen and the line of time; then every key, alone, at many times of the
 * recording, forward and back.  One line each: key, times, median and highest CPU
 * in ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "replay/archive.h"
#include "tui/keys.h"
#include "tui/tui.h"

#define TIMES 40
#define SEARCHES 3 /* of the whole recording */
#define ESC "\033"

struct bench {
	struct archive *archive;
	struct tui_source source;
	struct tui *tui;
	struct screen screen;
	size_t width, height;
};

/* Each key alone is typed TIMES times.  Uncounted: before, once; first, before each
 * time; after, after it. */
static const struct {
	const char *view, *name, *before, *first, *keys, *after;
} tests[] = {
	{ "overview", "t", "", "", "t", "" },
	{ "overview", "T", "", "", "T", "" },
	{ "sessions", "t", "", "", "t", "" },
	{ "sessions", "T", "", "", "T", "" },
	{ "sessions", "]", "", "", "]", "" },
	{ "sessions", "[", "", "", "[", "" },
	{ "sessions", "{", "", "", "{", "" },
	{ "sessions", "(", "", "", "(", "" },
	{ "sessions", "b", "", "b03:00\r", "b12:00\r", "" },
	{ "sessions", "T, window of 5m", "++", "", "T", "" },
	{ "sessions", "T, window of 1 tick", "----", "", "T", "" },
	{ "sessions", "Enter", "", "", "\r", ESC },
	{ "sessions", "Esc", "", "\r", ESC, "" },
	{ "sessions", "r", "", "", "r", "" },
	{ "sessions", "a", "", "", "a", "" },
	{ "sessions", "j", "", "", "j", "" },
	{ "sessions", "&", "", "", "&\x15" "cpu > 1\r", "&\x15\r" },
	{ "sessions", "/", "", "", "/sid\r", "" },
	{ "sessions", "C", "", "", "C", ESC },
	{ "sessions", "x", "", "", "x", ESC },
	{ "sessions", "Y", "", "", "Y", "" },
	{ "sessions", "d", "", "", "d", ESC },
	{ "sessions", "W", "", "", "W\x15" "1m,5m\r", "W\x15\r" },
	{ "sessions", "D", "", "", "D\x15" "-10m\r", "D\x15\r" },
	{ "sessions", "D, then T", "D\x15" "-10m\r", "", "T", "" },
	{ "sessions", ":", "", "", ":group-by user\r", ":group-by\r" },
	{ "sessions", "F", "", "", "F\x15" "session.cpu > 90\r", ESC },
	{ "sessions", "m", "", "", "m", "" },
	{ "sessions", "!", "", "", "!", ESC },
	{ "tree", "e", "", "", "e", "e" },
	{ "tree", "e, back", "", "e", "e", "" },
	{ "tree", "Enter", "e", "", "\r", ESC },
	{ "tree", "Esc", "e", "\r", ESC, "" },
	{ "tree", "o", "e", "", "o", "" },
	{ "tree", "O", "e", "", "O", "" },
	{ "tree", "j", "e", "", "j", "" },
	{ "tree", "T", "e", "", "T", "" },
	{ "tree", "r", "e", "", "r", "" },
	{ "queries", "T", "", "", "T", "" },
	{ "queries", "D", "", "", "D\x15" "-10m\r", "D\x15\r" },
	{ "processes", "T", "", "", "T", "" },
	{ "processes", "T, window of 5m", "++", "", "T", "" },
	{ "processes", "d", "", "", "d", ESC },
	{ "processes", "D", "", "", "D\x15" "-10m\r", "D\x15\r" },
	{ "hosts", "T", "", "", "T", "" },
	{ "overview", "Tab", "", "", "\t", "" },
};

static double cpu_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts); /* there is one */
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void type(struct bench *b, const char *keys)
{
	for (; *keys; keys++) {
		tui_key(b->tui, (unsigned char)*keys);
		/* what follows is typed when it is shown */
		if (*keys == '\r' && keys[1])
			tui_paint(b->tui, &b->screen, b->width, b->height);
	}
	tui_paint(b->tui, &b->screen, b->width, b->height);
}

static int compare(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* The view that a test begins in. */
static const char *view_of(const char *name)
{
	return strcmp(name, "tree") == 0 ? "sessions" : name;
}

/* Ten minutes earlier, whatever is typed. */
static int baseline(void *ctx, const char *text, const struct range *of,
	struct range *ret, struct gs_err *err)
{
	const int64_t back = 600 * GS_NSEC_PER_SEC;

	(void)ctx;
	(void)text;
	(void)err;
	*ret = (struct range) { of->from_ns - back, of->to_ns - back, 0 };
	return GS_OK;
}

static int begin(struct bench *b, const char *view)
{
	struct tui_options o = { .words = { .view = view,
		.wait = WAIT_ASK_INIT }, .from_ns = INT64_MIN,
		.to_ns = b->source.first_ns + (b->source.last_ns -
		    b->source.first_ns) / 2, .utf8 = true };
	struct gs_err err;

	tui_free(b->tui);
	b->tui = NULL;
	if (tui_new(&o, &b->source, &b->tui, &err) == GS_OK)
		return 0;
	(void)fprintf(stderr, "tui_keys: %s\n", err.msg);
	return 2;
}

static int run(struct bench *b, size_t i)
{
	size_t times = strcmp(tests[i].name, "F") == 0 ? SEARCHES : TIMES, k;
	double took[TIMES], from;

	if (begin(b, view_of(tests[i].view)) != 0)
		return 2;
	type(b, tests[i].before);
	for (k = 0; k < times; k++) {
		type(b, tests[i].first);
		from = cpu_ms();
		type(b, tests[i].keys);
		took[k] = cpu_ms() - from;
		type(b, tests[i].after);
	}
	qsort(took, times, sizeof(took[0]), compare);
	(void)printf("%s\t%s\t%zu\t%.1f\t%.1f\n", tests[i].view,
	    tests[i].name, times, took[times / 2], took[times - 1]);
	return 0;
}

/* The screen before any key, then the line of time in its idle steps. */
static int run_idle(struct bench *b)
{
	double from = cpu_ms(), start, most = 0;
	size_t steps = 0;
	bool busy = true;

	if (begin(b, "overview") != 0)
		return 2;
	type(b, "");
	(void)printf("overview\tfirst screen\t1\t%.1f\t%.1f\n",
	    cpu_ms() - from, cpu_ms() - from);
	start = cpu_ms();
	for (; busy; steps++) {
		from = cpu_ms();
		(void)tui_idle(b->tui, 0, &busy);
		most = cpu_ms() - from > most ? cpu_ms() - from : most;
	}
	(void)printf("line of time\tidle step\t%zu\t%.1f\t%.1f\n", steps,
	    (cpu_ms() - start) / (double)steps, most);
	(void)printf("line of time\tall of it\t1\t%.1f\t%.1f\n",
	    cpu_ms() - start, cpu_ms() - start);
	return 0;
}

/* "processes" is all of a view, "processes T" one of its tests. */
static bool is_asked(size_t i, char **argv, int argc)
{
	size_t view = strlen(tests[i].view);
	int k;

	for (k = 4; k < argc; k++) {
		if (strncmp(argv[k], tests[i].view, view) == 0 &&
		    (argv[k][view] == '\0' || strcmp(argv[k] + view + 1,
		    tests[i].name) == 0))
			return true;
	}
	return argc <= 4;
}

int main(int argc, char **argv)
{
	struct bench b = { .width = 80, .height = 24 };
	struct gs_err err;
	int status = 0;
	size_t i;

	if (argc < 2) {
		(void)fprintf(stderr, "usage: tui_keys FILE "
		    "[COLUMNS LINES [VIEW[ TEST]...]]\n");
		return 64;
	}
	if (argc > 3) {
		b.width = (size_t)atoi(argv[2]);
		b.height = (size_t)atoi(argv[3]);
	}
	if (archive_open(argv + 1, 1, &b.archive, &err) < 0) {
		(void)fprintf(stderr, "tui_keys: %s\n", err.msg);
		return 2;
	}
	b.source = (struct tui_source) { .name = argv[1], .zone = ZONE_UTC,
		.cursor = archive_cursor(b.archive), .baseline = baseline,
		.interval_ns = archive_header(b.archive)->interval_ns };
	(void)archive_range(b.archive, &b.source.first_ns,
	    &b.source.last_ns);
	if (argc <= 4)
		status = run_idle(&b);
	for (i = 0; status == 0 && i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (is_asked(i, argv, argc))
			status = run(&b, i);
	}
	tui_free(b.tui);
	screen_release(&b.screen);
	archive_free(b.archive);
	return status;
}
