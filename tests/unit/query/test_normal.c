/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as classes: what is replaced, what a class of one keeps.
 */
#include "query/normal.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "cases.h"

#define NAMES 6
#define UUID_A "0d5a3c1e-77aa-4b1c-9e2f-001122334455"
#define UUID_B "12345678-1234-1234-1234-123456789012"
#define UUID_C "0d5a3c1e_77aa_4b1c_9e2f_001122334455"
#define HEX_A "4f5e6d7c8b9a00112233445566778899aabbccddeeff00112233445566778899"
#define HEX_B "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

/* The names that exist, and what each is shown as. */
struct row {
	const char *name;
	enum normal_kind kind;
	const char *glob;
	struct {
		const char *name, *shown;
	} of[NAMES];
};

static const struct row rows[] = {
	{ "digits", NORMAL_COMMAND, NULL, { { "a/1", "a/{N}" },
	    { "a/22", "a/{N}" } } },
	{ "one name is literal", NORMAL_COMMAND, NULL, { { "a/1", "a/1" },
	    { "b/1", "b/1" } } },
	{ "the same name twice is one", NORMAL_COMMAND, NULL,
	    { { "a/1", "a/1" }, { "a/1", "a/1" } } },
	{ "kworkers", NORMAL_COMMAND, NULL, {
	    { "kworker/0:1", "kworker/{N}:{N}" },
	    { "kworker/3:0", "kworker/{N}:{N}" },
	    { "kworker/0:1H", "kworker/{N}:{N}H" },
	    { "kworker/1:2H", "kworker/{N}:{N}H" },
	    { "kworker/u8:2-events_unbound", "kworker/u{N}:{N}-events_unbound" },
	    { "kworker/u16:0-events_unbound",
	      "kworker/u{N}:{N}-events_unbound" } } },
	{ "java", NORMAL_COMMAND, NULL, { { "GC Thread#3", "GC Thread#{N}" },
	    { "GC Thread#12", "GC Thread#{N}" },
	    { "C2 CompilerThre", "C2 CompilerThre" },
	    { "VM Thread", "VM Thread" },
	    { "G1 Conc#0", "G1 Conc#0" } } },
	{ "hexadecimal has a digit and two characters", NORMAL_COMMAND, NULL, {
	    { "x 7f", "x {H}" }, { "x a0", "x {H}" }, { "x fe", "x fe" },
	    { "x f", "x f" }, { "x 7", "x 7" } } },
	{ "prefix and suffix", NORMAL_COMMAND, NULL, {
	    { "sdw1", "sdw{N}" }, { "sdw22", "sdw{N}" },
	    { "1st", "{N}st" }, { "2st", "{N}st" } } },
	{ "digits in the middle", NORMAL_COMMAND, NULL, {
	    { "x1y", "x1y" }, { "x2y", "x2y" } } },
	{ "pgbouncer", NORMAL_COMMAND, NULL, { { "pgbouncer", "pgbouncer" },
	    { "pgbouncer-1", "pgbouncer-{N}" },
	    { "pgbouncer-2", "pgbouncer-{N}" } } },
	{ "brackets, plus, blanks", NORMAL_COMMAND, NULL, {
	    { "a[1]+2 3", "a[{N}]+{N} {N}" },
	    { "a[7]+8 9", "a[{N}]+{N} {N}" } } },
	{ "empty", NORMAL_COMMAND, NULL, { { "", "" }, { "-", "-" } } },
	{ "uuid", NORMAL_COMMAND, NULL, { { "p-" UUID_A, "p-{UUID}" },
	    { "p-" UUID_B, "p-{UUID}" } } },
	{ "uuid of one more digit", NORMAL_COMMAND, NULL, {
	    { UUID_A "0", UUID_A "0" } } },
	{ "systemd", NORMAL_CGROUP, NULL, {
	    { "/system.slice/postgresql@15-main.service",
	      "/system.slice/postgresql@{I}.service" },
	    { "/system.slice/postgresql@16-test.service",
	      "/system.slice/postgresql@{I}.service" },
	    { "/user.slice/user-1000.slice/user@1000.service/init.scope",
	      "/user.slice/user-{N}.slice/user@{I}.service/init.scope" },
	    { "/user.slice/user-1001.slice/user@1001.service/init.scope",
	      "/user.slice/user-{N}.slice/user@{I}.service/init.scope" },
	    { "/system.slice/getty@tty1.service",
	      "/system.slice/getty@tty1.service" } } },
	{ "no unit", NORMAL_CGROUP, NULL, { { "/a@x.b", "/a@x.b" },
	    { "/a@y.b", "/a@y.b" }, { "/@.service", "/@.service" } } },
	{ "same text stays", NORMAL_CGROUP, NULL, {
	    { "/gpdb/6438/1", "/gpdb/6438/{N}" },
	    { "/gpdb/6438/2", "/gpdb/6438/{N}" } } },
	{ "one that differs suffices", NORMAL_CGROUP, NULL, {
	    { "/a/1/1", "/a/{N}/{N}" }, { "/a/1/2", "/a/{N}/{N}" },
	    { "/a/2/1", "/a/{N}/{N}" } } },
	{ "resource groups", NORMAL_CGROUP, NULL, {
	    { "gpdb/6438", "gpdb/{N}" }, { "gpdb/16501", "gpdb/{N}" },
	    { "gpdb/queries", "gpdb/queries" } } },
	{ "pods", NORMAL_CGROUP, NULL, {
	    { "/kubepods.slice/kubepods-besteffort-pod" UUID_C
	      ".slice/docker-" HEX_A ".scope",
	      "/kubepods.slice/kubepods-besteffort-pod{UUID}.slice/"
	      "docker-{H}.scope" },
	    { "/kubepods.slice/kubepods-besteffort-pod"
	      "99999999_9999_9999_9999_999999999999.slice/docker-" HEX_B
	      ".scope",
	      "/kubepods.slice/kubepods-besteffort-pod{UUID}.slice/"
	      "docker-{H}.scope" },
	    { "/kubepods/burstable/pod" UUID_A "/" HEX_A,
	      "/kubepods/burstable/pod{UUID}/{H}" },
	    { "/kubepods/burstable/pod" UUID_B "/" HEX_B,
	      "/kubepods/burstable/pod{UUID}/{H}" } } },
	{ "flattened", NORMAL_CGROUP, "/k8s/*/w", {
	    { "/k8s/x1/w", "/k8s/*/w" }, { "/k8s/q/y/w", "/k8s/*/w" },
	    { "/k8s/x1/v", "/k8s/x{N}/v" }, { "/k8s/x2/v", "/k8s/x{N}/v" } } },
	{ "one flattened", NORMAL_CGROUP, "/a?", { { "/a1", "/a?" },
	    { "/b1", "/b1" } } },
	{ "only globs", NORMAL_NONE, "/a*", { { "/a1", "/a*" }, { "/b1", "/b1" },
	    { "/b2", "/b2" } } },
	{ "parallel workers", NORMAL_TITLE, NULL, {
	    { "postgres: parallel worker for PID 4711",
	      "postgres: parallel worker for PID {N}" },
	    { "postgres: parallel worker for PID 812",
	      "postgres: parallel worker for PID {N}" } } },
	{ "autovacuum", NORMAL_TITLE, NULL, {
	    { "postgres: autovacuum worker shop",
	      "postgres: autovacuum worker {I}" },
	    { "postgres: autovacuum worker my db",
	      "postgres: autovacuum worker {I}" },
	    { "postgres: autovacuum worker process   shop",
	      "postgres: autovacuum worker process   shop" },
	    { "postgres: autovacuum launcher",
	      "postgres: autovacuum launcher" } } },
	{ "walsender", NORMAL_TITLE, NULL, {
	    { "postgres: walsender repl 10.0.0.6(5123) streaming 0/3000060",
	      "postgres: walsender {I}" },
	    { "postgres: walsender bob [local] sending backup \"acme\"",
	      "postgres: walsender {I}" },
	    { "vi walsender a", "vi walsender a" },
	    { "vi walsender b", "vi walsender b" } } },
	{ "backends", NORMAL_TITLE, NULL, {
	    { "postgres:  6000, gpadmin dw 10.0.0.6(5123) con7 seg1 cmd2 idle",
	      "postgres:  {N}, gpadmin dw {N}.{N}.{N}.{N}({N}) con{N} seg{N} "
	      "cmd{N} idle" },
	    { "postgres:  6001, gpadmin dw 10.0.0.7(61) con71 seg0 cmd20 idle",
	      "postgres:  {N}, gpadmin dw {N}.{N}.{N}.{N}({N}) con{N} seg{N} "
	      "cmd{N} idle" } } },
};

