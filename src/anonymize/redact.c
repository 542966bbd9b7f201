/* SPDX-License-Identifier: Apache-2.0 */
#include "anonymize/redact.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/masktext.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/texts.h"
#include "title/title.h"

/* How much of a text is shown. */
#define FIRST_BYTES ((size_t)32)

struct kind_seen {
	struct texts *texts;
	size_t n;
	struct buf first;
};

struct redact {
	struct kind_seen seen[TEXT_KIND_COUNT];
	struct buf text; /* the replacement */
	size_t n_mark, n_setting;
	struct anon *anon; /* NULL: names stay */
	bool marks_stay;
};

struct redact *redact_new(struct anon *a, bool marks_stay)
{
	struct redact *v = gs_calloc(1, sizeof(*v));
	int k;

	v->anon = a;
	v->marks_stay = marks_stay || !a;
	for (k = 0; k < TEXT_KIND_COUNT; k++)
		v->seen[k].texts = texts_new();
	return v;
}

void redact_free(struct redact *v)
{
	int k;

	if (!v)
		return;
	for (k = 0; k < TEXT_KIND_COUNT; k++) {
		texts_free(v->seen[k].texts);
		buf_release(&v->seen[k].first);
	}
	buf_release(&v->text);
	free(v);
}

/* ---- counting --------------------------------------------------------- */

static void note(struct redact *v, enum text_kind kind, struct span s)
{
	struct kind_seen *k = &v->seen[kind];
	bool is_new;
	uint32_t id;

	if (span_empty(s) || !text_kind_name(kind))
		return;
	id = texts_intern(k->texts, s.ptr, span_len(s), &is_new);
	if (!is_new) {
		texts_unref(k->texts, id); /* one reference is enough */
		return;
	}
	if (++k->n > REDACT_FIRST_MAX)
		return;
	if (k->n > 1)
		buf_add_str(&k->first, ", ");
	utf8_add_safe(&k->first, s.ptr, GS_MIN(span_len(s), FIRST_BYTES));
	if (span_len(s) > FIRST_BYTES)
		buf_add_str(&k->first, "...");
}

static void note_host(struct redact *v, const char *name)
{
	if (name)
		note(v, TEXT_HOST, span_str(name));
}

/* "10.0.0.5(40836)" without the port. */
static struct span address_of(struct span client)
{
	const char *open = span_empty(client) ? NULL
	    : memchr(client.ptr, '(', span_len(client));

	if (span_eq(client, "[local]"))
		return (struct span) { NULL, NULL };
	return open ? span_of(client.ptr, (size_t)(open - client.ptr))
	            : client;
}

static void note_title(struct redact *v, const struct title *t)
{
	note(v, TEXT_CLUSTER, t->cluster);
	note(v, TEXT_USER, span_empty(t->user) ? t->user_db : t->user);
	note(v, TEXT_DATABASE, t->database);
	note(v, TEXT_ADDRESS, address_of(t->client));
	note(v, TEXT_PATH, t->datadir);
}

/* ---- texts ------------------------------------------------------------ */

static bool mask_query(struct redact *v, struct span *text)
{
	masktext(text->ptr, span_len(*text), &v->text);
	*text = span_of(v->text.ptr, v->text.len);
	return true;
}

/* Settings on a command line may be passwords. */
static void rebuild_command(struct redact *v, const struct title *t,
	struct span *text)
{
	const char *p = text->ptr;

	while (p < text->end && *p != ' ' && *p != '\t' && *p != '\n' &&
	    *p != '\0')
		p++;
	buf_add(&v->text, text->ptr, (size_t)(p - text->ptr));
	if (!span_empty(t->datadir)) {
		buf_add_str(&v->text, " -D ");
		buf_add(&v->text, t->datadir.ptr, span_len(t->datadir));
	}
	if (t->has_port)
		buf_printf(&v->text, " -p %" PRIu32, t->port);
	*text = span_of(v->text.ptr, v->text.len);
}

bool redact_title(struct redact *v, struct span text, const struct title *known,
	struct span *ret)
{
	struct title t = *known;

	if (t.kind == TITLE_NONE)
		title_parse(text, &t);
	if (t.kind == TITLE_NONE)
		return false;
	buf_reset(&v->text);
	if (t.kind == TITLE_POSTMASTER) {
		rebuild_command(v, &t, &text);
		title_parse(text, &t);
	}
	if (v->anon) {
		if (!anon_known_title(v->anon, text, &t, &text))
			return false;
		title_parse(text, &t); /* each pseudonym is one word */
	}
	note(v, TEXT_TITLE, text);
	note_title(v, &t);
	*ret = text;
	return true;
}

