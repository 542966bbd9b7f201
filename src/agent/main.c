/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpsnap-agent - samples this host for a recorder, over stdin and stdout.
 *
 * stdout is for answers only; fatal errors go to stderr.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/serve.h"

#define EXIT_FATAL 2
#define EXIT_USAGE_ 64
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

static int run(const char *dir, FILE *dump, int idle_ms)
{
	struct gs_err err = { 0 };
	struct sampler *s = sampler_new(dir, dump);
	int status = serve(s, STDIN_FILENO, STDOUT_FILENO, idle_ms, &err);

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
	long idle_s = 0;
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
			idle_s = strtol(optarg, NULL, 10);
		else if (c == OPT_REMOVE)
			remove_self();
		else if (c == OPT_VERSION)
			return print("gpsnap-agent " GS_VERSION "\n");
		else if (c == OPT_HELP)
			return print(help);
		else
			return EXIT_USAGE_;
	}
	if (idle_s < 0 || idle_s > IDLE_MAX_S) {
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