static struct normal *make(const struct row *r, bool backwards)
{
	struct normal *n = normal_new(r->kind);
	size_t i;

	if (r->glob)
		assert_int_equal(normal_flatten(n, r->glob, NULL), GS_OK);
	for (i = 0; i < NAMES; i++) {
		const char *name = r->of[backwards ? NAMES - 1 - i : i].name;

		if (name)
			normal_add(n, span_str(name));
	}
	return n;
}

static void test_names(void **state)
{
	const struct row *r = *state;
	int backwards;
	size_t i;

	for (backwards = 0; backwards < 2; backwards++) {
		struct normal *n = make(r, backwards != 0);

		for (i = 0; i < NAMES && r->of[i].name; i++) {
			char class[512];

			assert_string_equal(normal_name(n,
			    span_str(r->of[i].name)), r->of[i].shown);
			(void)snprintf(class, sizeof(class), "%s",
			    normal_class(n, span_str(r->of[i].name)));
			assert_string_equal(normal_shown(n, class),
			    r->of[i].shown);
		}
		normal_free(n);
	}
}

/* The class is the same before any name was added. */
static void test_class(void **state)
{
	struct normal *n = normal_new(NORMAL_CGROUP);
	const char *name = "/gpdb/6438/x1";

	(void)state;
	assert_string_equal(normal_class(n, span_str(name)), "/gpdb/{N}/x{N}");
	assert_string_equal(normal_name(n, span_str(name)), name);
	normal_add(n, span_str("/gpdb/1/x2"));
	assert_string_equal(normal_name(n, span_str(name)), "/gpdb/1/x2");
	normal_add(n, span_str(name));
	assert_string_equal(normal_name(n, span_str(name)), "/gpdb/{N}/x{N}");
	normal_clear(n);
	assert_string_equal(normal_name(n, span_str(name)), name);
	normal_free(n);
}

