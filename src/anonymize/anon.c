/* SPDX-License-Identifier: Apache-2.0 */
#include "anonymize/anon.h"

#include <stdlib.h>

#include <uthash.h>

#include "anonymize/anon_int.h"
#include "base/compiler.h"
#include "base/masktext.h"
#include "base/mem.h"

/* Size of the cache; a full one is emptied. */
#define KNOWN_MAX 50000

/* A cache: the same texts come in each tick. */
struct known {
	char *key; /* the kind, then the text */
	char *answer; /* NULL: none */
	size_t len;
	UT_hash_handle hh;
};

struct anon {
	struct aliases *aliases;
	struct known *known;
	struct buf key, text;
};

struct anon *anon_new(struct aliases *a)
{
	struct anon *n = gs_calloc(1, sizeof(*n));

	n->aliases = a;
	return n;
}

static void forget(struct anon *a)
{
	struct known *k, *next;

	HASH_ITER(hh, a->known, k, next) {
		HASH_DEL(a->known, k);
		free(k->key);
		free(k->answer);
		free(k);
	}
}

void anon_free(struct anon *a)
{
	if (!a)
		return;
	forget(a);
	buf_release(&a->key);
	buf_release(&a->text);
	free(a);
}

/* ---- kinds ------------------------------------------------------------ */

static void keep(struct aliases *a, struct span s, struct buf *to)
{
	(void)a; /* nothing is replaced */
	buf_add(to, s.ptr, span_len(s));
}

static void boot(struct aliases *a, struct span s, struct buf *to)
{
	alias_put(a, ALIAS_BOOT, s, to);
}

static void group(struct aliases *a, struct span s, struct buf *to)
{
	anon_name(a, PLAIN_ROLE, ALIAS_GROUP, s, to);
}

static void application(struct aliases *a, struct span s, struct buf *to)
{
	anon_name(a, PLAIN_APPLICATION, ALIAS_APPLICATION, s, to);
}

static void version(struct aliases *a, struct span s, struct buf *to)
{
	anon_words(a, s, ANON_PARTS, to);
}

static void words(struct aliases *a, struct span s, struct buf *to)
{
	anon_words(a, s, 0, to);
}

/* ---- SQL -------------------------------------------------------------- */

/* pg_toast_16384, pg_temp_3: names of tables and schemas that the database
 * makes from numbers. */
static bool is_numbered(struct span s)
{
	static const char *const stems[] = { "pg_toast_", "pg_temp_",
		"pg_toast_temp_", "pg_aoseg_", "pg_aocsseg_",
		"pg_aovisimap_", "pg_aoblkdir_" };
	struct span stem = anon_stem(s);

	return stem.end < s.end && span_is_any(stem, stems, GS_LEN(stems));
}

static void put_object(void *arg, struct span s, struct buf *to)
{
	if (span_empty(s))
		return;
	if (is_numbered(s))
		buf_add(to, s.ptr, span_len(s));
	else
		alias_put(arg, ALIAS_OBJECT, s, to);
}

static void query(struct aliases *a, struct span s, struct buf *to)
{
	static const char *const messages[] = { "<command string not enabled>",
		"<backend information not available>",
		"<insufficient privilege>", "<IDLE>",
		"<IDLE> in transaction" };
	struct masktext_names names = { put_object, a, false };

	if (span_is_any(s, messages, GS_LEN(messages)))
		keep(a, s, to);
	else
		masktext_names(s.ptr, span_len(s), &names, to);
}

static void object(struct aliases *a, struct span s, struct buf *to)
{
	struct masktext_names names = { put_object, a, true };

	if (anon_is_number(s))
		keep(a, s, to);
	else
		masktext_names(s.ptr, span_len(s), &names, to);
}

/* ---- texts ------------------------------------------------------------ */

