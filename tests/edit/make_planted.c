/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_planted.c - writes a recording that holds what must not be given away,
 * to the standard output: "PLANTED" is in all that gpsnap share takes out, and
 * in nothing else.
 */
#include "recording.h"
#include "simcluster.h"

static const char *const titles[] = {
	"/usr/bin/postgres -D /data/kept -p 6000 -c wal_conninfo=PLANTED",
	"postgres:  6000, kept_user kept_db 10.9.8.7(4444) con7 cmd3 SELECT",
	"postgres:  6000, kept_user kept_db [local] con8 cmd1 idle",
	"postgres:  6000, checkpointer",
	"curl -u me:PLANTED https://10.1.1.1/",
	"/opt/x/worker\tPLANTED",
	"PLANTED",
	"postgres --single -c x=PLANTED",
};

static const char *const queries[] = {
	"select * from kept_table where name = 'PLANTED' and n = 4711",
	"select 1 -- PLANTED",
	"insert into kept_table values ($$PLANTED$$, E'\\'PLANTED', 'PLANTED",
	"copy kept_table from stdin;\nPLANTED\t1\n",
};

static void fill(struct simcluster *c)
{
	size_t i;

	for (i = 0; i < GS_LEN(titles); i++) {
		size_t row = simhost_process(&c->host[0], OPEN_APPEARED,
		    100 + i, i >= 1 && i <= 3 ? 100 : 1, titles[i]);

		SIM_SET(&c->host[0], row, RSS, 1000 * (i + 1));
	}
	for (i = 0; i < GS_LEN(queries); i++)
		(void)simcluster_backend(c, -1, 101 + i, 7 + (int)i,
		    "active", queries[i], 3);
	(void)simcluster_lock(c, -1, 101, 7, "AccessShareLock", "kept_table",
	    -1);
}

static void put(struct recording *rec, struct simcluster *c, unsigned n)
{
	int64_t wall = SIM_EPOCH + (int64_t)n * SIM_SECOND;

	simhost_tick(&c->host[0], SIM_SECOND);
	simhost_tick(&c->catalog, SIM_SECOND);
	encoder_begin(rec->encoder, wall);
	if (n == 2)
		encoder_event(rec->encoder, EVENT_MARK, wall, EVENT_NO_HOST, 0,
		    "kept mark");
	encoder_block(rec->encoder, 0, c->host[0].world);
	encoder_block(rec->encoder, 1, c->catalog.world);
	recording_put(rec, encoder_end(rec->encoder), 0);
}

int main(void)
{
	static const char *const hosts[] = { "kept_host", NULL };
	struct simcluster c;
	struct recording rec;
	struct header *h;
	unsigned n;
	int bad;

	simcluster_init(&c, hosts, true);
	recording_init(&rec, 9);
	h = encoder_header(rec.encoder);
	h->content = CONTENT_TITLES | CONTENT_ARGUMENTS | CONTENT_QUERY_TEXT;
	header_add_host(h, 0, hosts[0]);
	header_add_catalog(h, 1, "catalog");
	header_add_setting(h, 1, "port", "6000");
	fill(&c);
	for (n = 1; n <= 8; n++)
		put(&rec, &c, n);
	bad = fwrite(rec.bytes.ptr, 1, rec.bytes.len, stdout) != rec.bytes.len;
	recording_release(&rec);
	simcluster_release(&c);
	return bad || fflush(stdout) != 0;
}
