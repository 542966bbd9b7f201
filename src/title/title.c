/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title.c - see title.h.
 *
 *   postgres:  6002, prod: bi user demo 10.0.0.5(40836) con147 seg0 cmd2 slice3 MPPEXEC SELECT
 *   postgres: 15/main: app shop [local] idle in transaction
 *   postgres: prod: autovacuum worker shop
 *   postgres:  7002, startup process   recovering 00000001000000000000000D
 *
 * The client is the anchor: the server writes nothing after it that looks like
 * a client, and all texts that users can choose (names of cluster, user,
 * database) are before it.  So the last word that looks like a client is the
 * client.
 */
#include "title/title_int.h"

#include "base/compiler.h"

/* First words of a client backend's activity; distinguishes a backend without
 * a client's address from a background worker with an unknown name. */
static const char *const commands[] = {
	"ALTER", "ANALYZE", "BEGIN", "BIND", "CALL", "CHECKPOINT", "CLOSE",
	"CLUSTER", "COMMENT", "COMMIT", "COPY", "CREATE", "DEALLOCATE",
	"DECLARE", "DELETE", "DISCARD", "DO", "DROP", "EXECUTE", "EXPLAIN",
	"FETCH", "GRANT", "INSERT", "LISTEN", "LOAD", "LOCK", "MERGE", "MOVE",
	"MPPEXEC", "NOTIFY", "PARSE", "PREPARE", "REASSIGN", "REFRESH",
	"REINDEX", "RELEASE", "RESET", "REVOKE", "ROLLBACK", "SAVEPOINT",
	"SECURITY", "SELECT", "SET", "SHOW", "START", "TRUNCATE", "UNLISTEN",
	"UPDATE", "VACUUM", "authentication", "idle", "initializing",
	"startup",
};

/* Parses "KEY<number>" from the front. */
static bool parse_tag(struct span *s, const char *key, uint32_t *ret)
{
	struct span t = *s;
	struct span w;

	if (!title_next_word(&t, &w) || !span_starts(w, key))
		return false;
	w.ptr += strlen(key);
	if (!title_number(w, ret))
		return false;
	*s = t;
	return true;
}

/* ---- the parts ------------------------------------------------------- */

/* "host(4444)": the server writes no client but [local] without a port. */
static bool is_client(struct span w)
{
	const char *open;
	uint32_t port;

	if (span_eq(w, "[local]"))
		return true;
	if (span_len(w) < 4 || w.end[-1] != ')')
		return false;
	open = memchr(w.ptr, '(', span_len(w));
	return open && open > w.ptr &&
	    title_number(span_of(open + 1, (size_t)(w.end - 1 - open - 1)),
	        &port) &&
	    port <= 65535;
}

/*
 * A numeric address on its own, or its replacement in an anonymized recording.
 */
static bool is_address(struct span w)
{
	static const char alias[] = "addr-";
	unsigned dots = 0, colons = 0;
	uint32_t number;
	const char *p;

	if (span_starts(w, alias))
		return title_number(span_of(w.ptr + strlen(alias),
		    span_len(w) - strlen(alias)), &number);
	for (p = w.ptr; p < w.end; p++) {
		if (*p == '.')
			dots++;
		else if (*p == ':')
			colons++;
		else if (!((*p >= '0' && *p <= '9') ||
		    (*p >= 'a' && *p <= 'f') || (*p >= 'A' && *p <= 'F')))
			return false;
	}
	return (dots == 3 && colons == 0) || (colons >= 2 && dots <= 3 &&
	    w.end[-1] != ':') || span_eq(w, "::");
}

/* The last word of s that is a client and has a word before it. */
static bool find_client(struct span s, bool (*is)(struct span),
	struct span *ret)
{
	struct span w;
	bool found = false;

	if (!title_next_word(&s, &w))
		return false;
	while (title_next_word(&s, &w)) {
		if (is(w)) {
			*ret = w;
			found = true;
		}
	}
	return found;
}

/* The first possible end of a cluster name and its ": " within s after from;
 * NULL: none. */
static const char *cluster_end(struct span s, const char *from)
{
	const char *p = from;

	while (p < s.end && (p = memchr(p, ':', (size_t)(s.end - p))) != NULL) {
		if (p > s.ptr && p + 1 < s.end && p[1] == ' ')
			return p;
		p++;
	}
	return NULL;
}

static void set_cluster(struct title *t, struct span *s, const char *colon)
{
	t->cluster = span_of(s->ptr, (size_t)(colon - s->ptr));
	s->ptr = colon + 2;
}

/* Exactly two words are user and database. */
static void set_user_db(struct title *t, struct span s)
{
	const char *blank;

	s = title_trim(s);
	t->user_db = s;
	blank = span_empty(s) ? NULL : memchr(s.ptr, ' ', span_len(s));
	if (!blank || memchr(blank + 1, ' ', (size_t)(s.end - blank - 1)))
		return;
	t->user = span_of(s.ptr, (size_t)(blank - s.ptr));
	t->database = span_of(blank + 1, (size_t)(s.end - blank - 1));
}

