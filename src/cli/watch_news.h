/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch_news.h - a finding that begins or ends, as one line of text and as one
 * JSON object.
 */
#ifndef GS_CLI_WATCH_NEWS_H
#define GS_CLI_WATCH_NEWS_H

#include "base/zone.h"
#include "findings/findings.h"
#include "findings/rule.h"
#include "record/watch.h"

/* A copy; the caller frees it with watch_news_free(). */
struct watch_news *watch_news_of(const struct finding_news *n, size_t watch);

/* Appends "{...}\n".  watch, file: NULL: none. */
void watch_news_json(const struct watch_news *n, const char *watch,
	const char *file, struct buf *to);

/* Appends a line: when, begins or ends, what. */
void watch_news_line(const struct watch_news *n, const struct zone *zone,
	struct buf *to);

#endif