static void test_long(void **state)
{
	struct normal *n = normal_new(NORMAL_COMMAND);
	struct buf longest = BUF_INIT, more = BUF_INIT;
	char text[] = "1-1";
	size_t i;

	(void)state;
	/* 100 places: those after the first 64 stay */
	for (i = 0; i < 100; i++) {
		buf_add_str(&longest, i ? "-1" : "1");
		buf_add_str(&more, i ? "-2" : "2");
	}
	normal_add(n, span_of(longest.ptr, longest.len));
	normal_add(n, span_of(more.ptr, more.len));
	assert_string_equal(normal_name(n, span_of(more.ptr, more.len)),
	    buf_str(&more));
	buf_reset(&longest);
	buf_add_fill(&longest, '1', NORMAL_NAME_MAX + 1);
	normal_add(n, span_str("1"));
	normal_add(n, span_of(longest.ptr, longest.len));
	assert_string_equal(normal_name(n, span_of(longest.ptr, longest.len)),
	    buf_str(&longest));
	assert_string_equal(normal_name(n, span_str("1")), "1");
	/* not NUL-terminated */
	normal_add(n, span_str("2-2"));
	assert_string_equal(normal_name(n, span_of(text, 1)), "1");
	buf_release(&longest);
	buf_release(&more);
	normal_free(n);
}

static void test_globs(void **state)
{
	struct normal *n = normal_new(NORMAL_CGROUP);
	char glob[NORMAL_GLOB_LEN_MAX + 2];
	struct gs_err err;
	int i;

	(void)state;
	memset(glob, 'a', sizeof(glob));
	glob[sizeof(glob) - 1] = '\0';
	assert_int_equal(normal_flatten(n, "", &err), GS_E_USAGE);
	assert_string_equal(err.msg, "a glob has 0 bytes: expected 1 to 256");
	assert_int_equal(normal_flatten(n, glob, &err), GS_E_USAGE);
	for (i = 0; i < NORMAL_GLOBS_MAX; i++)
		assert_int_equal(normal_flatten(n, i ? "/x*" : "/x1*", &err),
		    GS_OK);
	assert_int_equal(normal_flatten(n, "b", &err), GS_E_USAGE);
	assert_string_equal(err.msg, "more than 64 globs");
	assert_string_equal(normal_class(n, span_str("/x12")), "/x1*");
	assert_string_equal(normal_class(n, span_str("/x2")), "/x*");
	normal_free(n);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_names, rows);
	cases_add(&c, "class", test_class, NULL);
	cases_add(&c, "long names", test_long, NULL);
	cases_add(&c, "globs", test_globs, NULL);
	return cases_run(&c, "normal");
}
