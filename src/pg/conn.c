/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conn.c - see conn.h.
 *
 * libpq's sockets never block, and libpq reads all available data; but
 * PQconnectPoll() must not be called before the socket is ready, since it
 * would take a pending connection for an established one.
 */
#include "pg/conn.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/scan.h"
#include "pg/cancel.h"
#include "pg/libpq.h"

#define REACH_NS (10 * GS_NSEC_PER_SEC) /* until the host answers */
#define HUNG_NS (5 * GS_NSEC_PER_SEC)
#define CANCEL_AGAIN_NS (30 * GS_NSEC_PER_SEC)

/* libpq reports its attempts on several lines, one for each address, and
 * servers add details; the last failure counts.
 *   connection to server at "::1", port 5432 failed: Connection refused
 *           Is the server running on that host and accepting ...?
 *   connection to server at "127.0.0.1", port 5432 failed: FATAL:  ... */
void conn_one_line(const char *message, char ret[CONN_WHY_MAX])
{
	struct span s = span_str(message), line, best = span_str("");
	size_t len;

	while (scan_line(&s, &line)) {
		if (span_empty(line) || *line.ptr == '\t' ||
		    span_starts(line, "DETAIL:") ||
		    span_starts(line, "HINT:"))
			continue;
		if (span_empty(best) ||
		    memmem(line.ptr, span_len(line), "failed: ", 8))
			best = line;
	}
	len = GS_MIN(span_len(best), (size_t)CONN_WHY_MAX - 1);
	memcpy(ret, best.ptr, len);
	ret[len] = '\0';
}

/* A server's message before it ends the connection is not an answer: libpq
 * calls it a notice. */
static void keep_notice(void *arg, const PGresult *r)
{
	struct conn *c = arg;
	const char *severity = PQresultErrorField(r,
	    PG_DIAG_SEVERITY_NONLOCALIZED); /* from 9.6 on */
	const char *message = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);

	if (!severity)
		severity = PQresultErrorField(r, PG_DIAG_SEVERITY);
	if (message && severity && strcmp(severity, "FATAL") == 0)
		conn_one_line(message, c->why);
}

/* A server sees the user that made its peer's socket.  This changes the user of
 * the calling thread alone; setresuid() of libc changes all threads. */
static void become(uint32_t uid)
{
	(void)syscall(SYS_setresuid, -1L, (long)uid, -1L);
}

/* Without libpq the server counts as down: a later attempt may load it. */
static bool may_connect(struct conn *c)
{
	struct gs_err err;

	if (libpq_choose(&err) == GS_OK)
		return true;
	(void)snprintf(c->why, sizeof(c->why), "%s", err.msg); /* or cut */
	return false;
}

void conn_open(struct conn *c, const char *const *keys,
	const char *const *values, uint32_t as_uid, int64_t now_ns)
{
	conn_close(c);
	c->as_uid = as_uid;
	c->state = CONN_CONNECTING;
	c->since_ns = now_ns;
	c->hung_reported = false;
	c->pid = 0;
	c->why[0] = '\0';
	c->poll = PGRES_POLLING_WRITING;
	if (!may_connect(c))
		return;
	if (as_uid)
		become(as_uid);
	c->pg = PQconnectStartParams(keys, values, 0);
	if (as_uid)
		become(0);
	if (c->pg)
		(void)PQsetNoticeReceiver(c->pg, keep_notice, c);
}

void conn_close(struct conn *c)
{
	PQclear(c->result);
	c->result = NULL;
	PQfinish(c->pg);
	c->pg = NULL;
	cancel_free(c->cancel);
	c->cancel = NULL;
	c->state = CONN_CLOSED;
}

static enum conn_step lost(struct conn *c)
{
	if (c->why[0] == '\0')
		conn_one_line(c->pg ? PQerrorMessage(c->pg) : "out of memory",
		    c->why);
	if (c->why[0] == '\0')
		conn_one_line("connection lost", c->why);
	conn_close(c);
	return CONN_LOST;
}

static bool is_ready(const struct conn *c)
{
	struct pollfd p = { .fd = PQsocket(c->pg), .events =
	    c->poll == PGRES_POLLING_READING ? POLLIN : POLLOUT };

	return p.fd < 0 || poll(&p, 1, 0) != 0;
}

static enum conn_step hung(struct conn *c, int64_t now_ns, int64_t since_ns)
{
	if (c->hung_reported || now_ns - since_ns < HUNG_NS)
		return CONN_NOTHING;
	c->hung_reported = true;
	return CONN_HUNG;
}

static enum conn_step advance_connecting(struct conn *c, int64_t now_ns)
{
	if (!c->pg || PQstatus(c->pg) == CONNECTION_BAD)
		return lost(c);
	while (is_ready(c)) {
		if (c->as_uid)
			become(c->as_uid);
		c->poll = PQconnectPoll(c->pg);
		if (c->as_uid)
			become(0);
		if (c->poll == PGRES_POLLING_FAILED)
			return lost(c);
		if (c->poll != PGRES_POLLING_OK)
			continue;
		(void)PQsetnonblocking(c->pg, 1); /* fails on invalid ones only */
		c->pid = PQbackendPID(c->pg);
		c->state = CONN_READY;
		return CONN_OPENED;
	}
	if (PQstatus(c->pg) == CONNECTION_STARTED &&
	    now_ns - c->since_ns >= REACH_NS) {
		conn_one_line("the host does not answer", c->why);
		return lost(c);
	}
	return hung(c, now_ns, c->since_ns);
}

