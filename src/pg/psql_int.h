/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psql_int.h - shared by psql.c (connections), psql_child.c (the process),
 * psql_result.c (answers) and psql_dsn.c (parameters).
 */
#ifndef GS_PG_PSQL_INT_H
#define GS_PG_PSQL_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <libpq-fe.h>

#include "base/buf.h"
#include "base/scan.h"

/* ---- the process ------------------------------------------------------- */

struct psql_child {
	pid_t pid; /* 0: none */
	int fd; /* its standard input and output; does not block */
	int errors; /* its standard error; does not block */
};

/* The path of psql; false: there is none. */
bool psql_find(struct buf *path);

/* Starts it.  password: NULL, or given in the environment.  Returns 0 or an
 * errno.  It runs as the effective user of this thread. */
int psql_start(struct psql_child *c, const char *path, const char *conninfo,
	const char *password);

/* Has it cancel its statement, after which it ends. */
void psql_interrupt(const struct psql_child *c);

/* Closes its input; a busy one is ended.  Does not wait. */
void psql_end(struct psql_child *c, bool busy);

/* ---- answers ----------------------------------------------------------- */

/* Separates records, stands for NULL and ends an answer, with another letter
 * after it; nobody can guess it. */
#define PSQL_TOKEN_LEN 26
struct psql_token {
	char text[PSQL_TOKEN_LEN + 1];
};

void psql_token_make(struct psql_token *t);

/* The result of a whole answer: a table if out is one, else an error as errors
 * has it.  It takes the memory of out. */
PGresult *psql_result_new(struct buf *out, const struct buf *errors,
	const struct psql_token *token);

/* The message of the first line of an error, and its SQLSTATE, "" without. */
void psql_error_parse(struct span errors, char ret_state[6],
	struct buf *ret_message);

void psql_result_free(PGresult *r);
ExecStatusType psql_result_status(const PGresult *r);
char *psql_result_message(const PGresult *r);
char *psql_result_field(const PGresult *r, int code);
int psql_result_rows(const PGresult *r);
int psql_result_columns(const PGresult *r);
char *psql_result_name(const PGresult *r, int column);
int psql_result_number(const PGresult *r, const char *name);
char *psql_result_value(const PGresult *r, int row, int column);
int psql_result_length(const PGresult *r, int row, int column);
int psql_result_is_null(const PGresult *r, int row, int column);

/* ---- parameters -------------------------------------------------------- */

/* Adds key='value' to a conninfo string. */
void psql_conninfo_add(struct buf *b, const char *key, const char *value);

/* Those of a conninfo string or a URI, as PQconninfoParse() has them. */
PQconninfoOption *psql_dsn_parse(const char *dsn, char **ret_why);
void psql_dsn_free(PQconninfoOption *list);

#endif
