/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpsnap-heap - reads the counters of jemalloc in other processes, for the
 * agent, over stdin and stdout.
 *
 * A program of its own, so that the agent stays static and needs no right to
 * trace.  It ends with its standard input.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/io.h"
#include "heap/calibrate.h"
#include "heap/visit.h"

#define EXIT_FATAL 2
#define EXIT_USAGE_ 64
#define READ_BYTES 4096u
#define LATE_MS 10 /* between looks at threads that did not stop in time */

static const char help[] =
    "usage: gpsnap-heap [--version] [--help]\n"
    "\n"
    "Reads the counters of jemalloc in the processes that gpsnap-agent names\n"
    "on standard input; exits at its end.  See gpsnap-heap(1).\n";

static int answer_line(struct visitor *v, struct span line, struct buf *out)
{
	struct heap_request r;
	int e;

	if (!heapline_request(line, &r)) {
		(void)fprintf(stderr, "gpsnap-heap: a line that is not "
		    "\"PID START NAMED\"\n");
		return EXIT_USAGE_;
	}
	buf_reset(out);
	visit(v, &r, out);
	e = io_write_all(STDOUT_FILENO, out->ptr, out->len);
	return e == 0 ? 0 : EXIT_FATAL; /* nobody reads it any more */
}

static int answer_all(struct visitor *v, struct buf *in, struct buf *out)
{
	struct span rest = span_of(in->ptr, in->len), line;
	int status = 0;

	while (status == 0 && scan_until(&rest, '\n', &line)) {
		status = answer_line(v, line, out);
		attach_settle(&v->late);
	}
	if (span_len(rest) >= HEAP_LINE_MAX)
		return EXIT_USAGE_;
	memmove(in->ptr, rest.ptr, span_len(rest));
	in->len = span_len(rest);
	return status;
}

/* Waits for requests, and for threads to stop that are still attached. */
static void wait_input(struct visitor *v)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	while (v->late.n > 0 && poll(&p, 1, LATE_MS) == 0)
		attach_settle(&v->late);
}

static int serve(void)
{
	struct visitor v;
	struct buf in = BUF_INIT, out = BUF_INIT;
	int status = 0;

	visitor_init(&v);
	while (status == 0) {
		ssize_t n;

		wait_input(&v);
		n = read(STDIN_FILENO, buf_reserve(&in, READ_BYTES),
		    READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break; /* what is attached is let go by the kernel */
		in.len += (size_t)n;
		status = answer_all(&v, &in, &out);
	}
	visitor_release(&v);
	buf_release(&in);
	buf_release(&out);
	return status;
}

static int print(const char *text)
{
	return fputs(text, stdout) < 0 || fflush(stdout) != 0 ? EXIT_FATAL : 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--calibrate") == 0)
		return calibrate_main();
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return print("gpsnap-heap " GS_VERSION "\n");
	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return print(help);
	if (argc > 1) {
		(void)fputs(help, stderr);
		return EXIT_USAGE_;
	}
	/* libdw would ask a server for what is not there */
	(void)unsetenv("DEBUGINFOD_URLS");
	(void)signal(SIGPIPE, SIG_IGN);
	/* if it is killed with us, we are not needed; that the exec of a file
	 * with capabilities cleared this is why it is set here, too */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	return serve();
}