bool redact_text(struct redact *v, enum entity_id e, unsigned col,
	struct span text, struct span *ret)
{
	static bool (*const mask[TEXT_KIND_COUNT])(struct redact *,
		struct span *) = {
		[TEXT_QUERY] = mask_query,
	};
	static const struct title unknown = { .kind = TITLE_NONE };
	enum text_kind kind = text_kind_of(e, col);

	if (kind == TEXT_TITLE)
		return redact_title(v, text, &unknown, ret);
	buf_reset(&v->text);
	if (kind == TEXT_UNKNOWN || (mask[kind] && !mask[kind](v, &text)))
		return false;
	if (v->anon && !anon_text(v->anon, kind, text, &text))
		return false;
	note(v, kind, text);
	*ret = text;
	return true;
}

/* ---- the header ------------------------------------------------------- */

static void rename_text(struct redact *v, enum text_kind kind, char **s)
{
	struct span now;

	if (!v->anon || !*s)
		return;
	if (!anon_text(v->anon, kind, span_str(*s), &now))
		now = span_str("");
	free(*s);
	*s = gs_strndup(now.ptr, span_len(now));
}

static size_t rename_settings(struct redact *v, struct header_setting *list,
	size_t n_list)
{
	size_t i, n = 0;
	struct span now;

	for (i = 0; i < n_list; i++) {
		struct header_setting *s = &list[i];
		bool kept = anon_setting(v->anon, s->name,
		    span_str(s->value), &now);

		free(s->value);
		if (!kept) {
			free(s->name);
			continue;
		}
		s->value = gs_strndup(now.ptr, span_len(now));
		list[n++] = *s;
	}
	return n;
}

/* A host, or a catalog with version and settings of its server. */
static void rename_listed(struct redact *v, struct header_host *host)
{
	rename_text(v, TEXT_HOST, &host->name);
	rename_text(v, TEXT_VERSION, &host->server_version);
	host->n_setting = rename_settings(v, host->setting, host->n_setting);
}

static void rename_header(struct redact *v, struct header *h)
{
	size_t i;

	h->content &= ~(uint32_t)CONTENT_ADDRESSES;
	for (i = 0; i < h->n_host; i++)
		rename_listed(v, &h->host[i]);
	rename_text(v, TEXT_HOST, &h->recorder_host);
	for (i = 0; i < h->n_source; i++)
		rename_text(v, TEXT_HOST, &h->source[i].recorder_host);
	rename_text(v, TEXT_VERSION, &h->program_version);
	rename_text(v, TEXT_VERSION, &h->server_version);
	rename_text(v, TEXT_WORDS, &h->options);
	for (i = 0; i < h->n_refused; i++) {
		rename_text(v, TEXT_WORDS, &h->refused[i].what);
		rename_text(v, TEXT_WORDS, &h->refused[i].why);
	}
	h->n_setting = rename_settings(v, h->setting, h->n_setting);
}

void redact_header(struct redact *v, struct header *h)
{
	size_t i, settings;

	h->content &= ~(uint32_t)CONTENT_ARGUMENTS;
	if (v->anon)
		rename_header(v, h);
	settings = h->n_setting;
	note_host(v, h->recorder_host);
	for (i = 0; i < h->n_host; i++) {
		if (!h->host[i].catalog)
			note_host(v, h->host[i].name);
		settings += h->host[i].n_setting;
	}
	for (i = 0; i < h->n_source; i++)
		note_host(v, h->source[i].recorder_host);
	v->n_setting = GS_MAX(v->n_setting, settings);
}

/* ---- the rest --------------------------------------------------------- */

struct span redact_event(struct redact *v, const struct event *e,
	struct span text)
{
	/* the server's version text */
	enum text_kind kind = e->kind == EVENT_DATABASE_UP ? TEXT_VERSION
	                                                   : TEXT_WORDS;
	struct span now = span_str("");

	if (e->kind == EVENT_MARK) {
		v->n_mark += v->marks_stay;
		return v->marks_stay ? text : now;
	}
	if (!v->anon)
		return text;
	return anon_text(v->anon, kind, text, &now) ? now
	                                                  : span_str("");
}

size_t redact_count(const struct redact *v, enum text_kind kind)
{
	return v->seen[kind].n;
}

const char *redact_first(const struct redact *v, enum text_kind kind)
{
	return buf_str(&v->seen[kind].first);
}

size_t redact_marks(const struct redact *v)
{
	return v->n_mark;
}

size_t redact_settings(const struct redact *v)
{
	return v->n_setting;
}
