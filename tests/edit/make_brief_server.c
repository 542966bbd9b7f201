/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_brief_server.c - writes a recording of a minute in which one server works
 * all the time, and another one starts, works and ends within eight seconds:
 *
 *   make_brief_server FILE
 */
#include <fcntl.h>

#include "recording.h"
#include "simcluster.h"

#define TICKS 60
#define STARTS 24
#define ENDS 32

struct brief_server {
	size_t postmaster, backend;
};

static struct brief_server start(struct simhost *h, uint64_t pid, uint64_t port,
	enum row_open how)
{
	char datadir[32];
	struct brief_server s;

	(void)snprintf(datadir, sizeof(datadir), "/data/%u", (unsigned)port);
	s.postmaster = simcluster_server(h, pid, port, datadir);
	s.backend = simcluster_process(h, how, pid + 1, pid,
	    "postgres: bob dw [local] SELECT");
	SIM_SET(h, s.backend, STATE, 'R');
	return s;
}

static void end(struct simhost *h, const struct brief_server *s)
{
	SIM_EXIT(h, s->backend);
	SIM_EXIT(h, s->postmaster);
	/* the second row of its entity */
	simhost_close(h, ENTITY_POSTMASTER, 1, CLOSE_EXITED);
}

static void life(struct recording *r, struct simhost *h)
{
	struct brief_server all, brief = { 0 };
	unsigned n;

	all = start(h, 100, 5432, OPEN_APPEARED);
	for (n = 1; n <= TICKS; n++) {
		if (n == STARTS)
			brief = start(h, 200, 5433, OPEN_BORN);
		if (n == ENDS)
			end(h, &brief);
		SIM_ADD(h, all.backend, CPU, 900000);
		if (n > STARTS && n < ENDS)
			SIM_ADD(h, brief.backend, CPU, 900000);
		simhost_tick(h, SIM_SECOND);
		recording_tick(r, &h, 1);
	}
}

int main(int argc, char **argv)
{
	struct recording r;
	struct simhost h;
	struct header *head;
	int fd;

	if (argc != 2)
		return 64;
	simhost_init(&h, "db1");
	recording_init(&r, 1);
	head = encoder_header(r.encoder);
	head->content = CONTENT_TITLES;
	head->recorder_host = gs_strdup("db1");
	header_add_host(head, 0, "db1");
	life(&r, &h);
	recording_close(&r);
	fd = open(argv[1], O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 ||
	    write(fd, r.bytes.ptr, r.bytes.len) != (ssize_t)r.bytes.len ||
	    close(fd) < 0)
		abort();
	recording_release(&r);
	simhost_release(&h);
	return 0;
}