static enum title_state state_of(struct span s)
{
	struct span rest = s;
	struct span w;

	if (span_empty(s))
		return TITLE_STATE_NONE;
	if (title_ends_with(s, " waiting") || span_eq(s, "waiting"))
		return TITLE_WAITING;
	if (title_ends_with(s, " queuing") || span_eq(s, "queuing"))
		return TITLE_QUEUED;
	if (title_starts_word(s, "idle in transaction (aborted)"))
		return TITLE_IDLE_ABORTED;
	if (title_starts_word(s, "idle in transaction"))
		return TITLE_IDLE_TX;
	if (title_starts_word(s, "idle"))
		return TITLE_IDLE;
	if (title_starts_word(s, "startup") || title_starts_word(s, "initializing"))
		return TITLE_STARTUP;
	if (title_starts_word(s, "authentication"))
		return TITLE_AUTHENTICATION;
	while (title_next_word(&rest, &w))
		if (span_eq(w, "waiting") && title_next_word(&rest, &w) &&
		    span_eq(w, "for"))
			return TITLE_REPLICATION;
	return TITLE_ACTIVE;
}

/* The text after the client: Greenplum's tags, then the activity. */
static void parse_tail(struct title *t, struct span s)
{
	uint32_t v;

	if (t->has_port) {
		t->has_session = parse_tag(&s, "con", &t->session);
		t->has_seg = parse_tag(&s, "seg", &v);
		if (t->has_seg) {
			t->seg = (int32_t)v;
		} else if (parse_tag(&s, "seg-", &v)) {
			t->has_seg = true;
			t->seg = -(int32_t)v;
		}
		t->has_cmd = parse_tag(&s, "cmd", &t->cmd);
		t->has_slice = parse_tag(&s, "slice", &t->slice);
	}
	t->activity = title_trim(s);
	t->state = state_of(t->activity);
}

/* ---- kinds of titles ------------------------------------------------- */

static const struct title_background *find_background(struct span s,
	struct span *ret_name)
{
	size_t i;

	for (i = 0; i < title_n_backgrounds; i++) {
		if (title_starts_word(s, title_backgrounds[i].name)) {
			*ret_name = span_of(s.ptr,
			    strlen(title_backgrounds[i].name));
			return &title_backgrounds[i];
		}
	}
	return NULL;
}

static void parse_background(struct title *t, const struct title_background *b,
	struct span s)
{
	struct span w;

	t->kind = b->role == ROLE_WALSENDER ? TITLE_WALSENDER
	                                   : TITLE_BACKGROUND;
	t->role = b->role;
	s.ptr += span_len(t->name);
	t->activity = title_trim(s);
	t->state = state_of(t->activity);
	if (b->role == ROLE_AUTOVAC_WORKER)
		t->database = t->activity;
	if (b->role == ROLE_PARALLEL_WORKER && title_next_word(&s, &w))
		t->has_leader = title_number(w, &t->leader_pid);
}

static void parse_walsender(struct title *t, struct span before,
	struct span after)
{
	t->kind = TITLE_WALSENDER;
	t->role = ROLE_WALSENDER;
	set_user_db(t, before);
	if (span_empty(t->user) && !span_empty(t->user_db) &&
	    !memchr(t->user_db.ptr, ' ', span_len(t->user_db)))
		t->user = t->user_db;
	parse_tail(t, after);
}

/* A title with a client: before it are cluster, user and database. */
static void parse_client(struct title *t, struct span s, bool named)
{
	struct span before = span_of(s.ptr, (size_t)(t->client.ptr - s.ptr));
	struct span after = span_of(t->client.end,
	    (size_t)(s.end - t->client.end));
	const struct title_background *b;
	const char *colon;
	const char *last = NULL;

	for (colon = cluster_end(before, before.ptr); colon && !named;
	    colon = cluster_end(before, colon + 1))
		last = colon;
	if (last)
		set_cluster(t, &before, last);
	before = title_trim(before);
	b = find_background(before, &t->name);
	if (b && b->role == ROLE_WALSENDER) {
		before.ptr += span_len(t->name);
		parse_walsender(t, before, after);
		return;
	}
	t->name = (struct span) { 0 };
	t->role = ROLE_CLIENT;
	set_user_db(t, before);
	parse_tail(t, after);
	t->kind = t->has_seg ? TITLE_QE
	    : t->has_session ? TITLE_QD : TITLE_BACKEND;
}

/* "bgworker: name": PostgreSQL 9.4 to 10, Greenplum 5 and 6. */
static bool try_bgworker(struct title *t, struct span s)
{
	static const struct title_background worker = { "", ROLE_BG_WORKER };
	const struct title_background *b;

	if (!span_starts(s, "bgworker: "))
		return false;
	s.ptr += strlen("bgworker: ");
	s = title_trim(s);
	b = find_background(s, &t->name);
	if (!b) {
		t->name = s;
		b = &worker;
	}
	parse_background(t, b, s);
	return true;
}

