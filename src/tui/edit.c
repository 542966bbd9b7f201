/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/edit.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "tui/keys.h"

void edit_set(struct edit *e, const char *text)
{
	buf_reset(&e->text);
	buf_add_str(&e->text, text);
	e->at = e->text.len;
	e->selected = e->text.len > 0;
}

void edit_release(struct edit *e)
{
	buf_release(&e->text);
	e->at = 0;
	e->selected = false;
}

/* Continuation bytes move with their character. */
static bool inside(const struct edit *e, size_t at)
{
	return at < e->text.len &&
	    ((unsigned char)e->text.ptr[at] & 0xc0) == 0x80;
}

static size_t left(const struct edit *e)
{
	size_t at = e->at;

	while (at > 0 && inside(e, --at))
		;
	return at;
}

static size_t right(const struct edit *e)
{
	size_t at = GS_MIN(e->at + 1, e->text.len);

	while (inside(e, at))
		at++;
	return at;
}

static void erase(struct edit *e, size_t from, size_t to)
{
	if (from == to)
		return;
	memmove(e->text.ptr + from, e->text.ptr + to, e->text.len - to);
	e->text.len -= to - from;
	e->text.ptr[e->text.len] = '\0';
	e->at = from;
}

static void insert(struct edit *e, const char *p, size_t len)
{
	if (len == 0 || e->text.len + len > EDIT_BYTES_MAX)
		return;
	(void)buf_reserve(&e->text, len);
	memmove(e->text.ptr + e->at + len, e->text.ptr + e->at,
	    e->text.len - e->at);
	memcpy(e->text.ptr + e->at, p, len);
	e->text.len += len;
	e->text.ptr[e->text.len] = '\0';
	e->at += len;
}

static bool is_typed(int key)
{
	return key >= ' ' && key < 256 && key != 0x7f;
}

bool edit_key(struct edit *e, int key)
{
	char c = (char)key;

	if (e->selected && is_typed(key))
		erase(e, 0, e->text.len);
	e->selected = false;
	if (key == TKEY_BACKSPACE) {
		erase(e, left(e), e->at);
	} else if (key == TKEY_DELETE) {
		size_t at = e->at;

		erase(e, at, right(e));
	} else if (key == TKEY_LEFT) {
		e->at = left(e);
	} else if (key == TKEY_RIGHT) {
		e->at = right(e);
	} else if (key == TKEY_HOME) {
		e->at = 0;
	} else if (key == TKEY_END) {
		e->at = e->text.len;
	} else if (key == TKEY_CTRL('u')) {
		erase(e, 0, e->at);
	} else if (key == TKEY_CTRL('w')) {
		size_t start = e->at;

		while (start > 0 && e->text.ptr[start - 1] == ' ')
			start--;
		while (start > 0 && e->text.ptr[start - 1] != ' ')
			start--;
		erase(e, start, e->at);
	} else if (is_typed(key)) {
		insert(e, &c, 1);
	} else {
		return false;
	}
	return true;
}

size_t edit_word(const struct edit *e)
{
	size_t start = e->at;

	while (start > 0 && (isalnum((unsigned char)e->text.ptr[start - 1]) ||
	    e->text.ptr[start - 1] == '_' || e->text.ptr[start - 1] == '.'))
		start--;
	return start;
}

void edit_replace(struct edit *e, size_t start, const char *text)
{
	e->selected = false;
	erase(e, start, e->at);
	insert(e, text, strlen(text));
}
