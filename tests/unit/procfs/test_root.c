/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "cases.h"
#include "procfs/inroot.h"

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

static void link_to(const char *dir, const char *name, const char *to)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(symlink(to, path), 0);
}

/* A tree with links that lead out of it, and with a FIFO. */
static void make_traps(const struct fixture *f)
{
	char path[256];

	put(f->dir, "secret", "secret\n");
	make_dir(f->dir, "two/etc");
	put(f->dir, "two/etc/passwd", "inside\n");
	make_dir(f->dir, "two/proc/17");
	put(f->dir, "two/proc/17/stat", "17 (y) S");
	link_to(f->dir, "two/proc/self", "17");
	link_to(f->dir, "two/proc/up", "../../secret");
	link_to(f->dir, "two/proc/loop", "loop");
	link_to(f->dir, "two/proc/17/up", "../../../secret");
	(void)snprintf(path, sizeof(path), "%s/secret", f->dir);
	link_to(f->dir, "two/proc/out", path);
	link_to(f->dir, "two/proc/17/cmdline", path);
	link_to(f->dir, "two/sys/out", path);
	link_to(f->dir, "two/proc/users", "/etc/passwd");
	link_to(f->dir, "two/proc/18", f->dir);
	(void)snprintf(path, sizeof(path), "%s/two/sys/fifo", f->dir);
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void stays_inside(void **state)
{
	struct fixture *f = *state;
	struct root *r = &f->root;
	struct span t;
	char path[128];
	int fd, kept = -1;

	make_traps(f);
	(void)snprintf(path, sizeof(path), "%s/two", f->dir);
	root_init(r, path);
	assert_int_equal(root_begin(r, NULL), 0);
	assert_int_equal(root_read_proc(r, "out", &t), -ENOENT);
	assert_int_equal(root_read_proc(r, "up", &t), -ENOENT);
	assert_int_equal(root_read_kept(r, "out", &kept, false, &t), -ENOENT);
	assert_int_equal(root_read_sys(r, "out", &t), -ENOENT);
	assert_int_equal(root_read_sys_kept(r, "fifo", &kept, &t), -EINVAL);
	assert_int_equal(root_read_proc(r, "loop", &t), -ELOOP);
	assert_int_equal(root_open_pid(r, 18), -ENOENT);
	assert_false(root_exists(r, r->sys_fd, "out"));
	assert_int_equal(root_read_file(r, "../../secret", 64, &t), -ENOENT);
	assert_int_equal(root_read_file(r, "../etc/passwd", 64, &t), 0);
	assert_true(span_eq(t, "inside\n"));
	assert_int_equal(root_read_file(r, "/etc/passwd", 64, &t), 0);
	assert_true(span_eq(t, "inside\n"));
	assert_int_equal(root_read_proc(r, "users", &t), 0);
	assert_true(span_eq(t, "inside\n"));
	assert_int_equal(root_read_proc(r, "self/stat", &t), 0);
	assert_true(span_eq(t, "17 (y) S"));
	fd = root_open_pid(r, 17);
	assert_true(fd >= 0);
	assert_int_equal(root_read_pid(r, fd, 17, "cmdline", 64, &t), -ELOOP);
	assert_int_equal(root_read_pid(r, fd, 17, "up", 64, &t), -ELOOP);
	assert_int_equal(root_read_pid(r, fd, 17, "stat", 64, &t), 0);
	(void)close(fd);
	assert_int_equal(root_readlink(r, r->proc_fd, "self", &t), 0);
	assert_true(span_eq(t, "17"));
	root_end(r);
}

/* Both ways to open give the same, on a kernel that has openat2(). */
static void walks_as_the_kernel(void **state)
{
	static const struct {
		const char *path;
		int flags, want; /* -errno, or 0 */
	} cases[] = {
		{ "proc/17/stat", O_RDONLY, 0 },
		{ "/proc//./self/../17/stat", O_RDONLY, 0 },
		{ "../../proc/self/stat", O_RDONLY, 0 },
		{ "proc/users", O_RDONLY, 0 },
		{ "proc/self/", O_RDONLY | O_DIRECTORY, 0 },
		{ "proc/self", O_RDONLY | O_DIRECTORY, 0 },
		{ "proc/self", O_PATH | O_NOFOLLOW, 0 },
		{ "..", O_PATH, 0 },
		{ "proc/out", O_RDONLY, -ENOENT },
		{ "proc/up", O_RDONLY, -ENOENT },
		{ "proc/18", O_PATH, -ENOENT },
		{ "proc/loop", O_RDONLY, -ELOOP },
		{ "proc/17/stat/x", O_RDONLY, -ENOTDIR },
		{ "proc/nothing/x", O_RDONLY, -ENOENT },
		{ "", O_RDONLY, -ENOENT },
	};
	struct fixture *f = *state;
	char path[128];
	size_t i;
	int dir, fd;

	make_traps(f);
	(void)snprintf(path, sizeof(path), "%s/two", f->dir);
	dir = open(path, O_PATH | O_CLOEXEC);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fd = inroot_open(dir, cases[i].path, cases[i].flags,
		    INROOT_LINKS);
		assert_int_equal(fd < 0 ? fd : 0, cases[i].want);
		if (fd >= 0)
			(void)close(fd);
		fd = inroot_walk(dir, cases[i].path, cases[i].flags,
		    INROOT_LINKS);
		assert_int_equal(fd < 0 ? fd : 0, cases[i].want);
		if (fd >= 0)
			(void)close(fd);
	}
	assert_int_equal(inroot_walk(dir, "proc/self/stat", O_RDONLY,
	    INROOT_NO_LINKS), -ELOOP);
	assert_int_equal(inroot_walk(dir, "proc/users", O_RDONLY,
	    INROOT_NO_LINKS), -ELOOP);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_int_equal(fd, dir + 1); /* nothing was left open */
	(void)close(fd);
	(void)close(dir);
}

/* A link of the kernel to a working directory, in a root that is not "/". */
static void working_directory(void **state)
{
	struct fixture *f = *state;
	struct root *r = &f->root;
	struct span t;
	struct stat st;
	char path[128];

	make_traps(f);
	(void)snprintf(path, sizeof(path), "%s/two/proc", f->dir);
	assert_int_equal(chdir(path), 0);
	root_init(r, "//");
	assert_int_equal(root_begin(r, NULL), 0);
	assert_true(r->procfs);
	(void)snprintf(path, sizeof(path), "%d/cwd/uptime", (int)getpid());
	assert_int_equal(root_read_file(r, path, 64, &t), 0);
	assert_true(span_eq(t, "2.00 2.00\n"));
	(void)snprintf(path, sizeof(path), "%d/cwd/out", (int)getpid());
	assert_int_equal(root_read_file(r, path, 64, &t), -ELOOP);
	(void)snprintf(path, sizeof(path), "%d/cwd", (int)getpid());
	assert_int_equal(root_stat(r, r->proc_fd, path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(root_readlink(r, r->proc_fd, path, &t), 0);
	assert_true(span_starts(t, f->dir));
	(void)snprintf(path, sizeof(path), "%d/root/etc/passwd",
	    (int)getpid());
	assert_int_equal(root_read_file(r, path, 64, &t), -ELOOP);
	root_end(r);
	assert_int_equal(chdir("/"), 0);
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
		TEST(stays_inside),
		TEST(walks_as_the_kernel),
		TEST(working_directory),
		TEST(the_real_one),
		TEST(one_record),
	};

	return cmocka_run_group_tests_name("procfs root", tests, NULL, NULL);
}
