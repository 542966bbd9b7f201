/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The replacement of names in texts of every kind.
 */
#include "anonymize/anon.h"
#include "anonymize/plain.h"
#include "cases.h"
#include "wordlists.h"

struct anon_case {
	const char *name;
	enum text_kind kind;
	const char *text;
	const char *want; /* NULL: it is left out */
};

static const struct anon_case rows[] = {
	{ "host", TEXT_HOST, "sdw3", "host-1" },
	{ "host with a domain", TEXT_HOST, "sdw3.acme.example",
	    "host-1.domain-1" },
	{ "localhost", TEXT_HOST, "localhost", "localhost" },
	{ "address as a host", TEXT_HOST, "10.0.0.5", "addr-1" },
	{ "address", TEXT_ADDRESS, "fe80::1%eth0", "addr-1" },
	{ "prefix", TEXT_ADDRESS, "10.0.0.0/8", "addr-1/8" },
	{ "loopback", TEXT_ADDRESS, "127.0.0.1", "127.0.0.1" },
	{ "another loopback", TEXT_ADDRESS, "127.0.0.2", "addr-1" },
	{ "user", TEXT_USER, "o'brien", "user-1" },
	{ "user that all have", TEXT_USER, "gpadmin", "gpadmin" },
	{ "database", TEXT_DATABASE, "Gr\xc3\xb6\xc3\x9f" "e DB", "db-1" },
	{ "application", TEXT_APPLICATION, "psql on host7", "app-1" },
	{ "psql", TEXT_APPLICATION, "psql", "psql" },
	{ "group", TEXT_GROUP, "acme", "group-1" },
	{ "default group", TEXT_GROUP, "default_group", "default_group" },
	{ "cluster", TEXT_CLUSTER, "15/main", "cluster-1" },
	{ "boot", TEXT_BOOT, "2e811e71-de11", "boot-1" },
	{ "empty", TEXT_USER, "", "" },
	{ "unknown kind", TEXT_UNKNOWN, "x", NULL },
	{ "data directory", TEXT_PATH, "/data1/primary/acme/gpseg7",
	    "/data1/primary/dir-1/gpseg7" },
	{ "coordinator's", TEXT_PATH, "/data/master/gpseg-1",
	    "/data/master/gpseg-1" },
	{ "other segments", TEXT_PATH, "/acme1/acme2/acme1",
	    "/dir-1/dir-2/dir-1" },
	{ "blank in a path", TEXT_PATH, "/data/my dir/", "/data/dir-1/" },
	{ "mounted", TEXT_PATH, "nas7:/export/acme",
	    "host-1:/export/dir-1" },
	{ "mounted, address", TEXT_PATH, "10.1.1.1:/export",
	    "addr-1:/export" },
	{ "mounted, windows", TEXT_PATH, "//nas7/acme", "//host-1/dir-1" },
	{ "volume", TEXT_PATH, "/dev/mapper/acme-pg", "/dev/mapper/dir-1" },
	{ "partition", TEXT_PATH, "/dev/nvme0n1p2", "/dev/nvme0n1p2" },
	{ "unit", TEXT_PATH, "/system.slice/postgresql@15-main.service",
	    "/system.slice/postgresql@dir-1.service" },
	{ "other unit", TEXT_PATH, "/system.slice/acme.service",
	    "/system.slice/dir-1.service" },
	{ "session", TEXT_PATH,
	    "/user.slice/user-1000.slice/session-3.scope",
	    "/user.slice/user-1000.slice/session-3.scope" },
	{ "socket", TEXT_PATH, "/tmp/.s.PGSQL.5432", "/tmp/.s.PGSQL.5432" },
	{ "disks", TEXT_DEVICE, "sda,dm-3,acme", "sda,dm-3,dev-1" },
	{ "net", TEXT_DEVICE, "enp0s31f6", "enp0s31f6" },
	{ "vlan", TEXT_DEVICE, "eth0.100", "eth0.100" },
	{ "bridge", TEXT_DEVICE, "br-acme", "dev-1" },
	{ "hardware address", TEXT_DEVICE, "enx001122aabbcc", "dev-1" },
	{ "program", TEXT_PROGRAM, "acmed", "prog-1" },
	{ "known program", TEXT_PROGRAM, "postgres", "postgres" },
	{ "thread of the kernel", TEXT_PROGRAM, "kworker/u8:2-events",
	    "kworker/u8:2-events" },
	{ "journal", TEXT_PROGRAM, "jbd2/sda1-8", "jbd2/sda1-8" },
	{ "thread with a name", TEXT_PROGRAM, "jbd2/acme-8", "prog-1" },
	{ "object", TEXT_OBJECT, "acme.\"my tab\"", "obj_1.obj_2" },
	{ "object by number", TEXT_OBJECT, "16384", "16384" },
	{ "toast", TEXT_OBJECT, "pg_toast.pg_toast_16384",
	    "pg_toast.pg_toast_16384" },
	{ "query", TEXT_QUERY, "SELECT Total FROM acme.orders WHERE total > ?",
	    "SELECT obj_1 FROM obj_2.obj_3 WHERE obj_1 > ?" },
	{ "keyword", TEXT_QUERY,
	    "alter table acme add primary key (id), owner to bob",
	    "alter table obj_1 add primary key (obj_2), owner to obj_3" },
	{ "keyword as a name", TEXT_QUERY, "select a.key from acme a",
	    "select obj_1.obj_2 from obj_3 obj_1" },
	{ "role", TEXT_QUERY, "create role bob login nosuperuser createdb",
	    "create role obj_1 login nosuperuser createdb" },
	{ "setting", TEXT_QUERY,
	    "set random_page_cost = ?; set optimizer_segments to ?",
	    "set random_page_cost = ?; set optimizer_segments to ?" },
	{ "setting in a message", TEXT_WORDS,
	    "parameter \"gp_vmem_protect_limit\" changed to \"acme\"",
	    "parameter \"gp_vmem_protect_limit\" changed to \"word-1\"" },
	{ "parameter of a table", TEXT_QUERY,
	    "create table acme (n int) with (fillfactor = ?)",
	    "create table obj_1 (obj_2 int) with (fillfactor = ?)" },
	{ "catalog", TEXT_QUERY, "select stats_reset, numbackends from "
	    "pg_stat_database where pg_stat_get_db_sessions(?) > ?",
	    "select stats_reset, numbackends from "
	    "pg_stat_database where pg_stat_get_db_sessions(?) > ?" },
	{ "no query", TEXT_QUERY, "<command string not enabled>",
	    "<command string not enabled>" },
	{ "kernel", TEXT_VERSION, "5.10.0-21-acme1-amd64",
	    "5.10.0-21-word-1-amd64" },
	{ "distribution", TEXT_VERSION, "12.2.0-14+deb12u1",
	    "12.2.0-14+deb12u1" },
	{ "message", TEXT_WORDS,
	    "FATAL:  password authentication failed for user \"o'brien\"",
	    "FATAL:  password authentication failed for user \"word-1\"" },
	{ "no such host", TEXT_WORDS, "Could not resolve hostname sdw3: Name "
	    "or service not known", "Could not resolve hostname word-1: Name "
	    "or service not known" },
	{ "blank in quotes", TEXT_WORDS, "database \"Big DB\" does not exist",
	    "database \"word-1\" does not exist" },
	{ "ssh", TEXT_WORDS, "ssh: connect to host sdw3.acme port 22: "
	    "Connection timed out", "ssh: connect to host word-1 port 22: "
	    "Connection timed out" },
	{ "address and port", TEXT_WORDS, "10.1.2.3:5432, [fe80::7]:22",
	    "addr-1:5432, [addr-2]:22" },
	{ "no prefix", TEXT_WORDS, "fe80::2/acme", "dir-1/dir-2" },
	{ "addresses hidden", TEXT_WORDS, "10.1.2.3-10.1.2.9",
	    "word-1" },
	{ "figures", TEXT_WORDS, "1.5GB, 20%, 12:30:01, 0/37D606F8",
	    "1.5GB, 20%, 12:30:01, 0/37D606F8" },
	{ "letters of hexadecimal", TEXT_WORDS, "BAD/CAFE", "dir-1/dir-2" },
	{ "letter to somebody", TEXT_WORDS, "bob@acme", "word-1@word-2" },
	{ "options", TEXT_WORDS, "gpsnap record --hosts=sdw1,sdw2 -i 5",
	    "gpsnap record --hosts=word-1,word-2 -i 5" },
	{ "executor", TEXT_TITLE, "postgres:  6002, bi demo 10.0.0.5(40836) "
	    "con147 seg0 cmd2 slice3 MPPEXEC SELECT",
	    "postgres:  6002, user-1 db-1 addr-1(40836) "
	    "con147 seg0 cmd2 slice3 MPPEXEC SELECT" },
	{ "executor at the coordinator", TEXT_TITLE,
	    "postgres:  6000, bi demo sdw3.acme(3848) con153 seg-1 idle",
	    "postgres:  6000, user-1 db-1 host-1.domain-1(3848) con153 seg-1 "
	    "idle" },
	{ "blanks in names", TEXT_TITLE,
	    "postgres:  6000, bi user odd db [local] con35 cmd2 idle",
	    "postgres:  6000, login-1 [local] con35 cmd2 idle" },
	{ "cluster's name", TEXT_TITLE,
	    "postgres: prod: app shop [local] idle in transaction",
	    "postgres: cluster-1: user-1 db-1 [local] idle in transaction" },
	{ "vacuum", TEXT_TITLE, "postgres: autovacuum worker shop",
	    "postgres: autovacuum worker db-1" },
	{ "address alone", TEXT_TITLE, "postgres: app shop 10.0.0.5 idle",
	    "postgres: user-1 db-1 addr-1 idle" },
	{ "no port", TEXT_TITLE, "postgres: app shop sdw3.acme(acme idle",
	    "postgres: user-1 db-1 host-1.domain-1 idle" },
	{ "standby", TEXT_TITLE,
	    "postgres:  7002, startup process   recovering "
	    "00000001000000000000000D",
	    "postgres:  7002, startup process   recovering "
	    "00000001000000000000000D" },
	{ "log sender", TEXT_TITLE, "postgres:  6002, wal sender process "
	    "repuser 10.0.0.6(40632) streaming 0/37D606F8",
	    "postgres:  6002, wal sender process user-1 addr-1(40632) "
	    "streaming 0/37D606F8" },
	{ "backup", TEXT_TITLE,
	    "postgres: walsender bob [local] sending backup \"acme\"",
	    "postgres: walsender user-1 [local] sending backup \"word-1\"" },
	{ "worker of an extension", TEXT_TITLE, "postgres: acme sync scheduler",
	    "postgres: word-1 sync word-2" },
	{ "cut", TEXT_TITLE, "postgres: acmeus", "postgres: word-1" },
	{ "server", TEXT_TITLE,
	    "/opt/acme/bin/postgres -D /data/acme/gpseg3 -p 6000",
	    "/opt/dir-1/bin/postgres -D /data/dir-1/gpseg3 -p 6000" },
};

