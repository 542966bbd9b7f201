/*
 * carrier.h - the command that reaches another host.
 *
 * A template is split into words once, at blanks and without any shell; '…'
 * and "…" keep blanks within a word.  {host} within a word becomes the host;
 * the word {agent} becomes what is to run there.
 */
#ifndef GS_RECORD_CARRIER_H
#define GS_RECORD_CARRIER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* A connection of its own: one that is shared with somebody's session ends with
 * it, or keeps it from ending, and a service may not write to ~/.ssh. */
#define CARRIER_DEFAULT \
	"ssh -T -o BatchMode=yes -o ControlPath=none -o ConnectTimeout=10 " \
	"-o ServerAliveInterval=15 -o ServerAliveCountMax=3 {host} {agent}"

struct carrier {
	char **word;
	size_t n, cap;
	bool has_agent; /* else the command itself starts an agent */
};

#define CARRIER_INIT { 0 }

/* GS_E_USAGE if there are no words, no {host}, or a quote is not closed. */
int carrier_parse(struct carrier *c, const char *text, struct gs_err *err);
void carrier_release(struct carrier *c);

/* The argument vector for a host, NULL-terminated; the caller's. */
char **carrier_argv(const struct carrier *c, const char *host,
	const char *agent);
void carrier_argv_free(char **argv);

/* GS_E_USAGE if the name could be anything but a host's (a leading dash
 * would make an option of it). */
int carrier_check_host(const char *host, struct gs_err *err);

#endif