/* Tries s, and the text after each possible cluster name at the front of s,
 * unless the name was already removed.  Users and databases may have the names
 * of background processes: a title with a client is a backend's, unless the
 * client is the database of an autovacuum worker, at the end. */
static bool try_background(struct title *t, struct span s, bool has_client,
	bool named)
{
	const char *start = s.ptr;
	const struct title_background *b;
	const char *colon = NULL;

	for (;;) {
		if (try_bgworker(t, s))
			break;
		b = find_background(s, &t->name);
		if (b && has_client && !(b->role == ROLE_AUTOVAC_WORKER &&
		    t->client.end == s.end))
			b = NULL;
		if (b) {
			parse_background(t, b, s);
			break;
		}
		t->name = (struct span) { 0 };
		colon = named ? NULL : cluster_end(span_of(start,
		    (size_t)(s.end - start)), s.ptr);
		if (!colon)
			return false;
		s.ptr = colon + 2;
	}
	if (colon)
		t->cluster = span_of(start, (size_t)(colon - start));
	return true;
}

static bool is_command(struct span s)
{
	size_t i;

	for (i = 0; i < GS_LEN(commands); i++)
		if (title_starts_word(s, commands[i]))
			return true;
	return false;
}

/* "user db idle", "user db name.of.host idle": at least two words before a
 * backend's activity. */
static bool try_unaddressed(struct title *t, struct span s)
{
	struct span rest = s;
	struct span word[4] = { { 0 } };
	struct span w;
	size_t n;

	for (n = 0; title_next_word(&rest, &w); n++) {
		if (n >= 2 && is_command(span_of(w.ptr,
		    (size_t)(s.end - w.ptr))))
			break;
		if (n < GS_LEN(word))
			word[n] = w;
	}
	if (n < 2 || span_empty(w))
		return false;
	t->kind = TITLE_BACKEND;
	t->role = ROLE_CLIENT;
	parse_tail(t, span_of(w.ptr, (size_t)(s.end - w.ptr)));
	if (n == 3 && memchr(word[2].ptr, '.', span_len(word[2]))) {
		t->client = word[2];
		w = word[2];
	}
	set_user_db(t, span_of(s.ptr, (size_t)(w.ptr - s.ptr)));
	return true;
}

/* Removes a known name from the front.  False: it is not known, or the title
 * does not begin with it. */
static bool parse_name(struct title *t, struct span *s,
	const struct title_names *n)
{
	if (!n || !n->known)
		return false;
	if (n->len == 0)
		return true;
	if (span_len(*s) < n->len + 2 ||
	    memcmp(s->ptr, n->name, n->len) != 0 ||
	    memcmp(s->ptr + n->len, ": ", 2) != 0)
		return false;
	set_cluster(t, s, s->ptr + n->len);
	*s = title_trim(*s);
	return true;
}

/* After "postgres: " and Greenplum's port. */
static void parse_server_title(struct title *t, struct span s,
	const struct title_names *names)
{
	bool named = parse_name(t, &s, names);
	bool has_client = find_client(s, is_client, &t->client);
	const char *colon;

	if (try_background(t, s, has_client, named)) {
		t->client = (struct span) { 0 };
		return;
	}
	if (has_client || find_client(s, is_address, &t->client)) {
		parse_client(t, s, named);
		return;
	}
	colon = named ? NULL : cluster_end(s, s.ptr);
	if (colon)
		set_cluster(t, &s, colon);
	s = title_trim(s);
	if (try_unaddressed(t, s))
		return;
	t->kind = TITLE_BACKGROUND;
	t->role = ROLE_BG_WORKER;
	t->name = s;
}

/* Greenplum: " 6000, " or, before 6, "port 40003, ". */
static void parse_port(struct title *t, struct span *s)
{
	struct span u = *s;
	struct span w;

	if (!title_next_word(&u, &w))
		return;
	if (span_eq(w, "port") && !title_next_word(&u, &w))
		return;
	if (span_len(w) < 2 || w.end[-1] != ',')
		return;
	w.end--;
	if (!title_number(w, &t->port) || t->port > 65535)
		return;
	t->has_port = true;
	*s = u;
}

/* Parses "postgres:" and Greenplum's port from the front. */
bool title_parse_front(struct title *t, struct span *text)
{
	*text = title_trim(*text);
	if (!span_starts(*text, "postgres:"))
		return false;
	text->ptr += strlen("postgres:");
	parse_port(t, text);
	*text = title_trim(*text);
	return true;
}

void title_parse_named(struct span text, const struct title_names *n,
	struct title *ret)
{
	struct title t = { 0 };

	if (title_parse_front(&t, &text)) {
		if (!span_empty(text))
			parse_server_title(&t, text, n);
	} else {
		title_parse_command(&t, text);
	}
	*ret = t;
}

void title_parse(struct span text, struct title *ret)
{
	title_parse_named(text, NULL, ret);
}
