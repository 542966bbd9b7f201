/* SPDX-License-Identifier: Apache-2.0 */
/*
 * anon_int.h - shared by the files of anon.
 */
#ifndef GS_ANONYMIZE_ANON_INT_H
#define GS_ANONYMIZE_ANON_INT_H

#include "anonymize/alias.h"
#include "anonymize/plain.h"
#include "title/title.h"

enum anon_word_flag {
	ANON_PARTS = 1, /* words are made of parts: 5.10.0-21-amd64 */
	ANON_TITLE = 2 /* con7, seg-1, SELECT */
};

/* Appends the replacement of s. */
typedef void anon_fn(struct aliases *a, struct span s, struct buf *to);

anon_fn anon_user, anon_database, anon_cluster, anon_host, anon_place,
	anon_path, anon_devices, anon_program;

/* The same of a name of a kind, unless it is empty or in the list of names that
 * stay. */
void anon_name(struct aliases *a, enum plain keep, enum alias_kind kind,
	struct span s, struct buf *to);

void anon_words(struct aliases *a, struct span s, unsigned flags,
	struct buf *to);

/* False: there is no replacement with the same meaning. */
bool anon_title(struct aliases *a, struct span s, struct buf *to);
bool anon_parsed_title(struct aliases *a, struct span s,
	const struct title *t, struct buf *to);

/* s is an IP address. */
bool anon_is_address(struct span s);

/* s is a kernel device name: sda1, eth0, dm-3. */
bool anon_is_device(struct span s);

/* Not empty, and of digits only. */
bool anon_is_number(struct span s);

/* s without the digits at its end. */
struct span anon_stem(struct span s);

static inline bool anon_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool anon_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

#endif
