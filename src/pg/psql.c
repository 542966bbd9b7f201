/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psql.c - see psql.h.  The functions behave as conn.c needs them to.
 *
 * The end of an answer is a line that psql echoes after the statement; all that
 * it wrote to its standard error before is there by then.
 */
#include "pg/psql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "pg/psql_int.h"

#define READ_BYTES ((size_t)64 << 10)
#define READS_MAX 64 /* of a call: the loop goes on */
#define ANSWER_MAX ((size_t)64 << 20)
#define ERRORS_MAX ((size_t)16 << 10) /* more is not kept */

/* Of the first answer; the names are of libpq's functions. */
static const char opening[] =
    "SELECT pg_backend_pid(),current_setting('is_superuser'),session_user,"
    "host(inet_server_addr())";

struct pg_conn {
	struct psql_child child;
	struct psql_token token;
	ConnStatusType status;
	struct buf to; /* statements, sent up to done */
	size_t done;
	struct buf in; /* of the answer that is coming in */
	size_t searched; /* no end begins before it */
	struct buf errors;
	bool asked; /* its answer is not complete */
	PGresult *answer; /* complete, not taken yet */
	char *host; /* as it was named; NULL */
	PGresult *self; /* the opening answer */
	struct buf message;
};

bool psql_is_here(void)
{
	struct buf path = BUF_INIT;
	bool is = psql_find(&path);

	buf_release(&path);
	return is;
}

/* ---- bytes ------------------------------------------------------------- */

/* The message is what psql said last, if it said something. */
static void broken(PGconn *c, const char *why)
{
	char state[6];

	c->status = CONNECTION_BAD;
	if (c->message.len > 0)
		return;
	psql_error_parse(span_of(buf_str(&c->errors), c->errors.len), state,
	    &c->message);
	if (c->message.len == 0)
		buf_add_str(&c->message, why);
}

