/* SPDX-License-Identifier: Apache-2.0 */
/*
 * anon_path.c - names, hosts, addresses, paths, devices, programs.
 *
 *   sdw3.example.com                            host-3.domain-1
 *   /data1/primary/acme/gpseg7                  /data1/primary/dir-4/gpseg7
 *   /system.slice/postgresql@15-main.service    .../postgresql@15-main.service
 *   nas7:/export/acme                           host-4:/export/dir-4
 */
#include <arpa/inet.h>
#include <limits.h>
#include <string.h>

#include "anonymize/anon_int.h"
#include "base/compiler.h"

bool anon_is_number(struct span s)
{
	if (span_empty(s))
		return false;
	for (; s.ptr < s.end; s.ptr++) {
		if (!anon_is_digit(*s.ptr))
			return false;
	}
	return true;
}

struct span anon_stem(struct span s)
{
	while (!span_empty(s) && anon_is_digit(s.end[-1]))
		s.end--;
	return s;
}

/* ---- hosts ------------------------------------------------------------ */

/* Without the zone of "fe80::1%eth0" and the prefix of "10.0.0.0/8". */
static struct span bare_address(struct span s)
{
	const char *p;

	for (p = s.ptr; p < s.end; p++) {
		if (*p == '%' || *p == '/')
			return span_of(s.ptr, (size_t)(p - s.ptr));
	}
	return s;
}

bool anon_is_address(struct span s)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	char text[INET6_ADDRSTRLEN];
	struct span bare = bare_address(s);
	size_t n = span_len(bare);

	if (n == 0 || n >= sizeof(text) || (bare.end < s.end &&
	    *bare.end == '/' && !anon_is_number(span_of(bare.end + 1,
	    (size_t)(s.end - bare.end - 1)))))
		return false;
	memcpy(text, bare.ptr, n);
	text[n] = '\0';
	return inet_pton(AF_INET, text, bytes) == 1 ||
	    inet_pton(AF_INET6, text, bytes) == 1;
}

/* The same on every host. */
static bool is_everybodys(struct span s)
{
	static const char *const all[] = { "127.0.0.1", "::1", "0.0.0.0",
		"::" };

	return span_is_any(s, all, GS_LEN(all));
}

static void add(struct buf *to, struct span s)
{
	buf_add(to, s.ptr, span_len(s));
}

static void put_address(struct aliases *a, struct span s, struct buf *to)
{
	struct span bare = bare_address(s);

	if (is_everybodys(bare))
		add(to, bare);
	else
		alias_put(a, ALIAS_ADDRESS, bare, to);
	if (bare.end < s.end && *bare.end == '/')
		add(to, span_of(bare.end, (size_t)(s.end - bare.end)));
}

void anon_name(struct aliases *a, enum plain keep, enum alias_kind kind,
	struct span s, struct buf *to)
{
	if (span_empty(s) || plain_is(keep, s))
		add(to, s);
	else
		alias_put(a, kind, s, to);
}

void anon_user(struct aliases *a, struct span s, struct buf *to)
{
	anon_name(a, PLAIN_ROLE, ALIAS_USER, s, to);
}

void anon_database(struct aliases *a, struct span s, struct buf *to)
{
	anon_name(a, PLAIN_ROLE, ALIAS_DATABASE, s, to);
}

void anon_cluster(struct aliases *a, struct span s, struct buf *to)
{
	alias_put(a, ALIAS_CLUSTER, s, to);
}

void anon_host(struct aliases *a, struct span s, struct buf *to)
{
	const char *dot = span_empty(s) ? NULL
	                                : memchr(s.ptr, '.', span_len(s));

	if (plain_is(PLAIN_HOST, s) || !dot || dot == s.ptr) {
		anon_name(a, PLAIN_HOST, ALIAS_HOST, s, to);
		return;
	}
	anon_name(a, PLAIN_HOST, ALIAS_HOST,
	    span_of(s.ptr, (size_t)(dot - s.ptr)), to);
	buf_add_char(to, '.');
	anon_name(a, PLAIN_HOST, ALIAS_DOMAIN,
	    span_of(dot + 1, (size_t)(s.end - dot - 1)), to);
}

void anon_place(struct aliases *a, struct span s, struct buf *to)
{
	if (anon_is_address(s))
		put_address(a, s, to);
	else
		anon_host(a, s, to);
}

/* ---- devices ---------------------------------------------------------- */

/* sda, sdab12, vdb1, xvda. */
static bool is_lettered_disk(struct span s)
{
	static const char *const stems[] = { "sd", "vd", "hd", "xvd" };
	size_t i, n;

	s = anon_stem(s);
	for (i = 0; i < GS_LEN(stems); i++) {
		n = strlen(stems[i]);
		if (span_starts(s, stems[i]) && span_len(s) > n &&
		    span_len(s) <= n + 2 && s.ptr[n] >= 'a' &&
		    s.ptr[n] <= 'z' && s.end[-1] >= 'a' && s.end[-1] <= 'z')
			return true;
	}
	return false;
}

/* Numbers with letters for their kind: 0n1p2, s31f6, 0.100. */
static bool is_numbering(struct span s)
{
	const char *p;

	for (p = s.ptr; p < s.end; p++) {
		bool mark = memchr("pnsfduc.:", *p, 9) != NULL;

		if (!anon_is_digit(*p) && !(mark && p + 1 < s.end &&
		    anon_is_digit(p[1])))
			return false;
	}
	return true;
}

bool anon_is_device(struct span s)
{
	size_t n;

	if (is_lettered_disk(s))
		return true;
	for (n = 1; n <= span_len(s); n++) {
		struct span rest = span_of(s.ptr + n, span_len(s) - n);

		if (plain_is(PLAIN_DEVICE, span_of(s.ptr, n)) &&
		    is_numbering(rest))
			return true;
	}
	return false;
}

