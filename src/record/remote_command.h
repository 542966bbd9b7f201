/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote_command.h - the command that reaches another host.
 *
 * A template is split into words once, at blanks and without a shell; '…'
 * and "…" keep blanks within a word.  {host} within a word becomes the host;
 * the word {agent} becomes the command to run there.
 */
#ifndef GS_RECORD_REMOTE_COMMAND_H
#define GS_RECORD_REMOTE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* A separate connection (ControlPath=none): a shared one would end with the
 * user's session, or keep that from ending, and a service may not write to
 * ~/.ssh. */
#define REMOTE_COMMAND_DEFAULT \
	"ssh -T -o BatchMode=yes -o ControlPath=none -o ConnectTimeout=10 " \
	"-o ServerAliveInterval=15 -o ServerAliveCountMax=3 {host} {agent}"

struct remote_command {
	char **word;
	size_t n, cap;
	bool has_agent; /* else the command itself starts an agent */
};

#define REMOTE_COMMAND_INIT { 0 }

/* Only splits it into words; GS_E_USAGE if a quote is not closed. */
int remote_command_split(
    struct remote_command *c, const char *text, struct gs_err *err);

/* GS_E_USAGE if there are no words, no {host}, or a quote is not closed. */
int remote_command_parse(
    struct remote_command *c, const char *text, struct gs_err *err);
void remote_command_release(struct remote_command *c);

/* The argument vector for a host, NULL-terminated; the caller frees it. */
char **remote_command_argv(const struct remote_command *c, const char *host,
	const char *agent);
void remote_command_argv_free(char **argv);

/* GS_E_USAGE if the name is not a host's (a leading dash would make it an
 * option). */
int remote_command_check_host(const char *host, struct gs_err *err);

#endif
