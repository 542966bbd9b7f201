/* SPDX-License-Identifier: Apache-2.0 */
#include "web/keep.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool is_free(const struct kept *x)
{
	return x->key.len == 0;
}

static void drop(struct kept *x)
{
	if (!is_free(x))
		(void)close(x->fd); /* was only read */
	buf_release(&x->key);
	*x = (struct kept) { .fd = -1 };
}

static bool is_same(const struct growth *a, const struct growth *b)
{
	return a->files == b->files && a->bytes == b->bytes &&
	    a->changed_ns == b->changed_ns;
}

static struct kept *find(struct keep *k, const struct buf *key)
{
	size_t i;

	for (i = 0; i < KEEP_MAX; i++) {
		struct kept *x = &k->kept[i];

		if (!is_free(x) && x->key.len == key->len &&
		    memcmp(x->key.ptr, key->ptr, key->len) == 0)
			return x;
	}
	return NULL;
}

static struct kept *find_room(struct keep *k)
{
	struct kept *oldest = &k->kept[0];
	size_t i;

	for (i = 0; i < KEEP_MAX; i++) {
		if (is_free(&k->kept[i]))
			return &k->kept[i];
		if (k->kept[i].used < oldest->used)
			oldest = &k->kept[i];
	}
	return oldest;
}

static int copy_of(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int keep_get(struct keep *k, const struct buf *key, const struct growth *now,
	uint64_t *ret_len)
{
	struct kept *x = find(k, key);

	if (!x)
		return -1;
	if (!is_same(&x->of, now)) {
		drop(x);
		return -1;
	}
	x->used = ++k->uses;
	*ret_len = x->len;
	return copy_of(x->fd);
}

void keep_put(struct keep *k, const struct buf *key, const struct growth *of,
	int fd, uint64_t len)
{
	struct kept *x = find(k, key);
	int own = len <= KEEP_BYTES_MAX ? copy_of(fd) : -1;

	if (own < 0)
		return;
	if (!x)
		x = find_room(k);
	drop(x);
	*x = (struct kept) { .of = *of, .fd = own, .len = len,
		.used = ++k->uses };
	buf_add(&x->key, key->ptr, key->len);
}

void keep_release(struct keep *k)
{
	size_t i;

	for (i = 0; i < KEEP_MAX; i++)
		drop(&k->kept[i]);
}