static void put_part(struct aliases *a, struct span s, struct buf *to);

static void put_device(struct aliases *a, struct span s, struct buf *to)
{
	if (span_empty(s) || anon_is_device(s))
		add(to, s);
	else if (memchr(s.ptr, '/', span_len(s)))
		anon_path(a, s, to);
	else
		alias_put(a, ALIAS_DEVICE, s, to);
}

void anon_devices(struct aliases *a, struct span s, struct buf *to)
{
	struct span one;

	while (scan_until(&s, ',', &one)) {
		put_device(a, one, to);
		buf_add_char(to, ',');
	}
	put_device(a, s, to);
}

/* ---- paths ------------------------------------------------------------ */

/* gpseg7, gpseg-1, primary3, 12345, .s.PGSQL.5432, .., user-1000. */
static bool is_plain_part(struct span s)
{
	static const char *const whole[] = { ".", "..", "-" };
	static const char *const stems[] = { ".s.PGSQL.", "gpseg-", "user-",
		"user@", "session-", "session-c" };
	struct span stem = anon_stem(s);

	return span_empty(stem) || span_is_any(s, whole, GS_LEN(whole)) ||
	    span_is_any(stem, stems, GS_LEN(stems)) ||
	    plain_is(PLAIN_PATH, s) || plain_is(PLAIN_PATH, stem) ||
	    anon_is_device(s);
}

/* Keeps the suffix of a systemd unit, and the @; replaces the parts before
 * and after the @. */
static bool put_unit(struct aliases *a, struct span s, struct buf *to)
{
	static const char *const suffixes[] = { ".service", ".slice",
		".scope", ".socket", ".mount" };
	const char *at;
	size_t i;

	for (i = 0; i < GS_LEN(suffixes); i++) {
		size_t n = strlen(suffixes[i]);
		struct span end = span_of(s.end - GS_MIN(n, span_len(s)),
		    GS_MIN(n, span_len(s)));

		if (span_len(s) <= n || !span_eq(end, suffixes[i]))
			continue;
		put_part(a, span_of(s.ptr, span_len(s) - n), to);
		buf_add_str(to, suffixes[i]);
		return true;
	}
	at = memchr(s.ptr, '@', span_len(s));
	if (!at)
		return false;
	put_part(a, span_of(s.ptr, (size_t)(at - s.ptr)), to);
	buf_add_char(to, '@');
	put_part(a, span_of(at + 1, (size_t)(s.end - at - 1)), to);
	return true;
}

static void put_part(struct aliases *a, struct span s, struct buf *to)
{
	if (span_len(s) <= NAME_MAX && is_plain_part(s))
		add(to, s);
	else if (span_len(s) > NAME_MAX || !put_unit(a, s, to))
		alias_put(a, ALIAS_DIRECTORY, s, to);
}

/* "host:/directory" and "//host/directory", what is mounted over a network. */
static void put_remote(struct aliases *a, struct span *s, struct buf *to)
{
	const char *colon = memchr(s->ptr, ':', span_len(*s));
	const char *slash = memchr(s->ptr, '/', span_len(*s));
	struct span host;

	if (colon && slash == colon + 1) {
		anon_place(a, span_of(s->ptr, (size_t)(colon - s->ptr)), to);
		s->ptr = colon;
		buf_add_char(to, *s->ptr++);
	} else if (span_starts(*s, "//") && span_len(*s) > 2) {
		s->ptr += 2;
		buf_add_str(to, "//");
		slash = memchr(s->ptr, '/', span_len(*s));
		host = span_of(s->ptr, slash ? (size_t)(slash - s->ptr)
		                             : span_len(*s));
		anon_place(a, host, to);
		s->ptr = host.end;
	}
}

void anon_path(struct aliases *a, struct span s, struct buf *to)
{
	struct span part;

	if (span_empty(s))
		return;
	put_remote(a, &s, to);
	while (scan_until(&s, '/', &part)) {
		put_part(a, part, to);
		buf_add_char(to, '/');
	}
	put_part(a, s, to);
}

/* ---- programs --------------------------------------------------------- */

/* 0H, u8: a number and a letter. */
static bool is_short_tag(struct span s)
{
	unsigned letters = 0;

	for (; s.ptr < s.end; s.ptr++)
		letters += !anon_is_digit(*s.ptr);
	return letters < 2;
}

/* All words between other characters are known: kworker/u8:2, jbd2/sda1-8,
 * irq/24-nvme0q1. */
static bool is_plain_thread(struct span s)
{
	struct span w;

	while (!span_empty(s)) {
		for (w.ptr = s.ptr; s.ptr < s.end && (anon_is_letter(*s.ptr) ||
		    anon_is_digit(*s.ptr) || *s.ptr == '_');)
			s.ptr++;
		w.end = s.ptr;
		if (span_len(w) > 1 && !anon_is_number(w) &&
		    !anon_is_device(w) && !plain_is(PLAIN_PROGRAM, w) &&
		    !plain_is(PLAIN_PROGRAM, anon_stem(w)) &&
		    !is_short_tag(w))
			return false;
		if (s.ptr < s.end && ((unsigned char)*s.ptr >= 0x80 ||
		    *s.ptr < ' '))
			return false;
		s.ptr += s.ptr < s.end;
	}
	return true;
}

void anon_program(struct aliases *a, struct span s, struct buf *to)
{
	if (plain_is(PLAIN_PROGRAM, s) || is_plain_thread(s))
		add(to, s);
	else
		alias_put(a, ALIAS_PROGRAM, s, to);
}