/* Of each kind except titles. */
static anon_fn *const kinds[TEXT_KIND_COUNT] = {
	[TEXT_PLAIN] = keep,
	[TEXT_VERSION] = version,
	[TEXT_WORDS] = words,
	[TEXT_BOOT] = boot,
	[TEXT_HOST] = anon_place,
	[TEXT_USER] = anon_user,
	[TEXT_DATABASE] = anon_database,
	[TEXT_APPLICATION] = application,
	[TEXT_ADDRESS] = anon_place,
	[TEXT_OBJECT] = object,
	[TEXT_GROUP] = group,
	[TEXT_CLUSTER] = anon_cluster,
	[TEXT_PROGRAM] = anon_program,
	[TEXT_PATH] = anon_path,
	[TEXT_DEVICE] = anon_devices,
	[TEXT_QUERY] = query,
};

/* False: the text has no replacement. */
static bool replace(struct anon *a, enum text_kind kind, struct span text)
{
	buf_reset(&a->text);
	if (kind == TEXT_TITLE)
		return anon_title(a->aliases, text, &a->text);
	if (kinds[kind])
		kinds[kind](a->aliases, text, &a->text);
	return kinds[kind] != NULL;
}

/* The cached answer for a->key; NULL: there is none. */
static struct known *recall(const struct anon *a)
{
	struct known *k = NULL;

	HASH_FIND(hh, a->known, a->key.ptr, a->key.len, k);
	return k;
}

/* Caches the answer: a->text, or, if not ok, that there is no text. */
static struct known *remember(struct anon *a, bool ok)
{
	struct known *k = gs_calloc(1, sizeof(*k));

	if (HASH_COUNT(a->known) >= KNOWN_MAX)
		forget(a);
	k->key = gs_malloc(a->key.len);
	memcpy(k->key, a->key.ptr, a->key.len);
	if (ok) {
		k->answer = gs_strndup(buf_str(&a->text), a->text.len);
		k->len = a->text.len;
	}
	HASH_ADD_KEYPTR(hh, a->known, k->key, a->key.len, k);
	return k;
}

static bool answer(const struct known *k, struct span *ret)
{
	if (k->answer)
		*ret = span_of(k->answer, k->len);
	return k->answer != NULL;
}

bool anon_text(struct anon *a, enum text_kind kind, struct span text,
	struct span *ret)
{
	struct known *k;

	if (span_empty(text)) {
		*ret = span_str("");
		return kind != TEXT_UNKNOWN;
	}
	buf_reset(&a->key);
	buf_add_char(&a->key, (char)kind);
	buf_add(&a->key, text.ptr, span_len(text));
	k = recall(a);
	if (!k)
		k = remember(a, replace(a, kind, text));
	return answer(k, ret);
}

/* The positions of its parts belong to the key of the cache, too. */
bool anon_known_title(struct anon *a, struct span text,
	const struct title *t, struct span *ret)
{
	struct known *k;

	buf_reset(&a->key);
	buf_add_char(&a->key, (char)TEXT_KIND_COUNT);
	buf_printf(&a->key, "%d %zu %zu ", (int)t->kind, span_len(t->cluster),
	    span_len(t->user));
	buf_add(&a->key, text.ptr, span_len(text));
	k = recall(a);
	if (!k) {
		buf_reset(&a->text);
		k = remember(a, anon_parsed_title(a->aliases, text, t,
		    &a->text));
	}
	return answer(k, ret);
}

/* ---- settings --------------------------------------------------------- */

bool anon_setting(struct anon *a, const char *setting, struct span value,
	struct span *ret)
{
	static const struct {
		const char *name;
		enum text_kind kind;
	} of[] = {
		{ "application_name", TEXT_APPLICATION },
		{ "cluster_name", TEXT_CLUSTER },
		{ "default_tablespace", TEXT_OBJECT },
		{ "gp_default_storage_options", TEXT_PLAIN },
		{ "temp_tablespaces", TEXT_OBJECT },
	};
	size_t i;

	/* of an extension, or custom */
	if (strchr(setting, '.'))
		return false;
	for (i = 0; i < GS_LEN(of); i++) {
		if (strcmp(setting, of[i].name) == 0)
			return anon_text(a, of[i].kind, value, ret);
	}
	return anon_text(a, TEXT_WORDS, value, ret);
}
