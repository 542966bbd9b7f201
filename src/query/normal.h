/* SPDX-License-Identifier: Apache-2.0 */
/*
 * normal.h - names that differ only in numbers and identifiers, as one class:
 * kworker/0:1 and kworker/3:2 are kworker/{N}:{N}.
 *
 * Two hosts, or one host before and after a restart, run the same program under
 * other names: other threads of a pool, pods, instances of a service, process
 * numbers.  A class has what such names share.  By it rows of two recordings
 * are compared, and threads of one pool summed up.
 *
 * A name is split into tokens at . - _ / : @ + [ ] and blanks.  In titles of
 * processes also ( ) , # = are between tokens.
 *
 *	token                              becomes     e.g.
 *	digits                             {N}         3
 *	hexadecimal digits, two or more,   {H}         7f3a
 *	of which one is decimal
 *	other characters, then digits      prefix{N}   Thread#3, u8
 *	digits, then other characters      {N}suffix   1H
 *
 * Before that, as one: {UUID} (also after pod, and with _ in place of -);
 * in cgroups the instance of a systemd unit, x@{I}.service; in titles what
 * follows "autovacuum worker" or "walsender", {I}.
 *
 * A class of one name is shown by that name.  In a cgroup, each place where all
 * names of the class have the same text keeps that text.  So a class looks the
 * same whatever the order of the names, and it depends on all of them: add the
 * names of both sides before the first normal_name().
 *
 * Use: normal_new(), normal_flatten(), normal_add() for all names,
 * normal_name(), normal_free().  Time is proportional to the length of the
 * names.  Memory: one name per class, and at most NORMAL_CLASSES_MAX classes;
 * names of further classes stay as they are, and so do names longer than
 * NORMAL_NAME_MAX.
 */
#ifndef GS_QUERY_NORMAL_H
#define GS_QUERY_NORMAL_H

#include <stdbool.h>

#include "base/err.h"
#include "base/scan.h"

#define NORMAL_NAME_MAX 4096
#define NORMAL_CLASSES_MAX 1000000
#define NORMAL_GLOBS_MAX 64
#define NORMAL_GLOB_LEN_MAX 256

enum normal_kind {
	NORMAL_NONE, /* each name is its own class: only globs */
	NORMAL_COMMAND, /* a command, a thread */
	NORMAL_CGROUP, /* a path of cgroups */
	NORMAL_TITLE /* the title of a process */
};

/* The kind of the names of a key, such as "command"; NORMAL_NONE: no classes are
 * made of them. */
enum normal_kind normal_kind_of(const char *key);

struct normal;

struct normal *normal_new(enum normal_kind kind);
void normal_free(struct normal *n);

/* Whatever name glob matches becomes glob itself, and is in no other class.
 * * and ? also match a /.  The first of several globs counts.  Before the first
 * name.  GS_E_USAGE: empty, too long, too many. */
int normal_flatten(struct normal *n, const char *glob, struct gs_err *err);

/* A name that exists.  The same name any number of times. */
void normal_add(struct normal *n, struct span name);

/* Forgets all names; globs stay. */
void normal_clear(struct normal *n);

/* What the name is shown as.  A name that was not added, of a class with one
 * name, is shown as that.  Valid until the next call with n. */
const char *normal_name(struct normal *n, struct span name);

/* The class, which is the same for all its names and does not depend on which
 * were added.  Valid until the next call with n. */
const char *normal_class(struct normal *n, struct span name);

/* What the names of a class, as normal_class() gave it, are shown as.  Valid
 * until the next call with n. */
const char *normal_shown(struct normal *n, const char *of_class);

/* How an owner of a normal names rows. */
struct normal_ask {
	bool on; /* names are put into classes */
	const char *const *glob; /* of cgroups; not owned */
	size_t n_glob;
};

#endif
