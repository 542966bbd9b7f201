/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "cases.h"

struct fixture {
	char dir[64];
	struct root root;
};

static void put(const char *dir, const char *name, const char *text)
{
	char path[256];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void make_dir(const char *dir, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	strcpy(f->dir, "/tmp/gpsnap-root-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	make_dir(f->dir, "one");
	make_dir(f->dir, "one/proc");
	make_dir(f->dir, "one/proc/17");
	put(f->dir, "one/proc/uptime", "1.00 1.00\n");
	put(f->dir, "one/proc/17/stat", "17 (x) S");
	make_dir(f->dir, "two");
	make_dir(f->dir, "two/proc");
	make_dir(f->dir, "two/sys");
	put(f->dir, "two/proc/uptime", "2.00 2.00\n");
	put(f->dir, "two/sys/fact", "5\n");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char command[128];

	root_release(&f->root);
	(void)snprintf(command, sizeof(command), "rm -r %s", f->dir);
	assert_int_equal(system(command), 0);
	free(f);
	return 0;
}

static void point(struct fixture *f, const char *to)
{
	char link[128];

	(void)snprintf(link, sizeof(link), "%s/now", f->dir);
	(void)unlink(link);
	if (to)
		assert_int_equal(symlink(to, link), 0);
}

static void follows_a_link(void **state)
{
	struct fixture *f = *state;
	struct root *r = &f->root;
	struct span t;
	char link[128];
	int fd, kept = -1;

	(void)snprintf(link, sizeof(link), "%s/now", f->dir);
	root_init(r, link);
	point(f, "one");
	assert_int_equal(root_begin(r, NULL), 0);
	assert_false(r->procfs);
	assert_false(r->own_pids);
	assert_int_equal(root_read_kept(r, "uptime", &kept, false, &t), 0);
	assert_true(span_eq(t, "1.00 1.00\n"));
	assert_int_equal(kept, -1);
	assert_int_equal(root_read_sys(r, "fact", &t), -ENOENT);
	fd = root_open_pid(r, 17);
	assert_true(fd >= 0);
	assert_int_equal(root_read_pid(r, fd, 17, "stat", 4, &t), 0);
	assert_true(span_eq(t, "17 ("));
	assert_int_equal(root_read_pid(r, fd, 17, "io", 64, &t), -ENOENT);
	(void)close(fd);
	assert_int_equal(root_open_pid(r, 18), -ENOENT);
	root_end(r);
	point(f, "two");
	assert_int_equal(root_begin(r, NULL), 0);
	assert_int_equal(root_read_kept(r, "uptime", &kept, false, &t), 0);
	assert_true(span_eq(t, "2.00 2.00\n"));
	assert_int_equal(root_read_sys(r, "fact", &t), 0);
	assert_true(span_eq(t, "5\n"));
	assert_int_equal(r->tick, 2);
	root_end(r);
}

static void missing_tree(void **state)
{
	struct fixture *f = *state;
	struct gs_err err = { 0 };
	char link[128];

	(void)snprintf(link, sizeof(link), "%s/now", f->dir);
	root_init(&f->root, link);
	assert_int_equal(root_begin(&f->root, &err), GS_E_NOTFOUND);
	assert_non_null(strstr(err.msg, link));
}

static void large_files_grow_the_buffer(void **state)
{
	struct fixture *f = *state;
	struct root *r = &f->root;
	char path[128], line[101];
	struct span t;
	FILE *out;
	int i;

	memset(line, 'x', 99);
	line[99] = '\n';
	line[100] = '\0';
	(void)snprintf(path, sizeof(path), "%s/one/proc/large", f->dir);
	out = fopen(path, "we");
	assert_non_null(out);
	for (i = 0; i < 5000; i++)
		assert_true(fputs(line, out) >= 0);
	assert_int_equal(fclose(out), 0);
	(void)snprintf(path, sizeof(path), "%s/one", f->dir);
	root_init(r, path);
	assert_int_equal(root_begin(r, NULL), 0);
	assert_int_equal(root_read_proc(r, "large", &t), 0);
	assert_int_equal(span_len(t), 500000);
	assert_int_equal(t.end[-1], '\n');
	root_end(r);
}

static void dumps_what_is_read(void **state)
{
	struct fixture *f = *state;
	struct root *r = &f->root;
	char path[128], *text = NULL;
	size_t len = 0;
	struct span t;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/one", f->dir);
	root_init(r, path);
	r->dump = open_memstream(&text, &len);
	assert_int_equal(root_begin(r, NULL), 0);
	assert_int_equal(root_read_proc(r, "uptime", &t), 0);
	fd = root_open_pid(r, 17);
	assert_int_equal(root_read_pid(r, fd, 17, "stat", 64, &t), 0);
	(void)close(fd);
	root_note(r, 17, "clock", 5);
	root_end(r);
	(void)fclose(r->dump);
	assert_string_equal(text, "tick 1 proc/uptime 10\n1.00 1.00\n"
	    "tick 1 proc/17/stat 8\n17 (x) Stick 1 note/17/clock 2\n5\n");
	free(text);
}

static void the_real_one(void **state)
{
	struct fixture *f = *state;
	struct root *r = &f->root;
	struct span t, again;
	char first[64];
	int kept = -1, fd, before;

	root_init(r, "/");
	assert_int_equal(root_begin(r, NULL), 0);
	if (!r->procfs)
		skip();
	assert_true(r->own_pids);
	assert_int_equal(root_read_kept(r, "uptime", &kept, false, &t), 0);
	assert_true(kept >= 0);
	before = kept;
	(void)snprintf(first, sizeof(first), "%.*s", (int)span_len(t),
	    t.ptr);
	assert_int_equal(root_read_kept(r, "uptime", &kept, false, &again), 0);
	assert_int_equal(kept, before);
	assert_true(span_len(again) > 4);
	fd = root_open_pid(r, (uint32_t)getpid());
	assert_true(fd >= 0);
	assert_int_equal(root_read_pid(r, fd, (uint32_t)getpid(), "stat",
	    1 << 16, &t), 0);
	(void)close(fd);
	(void)close(kept);
	root_end(r);
	assert_true(r->proc_fd >= 0);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

/* One read of the kernel's own files is all of them. */
static void one_record(void **state)
{
	static const char *const names[] = { "meminfo", "stat", "net/netstat",
		"sys/fs/file-nr" };
	struct root r;
	size_t i;

	(void)state;
	root_init(&r, "/");
	assert_int_equal(root_begin(&r, NULL), 0);
	for (i = 0; i < GS_LEN(names); i++) {
		int fd = -1, n;
		struct span t;

		assert_int_equal(root_read_kept(&r, names[i], &fd, true, &t),
		    0);
		assert_true(t.end[-1] == '\n');
		/* nothing is left for a second one; figures may get longer */
		n = (int)span_len(t);
		assert_int_equal(root_read_kept(&r, names[i], &fd, false, &t),
		    0);
		assert_true(abs((int)span_len(t) - n) < 64);
		(void)close(fd);
	}
	root_end(&r);
	root_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(follows_a_link),
		TEST(missing_tree),
		TEST(large_files_grow_the_buffer),
		TEST(dumps_what_is_read),
		TEST(the_real_one),
		TEST(one_record),
	};

	return cmocka_run_group_tests_name("procfs root", tests, NULL, NULL);
}