static bool would_block(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void read_errors(PGconn *c)
{
	char bytes[4096];
	ssize_t n;

	while ((n = recv(c->child.errors, bytes, sizeof(bytes), 0)) > 0) {
		size_t room = ERRORS_MAX - c->errors.len;

		buf_add(&c->errors, bytes, GS_MIN((size_t)n, room));
	}
}

static int send_all(PGconn *c)
{
	while (c->done < c->to.len) {
		ssize_t n = send(c->child.fd, c->to.ptr + c->done,
		    c->to.len - c->done, MSG_NOSIGNAL);

		if (would_block(n))
			return 1;
		if (n < 0) {
			read_errors(c);
			broken(c, "psql is gone");
			return -1;
		}
		c->done += (size_t)n;
	}
	buf_reset(&c->to);
	c->done = 0;
	return 0;
}

/* At the end of the answer; the line itself is not part of it. */
static bool find_end(PGconn *c)
{
	char end[PSQL_TOKEN_LEN + 3];
	size_t len = sizeof(end) - 1;
	const char *at;

	memcpy(end, c->token.text, PSQL_TOKEN_LEN);
	memcpy(end + PSQL_TOKEN_LEN, "e\n", 3);
	at = c->in.len >= c->searched + len ? memmem(c->in.ptr + c->searched,
	    c->in.len - c->searched, end, len) : NULL;
	if (!at) {
		c->searched = c->in.len >= len ? c->in.len - len : 0;
		return false;
	}
	c->in.len = (size_t)(at - c->in.ptr);
	c->in.ptr[c->in.len] = '\0';
	return true;
}

static void take_answer(PGconn *c)
{
	read_errors(c);
	c->answer = psql_result_new(&c->in, &c->errors, &c->token);
	buf_reset(&c->errors);
	c->searched = 0;
	c->asked = false;
}

/* Reads what is there; false: the connection is lost. */
static bool pump(PGconn *c)
{
	int i;

	for (i = 0; i < READS_MAX && c->status != CONNECTION_BAD; i++) {
		ssize_t n = recv(c->child.fd, buf_reserve(&c->in, READ_BYTES),
		    READ_BYTES, 0);

		if (would_block(n))
			break;
		if (n <= 0) {
			read_errors(c);
			broken(c, "psql is gone");
			break;
		}
		c->in.len += (size_t)n;
		c->in.ptr[c->in.len] = '\0';
		if (c->asked && find_end(c))
			take_answer(c);
		else if (c->in.len > ANSWER_MAX || !c->asked)
			broken(c, c->asked ? "an answer longer than 64 MiB"
			                   : "psql spoke without being asked");
	}
	read_errors(c); /* psql must not wait until somebody does */
	return c->status != CONNECTION_BAD;
}

/* ---- connecting -------------------------------------------------------- */

static const char *value_of(const char *const *keys,
	const char *const *values, const char *key)
{
	size_t i;

	for (i = 0; keys[i]; i++) {
		if (strcmp(keys[i], key) == 0)
			return values[i];
	}
	return NULL;
}

/* What must not be seen in the arguments is left out, and keys that psql's libpq may
 * be too old to know. */
static void make_conninfo(struct buf *b, const char *const *keys,
	const char *const *values)
{
	static const char *const out[] = { "password", "sslpassword",
		"tcp_user_timeout" };
	size_t i, k;

	for (i = 0; keys[i]; i++) {
		for (k = 0; k < GS_LEN(out); k++) {
			if (strcmp(keys[i], out[k]) == 0)
				break;
		}
		if (values[i] && k == GS_LEN(out))
			psql_conninfo_add(b, keys[i], values[i]);
	}
}

static void ask(PGconn *c, const char *sql)
{
	buf_printf(&c->to, "%s\n;\n\\echo %se\n", sql, c->token.text);
	c->asked = true;
}

static void ask_first(PGconn *c)
{
	buf_printf(&c->to, "\\set VERBOSITY verbose\n\\pset footer off\n"
	    "\\pset format unaligned\n\\pset fieldsep_zero\n"
	    "\\pset recordsep %sr\n\\pset null %sn\n", c->token.text,
	    c->token.text);
	ask(c, opening);
}

static PGconn *start(const char *const *keys, const char *const *values,
	int expand)
{
	PGconn *c = gs_calloc(1, sizeof(*c));
	const char *host = value_of(keys, values, "host");
	struct buf path = BUF_INIT, conninfo = BUF_INIT;
	int e = ENOENT;

	(void)expand; /* a dsn was parsed before */
	c->status = CONNECTION_MADE; /* the server may have accepted it */
	if (!host)
		host = getenv("PGHOST");
	c->host = host ? gs_strdup(host) : NULL;
	psql_token_make(&c->token);
	make_conninfo(&conninfo, keys, values);
	if (psql_find(&path))
		e = psql_start(&c->child, buf_str(&path), buf_str(&conninfo),
		    value_of(keys, values, "password"));
	if (e == 0)
		ask_first(c);
	else
		buf_printf(&c->message, "psql: %s", strerror(e));
	if (e != 0)
		c->status = CONNECTION_BAD;
	buf_release(&path);
	buf_release(&conninfo);
	return c;
}

static PostgresPollingStatusType poll_opening(PGconn *c)
{
	int unsent = send_all(c);

	if (unsent < 0 || !pump(c))
		return PGRES_POLLING_FAILED;
	if (!c->answer)
		return unsent ? PGRES_POLLING_WRITING : PGRES_POLLING_READING;
	c->self = c->answer;
	c->answer = NULL;
	if (psql_result_status(c->self) == PGRES_TUPLES_OK &&
	    psql_result_rows(c->self) == 1 &&
	    psql_result_columns(c->self) == 4) {
		c->status = CONNECTION_OK;
		return PGRES_POLLING_OK;
	}
	buf_add_str(&c->message, psql_result_message(c->self));
	c->status = CONNECTION_BAD;
	return PGRES_POLLING_FAILED;
}

static void finish(PGconn *c)
{
	if (!c)
		return;
	psql_end(&c->child, c->asked);
	psql_result_free(c->answer);
	psql_result_free(c->self);
	buf_release(&c->to);
	buf_release(&c->in);
	buf_release(&c->errors);
	buf_release(&c->message);
	free(c->host);
	free(c);
}

/* ---- statements -------------------------------------------------------- */

static int send_query(PGconn *c, const char *sql)
{
	if (c->status != CONNECTION_OK || c->asked)
		return 0;
	ask(c, sql);
	return 1;
}

static int consume(PGconn *c)
{
	return pump(c);
}

static int is_busy(PGconn *c)
{
	return c->asked && c->status != CONNECTION_BAD;
}

static PGresult *get_result(PGconn *c)
{
	PGresult *r = c->answer;

	c->answer = NULL;
	return r;
}

/* The signal is sent here, while the process is known; PQcancel() is called by
 * another thread. */
static PGcancel *get_cancel(PGconn *c)
{
	psql_interrupt(&c->child);
	return gs_calloc(1, 1);
}

static int cancel(PGcancel *request, char *why, int size)
{
	(void)request;
	if (size > 0)
		*why = '\0';
	return 1;
}

static void free_cancel(PGcancel *request)
{
	free(request);
}

/* ---- what libpq tells of a connection ------------------------------------ */

static char *of_self(const PGconn *c, int column)
{
	return c && c->self && !psql_result_is_null(c->self, 0, column)
	    ? psql_result_value(c->self, 0, column) : NULL;
}

static int backend_pid(const PGconn *c)
{
	const char *pid = of_self(c, 0);

	return pid ? atoi(pid) : 0;
}

static const char *parameter(const PGconn *c, const char *name)
{
	return strcmp(name, "is_superuser") == 0 ? of_self(c, 1) : NULL;
}

static char *user(const PGconn *c)
{
	return of_self(c, 2);
}

static char *host_address(const PGconn *c)
{
	return of_self(c, 3);
}

static char *host(const PGconn *c)
{
	return c->host;
}

static char *message(const PGconn *c)
{
	return (char *)(uintptr_t)buf_str(&c->message);
}

static int descriptor(const PGconn *c)
{
	return c->child.pid > 0 ? c->child.fd : -1;
}

static ConnStatusType status(const PGconn *c)
{
	return c ? c->status : CONNECTION_BAD;
}

static int set_nonblocking(PGconn *c, int on)
{
	(void)c;
	return on ? 0 : -1; /* it is always */
}

/* A server's notices are not errors: psql's are not read. */
static PQnoticeReceiver set_receiver(PGconn *c, PQnoticeReceiver proc,
	void *arg)
{
	(void)c;
	(void)proc;
	(void)arg;
	return NULL;
}

const struct libpq psql_functions = {
	.PQclear = psql_result_free,
	.PQconninfoFree = psql_dsn_free,
	.PQfinish = finish,
	.PQfreeCancel = free_cancel,
	.PQfreemem = free,
	.PQbackendPID = backend_pid,
	.PQcancel = cancel,
	.PQconnectPoll = poll_opening,
	.PQconnectStartParams = start,
	.PQconninfoParse = psql_dsn_parse,
	.PQconsumeInput = consume,
	.PQerrorMessage = message,
	.PQflush = send_all,
	.PQfname = psql_result_name,
	.PQfnumber = psql_result_number,
	.PQgetCancel = get_cancel,
	.PQgetResult = get_result,
	.PQgetisnull = psql_result_is_null,
	.PQgetlength = psql_result_length,
	.PQgetvalue = psql_result_value,
	.PQhost = host,
	.PQhostaddr = host_address,
	.PQisBusy = is_busy,
	.PQnfields = psql_result_columns,
	.PQntuples = psql_result_rows,
	.PQparameterStatus = parameter,
	.PQresultErrorField = psql_result_field,
	.PQresultErrorMessage = psql_result_message,
	.PQresultStatus = psql_result_status,
	.PQsendQuery = send_query,
	.PQsetNoticeReceiver = set_receiver,
	.PQsetnonblocking = set_nonblocking,
	.PQsocket = descriptor,
	.PQstatus = status,
	.PQuser = user,
};