void conn_ask(struct conn *c, const char *sql, int64_t now_ns,
	int64_t deadline_ns)
{
	PQclear(c->result);
	c->result = NULL;
	c->since_ns = now_ns;
	c->deadline_ns = deadline_ns;
	c->hung_reported = false;
	c->state = CONN_BUSY;
	/* a failure to send shows when the answer is read */
	c->unsent = PQsendQuery(c->pg, sql) == 1;
}

/* Reads the available data.  1: the statement is answered, 0: not yet, -1: the
 * connection is lost. */
static int receive(struct conn *c)
{
	if (c->unsent) {
		int r = PQflush(c->pg);

		if (r < 0)
			return -1;
		c->unsent = r == 1;
	}
	if (!PQconsumeInput(c->pg))
		return -1;
	while (!PQisBusy(c->pg)) {
		PGresult *r = PQgetResult(c->pg);

		if (!r)
			return !c->result ||
			    PQstatus(c->pg) == CONNECTION_BAD ? -1 : 1;
		if (c->result)
			PQclear(r);
		else
			c->result = r;
	}
	return 0;
}

/* The server's last message, if there is one. */
static enum conn_step lost_busy(struct conn *c)
{
	const char *message = c->result ? PQresultErrorField(c->result,
	    PG_DIAG_MESSAGE_PRIMARY) : NULL;

	if (message)
		conn_one_line(message, c->why);
	return lost(c);
}

static void cancel(struct conn *c, int64_t now_ns)
{
	c->cancel_ns = now_ns + CANCEL_AGAIN_NS;
	if (c->cancel && !cancel_is_done(c->cancel))
		return; /* one at a time is enough */
	cancel_free(c->cancel);
	c->cancel = cancel_start(c->pg);
}

void conn_cancel(struct conn *c)
{
	if (c->state != CONN_BUSY)
		return;
	c->state = CONN_CANCELLING;
	cancel(c, gs_clock_mono_ns());
}

static enum conn_step advance_busy(struct conn *c, int64_t now_ns)
{
	int r = receive(c);

	if (r < 0)
		return lost_busy(c);
	if (r > 0) {
		bool late = c->state == CONN_CANCELLING;

		c->state = CONN_READY;
		c->answered_ns = now_ns;
		return late ? CONN_BACK : CONN_ANSWER;
	}
	if (c->state == CONN_BUSY) {
		if (now_ns < c->deadline_ns)
			return CONN_NOTHING;
		c->state = CONN_CANCELLING;
		cancel(c, now_ns);
		return CONN_TIMEOUT;
	}
	if (now_ns >= c->cancel_ns)
		cancel(c, now_ns);
	return hung(c, now_ns, c->deadline_ns);
}

/* Nothing is expected but the end; a message before it becomes a notice when
 * it is parsed. */
static enum conn_step advance_ready(struct conn *c)
{
	if (!PQconsumeInput(c->pg))
		return lost(c);
	(void)PQisBusy(c->pg); /* parses */
	return PQstatus(c->pg) == CONNECTION_BAD ? lost(c) : CONN_NOTHING;
}

enum conn_step conn_advance(struct conn *c, int64_t now_ns)
{
	switch (c->state) {
	case CONN_CLOSED:
		return CONN_NOTHING;
	case CONN_CONNECTING:
		return advance_connecting(c, now_ns);
	case CONN_READY:
		return advance_ready(c);
	case CONN_BUSY:
	case CONN_CANCELLING:
		return advance_busy(c, now_ns);
	}
	return CONN_NOTHING;
}

static int64_t due(const struct conn *c)
{
	int64_t hung_ns = INT64_MAX;

	if (!c->hung_reported)
		hung_ns = HUNG_NS + (c->state == CONN_CONNECTING
		    ? c->since_ns : c->deadline_ns);
	switch (c->state) {
	case CONN_CLOSED:
	case CONN_READY:
		break;
	case CONN_CONNECTING:
		if (!c->pg)
			return 0;
		return PQstatus(c->pg) == CONNECTION_STARTED
		    ? GS_MIN(hung_ns, c->since_ns + REACH_NS) : hung_ns;
	case CONN_BUSY:
		return c->deadline_ns;
	case CONN_CANCELLING:
		return GS_MIN(hung_ns, c->cancel_ns);
	}
	return INT64_MAX;
}

bool conn_wait(const struct conn *c, struct catalog_wait *ret,
	int64_t *due_ns)
{
	bool connecting = c->state == CONN_CONNECTING;

	*due_ns = GS_MIN(*due_ns, due(c));
	if (!c->pg || PQsocket(c->pg) < 0)
		return false;
	*ret = (struct catalog_wait) {
		.fd = PQsocket(c->pg),
		.readable = !connecting || c->poll == PGRES_POLLING_READING,
		.writable = connecting ? c->poll == PGRES_POLLING_WRITING
		                       : c->state != CONN_READY && c->unsent,
	};
	return true;
}

bool conn_is_superuser(const struct conn *c)
{
	const char *is = c->pg ? PQparameterStatus(c->pg, "is_superuser")
	                       : NULL;

	return is && strcmp(is, "on") == 0;
}

const char *conn_sqlstate(const PGresult *r)
{
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);

	return state ? state : "";
}
