/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpsnap-agent - samples this host for a recorder, over stdin and stdout.
 *
 * stdout is for answers only; fatal errors go to stderr.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agent/sampler.h"
#include "base/buf.h"
#include "base/io.h"
#include "base/scan.h"

#define EXIT_FATAL 2
#define EXIT_USAGE_ 64
#define READ_BYTES 4096u
/* The longest request; more is not from a recorder. */
#define REQUEST_MAX 65536u
#define IDLE_MAX_S (20 * 86400) /* in ms it is an int */

static const char help[] =
    "usage: gpsnap-agent [--root DIR] [--dump-reads FILE] [--preamble]\n"
    "                    [--idle SECONDS] [--remove-self]\n"
    "\n"
    "Answers requests of gpsnap on standard input; exits at its end.\n"
    "\n"
    "  --root DIR         read DIR/proc and DIR/sys\n"
    "  --dump-reads FILE  copy everything that is read to FILE\n"
    "  --preamble         say \"#gpsnap# ready\" before the first answer\n"
    "  --idle SECONDS     exit if no request comes within this time\n"
    "  --remove-self      remove this program's file and directory first\n"
    "  --version          print the version and exit\n"
    "  --help             print this and exit\n";

enum option_id { OPT_ROOT = 256, OPT_DUMP, OPT_PREAMBLE, OPT_IDLE,
	OPT_REMOVE, OPT_VERSION, OPT_HELP };

static const struct option options[] = {
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "dump-reads", required_argument, NULL, OPT_DUMP },
	{ "preamble", no_argument, NULL, OPT_PREAMBLE },
	{ "idle", required_argument, NULL, OPT_IDLE },
	{ "remove-self", no_argument, NULL, OPT_REMOVE },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

/* Requests on stdin, answers on stdout. */
struct talk {
	struct wire_codec *codec;
	struct sampler *sampler;
	struct buf in, out;
};

static int send_all(const struct talk *t, struct gs_err *err)
{
	int e = io_write_all(STDOUT_FILENO, t->out.ptr, t->out.len);

	return e == 0 ? 0 : gs_fail_errno(err, e, "writing an answer");
}

static int answer_one(struct talk *t, size_t len, struct gs_err *err)
{
	struct request req;
	struct answer a;
	int status = wire_get_request(t->codec, t->in.ptr, len, &req, err);

	if (status < 0)
		return status;
	status = sampler_answer(t->sampler, &req, &a, err);
	if (status < 0)
		return status;
	buf_reset(&t->out);
	wire_put_answer(t->codec, &a, &t->out);
	return send_all(t, err);
}

/* Answers all complete requests. */
static int answer_all(struct talk *t, struct gs_err *err)
{
	while (t->in.len > 0) {
		int64_t len = wire_message_len(t->in.ptr, t->in.len, err);
		int status;

		if (len < 0)
			return (int)len;
		if (len == 0 && t->in.len > REQUEST_MAX)
			return gs_fail(err, GS_E_PROTOCOL,
			    "a request of more than %u bytes", REQUEST_MAX);
		if (len == 0)
			return 0;
		status = answer_one(t, (size_t)len, err);
		if (status < 0)
			return status;
		t->in.len -= (size_t)len;
		memmove(t->in.ptr, t->in.ptr + len, t->in.len);
	}
	return 0;
}

/* False if nothing came for idle_ms.  Other results of poll() are reported by
 * read(). */
static bool wait_input(int idle_ms)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return idle_ms < 0 || poll(&p, 1, idle_ms) != 0;
}

/* Returns 0 when the input ends, or if nothing comes for idle_ms (negative: no
 * limit).  A truncated or foreign request, or an output that fails, is an
 * error. */
static int serve(struct sampler *s, int idle_ms, struct gs_err *err)
{
	struct talk t = { .codec = wire_codec_new(), .sampler = s };
	int status = 0;

	while (status == 0) {
		char *to = buf_reserve(&t.in, READ_BYTES);
		ssize_t n;

		if (!wait_input(idle_ms))
			break;
		n = read(STDIN_FILENO, to, READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = gs_fail_errno(err, errno,
			    "reading a request");
		if (n <= 0)
			break;
		t.in.len += (size_t)n;
		status = answer_all(&t, err);
	}
	if (status == 0 && t.in.len > 0)
		status = gs_fail(err, GS_E_PROTOCOL,
		    "input ended within a request, after %zu bytes of it",
		    t.in.len);
	wire_codec_free(t.codec);
	buf_release(&t.in);
	buf_release(&t.out);
	return status;
}

static int run(const char *dir, FILE *dump, int idle_ms)
{
	struct gs_err err = { 0 };
	struct sampler *s = sampler_new(dir, dump);
	int status = serve(s, idle_ms, &err);

	sampler_free(s);
	if (status == 0)
		return 0;
	(void)fprintf(stderr, "gpsnap-agent: %s\n", err.msg);
	return EXIT_FATAL;
}

static int print(const char *text)
{
	return fputs(text, stdout) < 0 || fflush(stdout) != 0 ? EXIT_FATAL
	                                                      : 0;
}

/* For an agent that was copied here: a running program needs no file name.
 * The directory is removed only if it is empty. */
static void remove_self(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (unlink(path) < 0 || !slash || slash == path)
		return;
	*slash = '\0';
	(void)rmdir(path); /* it may have files of others */
}

int main(int argc, char **argv)
{
	const char *dir = "/", *dump_path = NULL;
	bool preamble = false;
	bool idle_ok = true;
	uint64_t idle_s = 0;
	FILE *dump = NULL;
	int c, status;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == OPT_ROOT)
			dir = optarg;
		else if (c == OPT_DUMP)
			dump_path = optarg;
		else if (c == OPT_PREAMBLE)
			preamble = true;
		else if (c == OPT_IDLE)
			idle_ok = span_u64(span_str(optarg), &idle_s);
		else if (c == OPT_REMOVE)
			remove_self();
		else if (c == OPT_VERSION)
			return print("gpsnap-agent " GS_VERSION "\n");
		else if (c == OPT_HELP)
			return print(help);
		else
			return EXIT_USAGE_;
	}
	if (!idle_ok || idle_s > IDLE_MAX_S) {
		(void)fprintf(stderr, "gpsnap-agent: --idle: expected 0 to "
		    "%d seconds\n", IDLE_MAX_S);
		return EXIT_USAGE_;
	}
	if (optind < argc) {
		(void)fprintf(stderr, "gpsnap-agent: unexpected argument "
		    "\"%s\"\n", argv[optind]);
		return EXIT_USAGE_;
	}
	if (dump_path) {
		dump = fopen(dump_path, "we");
		if (!dump) {
			(void)fprintf(stderr, "gpsnap-agent: %s: %s\n",
			    dump_path, strerror(errno));
			return EXIT_FATAL;
		}
	}
	/* started from a file in memory, it has the descriptor's name */
	(void)prctl(PR_SET_NAME, "gpsnap-agent"); /* a name as good as any */
	/* if the recorder is gone, write() fails */
	(void)signal(SIGPIPE, SIG_IGN);
	if (preamble && print("#gpsnap# ready\n") != 0)
		return EXIT_FATAL;
	status = run(dir, dump, idle_s > 0 ? (int)idle_s * 1000 : -1);
	if (dump && fclose(dump) != 0) {
		(void)fprintf(stderr, "gpsnap-agent: %s: %s\n", dump_path,
		    strerror(errno));
		status = EXIT_FATAL;
	}
	return status;
}
