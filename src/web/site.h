/* SPDX-License-Identifier: Apache-2.0 */
/*
 * site.h - what the server shows of a recording: the page, and what the page
 * asks.
 *
 * Below the path /TOKEN/, which only those know who were told:
 *   (empty)            the page
 *   state              whether the recording has grown
 *   views              the names of views
 *   data view find findings    what a command prints (asks.h), in a process of
 *                      its own (job.h)
 * Requests that another site's page makes are refused (site_may()).
 */
#ifndef GS_WEB_SITE_H
#define GS_WEB_SITE_H

#include "base/err.h"
#include "web/http.h"

/* Commands that run at a time; requests that wait for one, or for their answer to
 * be taken; others are told to come again. */
#define SITE_JOBS_MAX 4
#define SITE_WAITING_MAX 16

struct site_options {
	const char *token;
	char *const *path; /* of the recording, at most ASKS_PATHS_MAX */
	size_t n_path;
	const char *title;
	const char *memory; /* of a command, as its option wants it */
	int64_t time_ms; /* of a command */
	bool any_host; /* the name that a browser calls it by is not known */
	const char *scheme; /* "http", "https" */
};

struct site;

/* Everything in o must outlive it. */
struct site *site_new(const struct site_options *o);
void site_free(struct site *s);

/* As in http_options. */
void site_serve(struct site *s, struct http_request *q);
void site_over(struct site *s, void *user);
size_t site_watch(struct site *s, struct pollfd p[HTTP_WATCH_MAX],
	int *timeout_ms);
void site_turn(struct site *s);

/* True if a browser that was led here by another site can't have sent it: it
 * names this host as a user would, and comes from no other page.  any_host: by
 * any name. */
bool site_may(const struct http_request *q, const char *scheme,
	bool any_host);

/* {"error":"..."} */
void site_refuse(struct http_request *q, unsigned status, const char *text);

#endif
