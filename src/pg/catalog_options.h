/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog_options.h - which server is asked, and for what.
 */
#ifndef GS_PG_CATALOG_OPTIONS_H
#define GS_PG_CATALOG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum query_text {
	QUERY_TEXT_MASKED, /* literals are replaced before anything is kept */
	QUERY_TEXT_FULL,
	QUERY_TEXT_NONE
};

struct catalog_options {
	const char *dsn; /* libpq's keywords or URI; NULL: from PG* */
	const char *host, *port, *dbname, *user; /* NULL: not given; dsn wins.
	                                          * The default database is
	                                          * postgres */
	const char *application; /* its application_name; NULL: the recorder's */
	const char *peer; /* OS user that a server on a Unix socket must
	                   * run as; NULL: any.  dsn wins */
	uint32_t as_uid; /* OS user to connect as, if the caller is root;
	                  * 0: the caller's own */
	uint32_t collectors; /* bits */
	int64_t activity_ns; /* minimum time between two samples of the
	                      * activity; 0: every tick */
	int64_t dispatch_ns; /* period of queries that are sent to segments */
	int64_t locks_ns; /* minimum time between two samples of the locks */
	enum query_text query_text;
	size_t query_text_size; /* bytes of a query text that are kept */
	size_t row_limit; /* of each query, if less than its own; 0: none */
	const char *label; /* distinguishes it from other servers; NULL */
	const char *version; /* of gpsnap */
	/* True if the process exists on the coordinator; NULL: not known,
	 * since that is another host. */
	bool (*backend_alive)(void *arg, int pid);
	/* True if the title of the coordinator's process says that it waits
	 * in a resource queue, which Greenplum 6's catalog shows as "lock";
	 * NULL: not known. */
	bool (*is_queued)(void *arg, int pid);
	void *arg;
};

struct catalog_wait {
	int fd;
	bool readable, writable; /* what to wait for */
};

#endif
