/* SPDX-License-Identifier: Apache-2.0 */
/*
 * label_same.c - whether a row still has the text of a label: most rows do, tick
 * by tick, and to compare is cheaper than to make the text again; whether the text
 * may be that of others.
 */
#include <stdlib.h>
#include <string.h>

#include "query/label.h"

bool label_is_compared(enum label_kind k)
{
	return k == LABEL_USER || k == LABEL_DATABASE || k == LABEL_CLIENT ||
	    k == LABEL_STATE || k == LABEL_HOST || k == LABEL_SEGMENT ||
	    k == LABEL_COMMAND;
}

static bool is_os_user(const struct label_source *l, const struct row *process,
	const char *text)
{
	struct span name = row_text(l->w, process, COL(PROCESS, OS_USER));
	size_t prefix = strlen(LABEL_OS_USER);

	return !span_empty(name) && strncmp(text, LABEL_OS_USER, prefix) == 0 &&
	    span_eq(name, text + prefix);
}

static bool is_segment(const struct title *t, const char *text)
{
	return t->has_seg ? *text && strtol(text, NULL, 10) == t->seg : !*text;
}

bool label_same(const struct label_source *l, enum label_kind k,
	const struct label_row *r, const char *text)
{
	const struct session *s = r->p->session;

	switch (k) {
	case LABEL_USER:
		return s->kind == SESSION_OS ? is_os_user(l, r->process, text)
		    : strcmp(s->user, text) == 0;
	case LABEL_DATABASE:
		return strcmp(s->database, text) == 0;
	case LABEL_CLIENT:
		return strcmp(s->client, text) == 0;
	case LABEL_STATE:
		return strcmp(state_text(s->state), text) == 0;
	case LABEL_HOST:
		return strcmp(r->row->host->name, text) == 0;
	case LABEL_SEGMENT:
		return is_segment(&r->p->title, text);
	case LABEL_COMMAND:
		return span_eq(row_text(l->w, r->process, COL(PROCESS, COMM)),
		    text);
	default:
		return false;
	}
}

bool label_is_guess(const struct label *n, enum label_kind kind,
	const struct query *q)
{
	return kind == LABEL_STATEMENT && q && q->number == 0 &&
	    n->key[kind][0] && strcmp(n->key[kind], LABEL_NO_STATEMENT) != 0;
}