static void replaces(void **state)
{
	const struct anon_case *row = *state;
	struct aliases *all = aliases_new();
	struct anon *a = anon_new(all);
	struct span now = { NULL, NULL };
	char got[256] = "";
	bool ok = anon_text(a, row->kind, span_str(row->text), &now);

	assert_int_equal(ok, row->want != NULL);
	if (ok) {
		assert_in_range(span_len(now), 0, sizeof(got) - 1);
		memcpy(got, now.ptr, span_len(now));
		assert_string_equal(got, row->want);
	}
	anon_free(a);
	aliases_free(all);
}

static void say(struct anon *a, enum text_kind kind, const char *text,
	const char *want)
{
	struct span now;

	assert_true(anon_text(a, kind, span_str(text), &now));
	if (!span_eq(now, want))
		fail_msg("%s: %.*s, want %s", text, (int)span_len(now),
		    now.ptr, want);
}

/* A name has the same pseudonym everywhere. */
static void same_everywhere(void **state)
{
	struct aliases *all = aliases_new();
	struct anon *a = anon_new(all);

	(void)state; /* none */
	say(a, TEXT_HOST, "sdw3.acme", "host-1.domain-1");
	say(a, TEXT_HOST, "sdw3", "host-1");
	say(a, TEXT_WORDS, "sdw3: no answer", "host-1: no answer");
	say(a, TEXT_WORDS, "sdw3.acme: lost", "host-1.domain-1: lost");
	say(a, TEXT_DATABASE, "Big DB", "db-1");
	say(a, TEXT_WORDS, "database \"Big DB\"", "database \"db-1\"");
	say(a, TEXT_USER, "acme", "user-1");
	say(a, TEXT_OBJECT, "acme", "obj_1");
	say(a, TEXT_QUERY, "select * from ACME", "select * from obj_1");
	anon_free(a);
	aliases_free(all);
}

static void settings(void **state)
{
	struct aliases *all = aliases_new();
	struct anon *a = anon_new(all);
	struct span now;

	(void)state; /* none */
	assert_false(anon_setting(a, "acme.key", span_str("x"), &now));
	assert_true(anon_setting(a, "work_mem", span_str("64MB"), &now));
	assert_true(span_eq(now, "64MB"));
	assert_true(anon_setting(a, "cluster_name", span_str("prod"), &now));
	assert_true(span_eq(now, "cluster-1"));
	assert_true(anon_setting(a, "unix_socket_directories",
	    span_str("/tmp, /run/acme"), &now));
	assert_true(span_eq(now, "/tmp, /run/dir-1"));
	anon_free(a);
	aliases_free(all);
}

static void sorted(void **state)
{
	int k;

	(void)state; /* none */
	for (k = 0; k < PLAIN_COUNT; k++)
		wordlist_expect_sorted(plain_list((enum plain)k));
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, replaces, rows);
	cases_add(&c, "same everywhere", same_everywhere, NULL);
	cases_add(&c, "settings", settings, NULL);
	cases_add(&c, "lists of words are in order", sorted, NULL);
	return cases_run(&c, "anon");
}
