/* SPDX-License-Identifier: Apache-2.0 */
#include "web/keep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static const struct growth now = { 1, 100, 5 };

static void put(struct keep *k, const char *name, const struct growth *of)
{
	struct buf key = BUF_INIT;
	int fd = memfd_create("answer", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, name, strlen(name)), (ssize_t)strlen(name));
	buf_add_str(&key, name);
	keep_put(k, &key, of, fd, strlen(name));
	close(fd);
	buf_release(&key);
}

/* What is kept under its name has that name as its text. */
static bool has(struct keep *k, const char *name, const struct growth *is)
{
	struct buf key = BUF_INIT;
	uint64_t len = 0;
	char text[64];
	int fd;

	buf_add_str(&key, name);
	fd = keep_get(k, &key, is, &len);
	buf_release(&key);
	if (fd < 0)
		return false;
	assert_int_equal(pread(fd, text, sizeof(text), 0), (ssize_t)len);
	assert_int_equal(len, strlen(name));
	assert_memory_equal(text, name, len);
	close(fd);
	return true;
}

static void it_is_sent_while_the_recording_is_the_same(void **state)
{
	struct keep k = { .uses = 0 };
	struct growth other = now;

	(void)state;
	assert_false(has(&k, "a", &now));
	put(&k, "a", &now);
	put(&k, "ab", &now);
	assert_true(has(&k, "a", &now));
	assert_true(has(&k, "a", &now));
	assert_true(has(&k, "ab", &now));
	assert_false(has(&k, "b", &now));
	other.changed_ns++;
	assert_false(has(&k, "a", &other));
	assert_false(has(&k, "a", &now)); /* it is forgotten */
	put(&k, "a", &other);
	assert_true(has(&k, "a", &other));
	keep_release(&k);
	assert_false(has(&k, "a", &other));
}

static void the_one_not_asked_for_longest_goes(void **state)
{
	struct keep k = { .uses = 0 };
	char name[16];
	int i;

	(void)state;
	for (i = 0; i < KEEP_MAX; i++) {
		(void)snprintf(name, sizeof(name), "n%d", i);
		put(&k, name, &now);
	}
	assert_true(has(&k, "n0", &now));
	put(&k, "new", &now);
	assert_false(has(&k, "n1", &now));
	assert_true(has(&k, "n0", &now));
	assert_true(has(&k, "n2", &now));
	assert_true(has(&k, "new", &now));
	keep_release(&k);
}

static void a_large_one_is_not_kept(void **state)
{
	struct keep k = { .uses = 0 };
	struct buf key = BUF_INIT;
	uint64_t len;
	int fd = memfd_create("answer", MFD_CLOEXEC);

	(void)state;
	buf_add_str(&key, "x");
	keep_put(&k, &key, &now, fd, KEEP_BYTES_MAX + 1);
	assert_int_equal(keep_get(&k, &key, &now, &len), -1);
	close(fd);
	buf_release(&key);
	keep_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_sent_while_the_recording_is_the_same),
		cmocka_unit_test(the_one_not_asked_for_longest_goes),
		cmocka_unit_test(a_large_one_is_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
