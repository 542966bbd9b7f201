/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every scanner over every captured tree in samples/proc, against its
 * golden.txt, which tests/refresh writes again.
 */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "cases.h"
#include "celltext.h"
#include "golden.h"
#include "procfs/host.h"
#include "procfs/pid.h"
#include "procfs/root.h"

#define TREE GS_SOURCE_DIR "/samples/proc/greenplum6-6.18"

static void host_files(struct root *r, struct buf *out)
{
	static const struct {
		const char *path;
		void (*scan)(struct span, struct cells);
	} files[] = {
		{ "stat", stat_scan }, { "meminfo", meminfo_scan },
		{ "vmstat", vmstat_scan }, { "loadavg", loadavg_scan },
		{ "uptime", uptime_scan }, { "net/snmp", snmp_scan },
		{ "net/netstat", netstat_scan },
		{ "net/sockstat", sockstat_scan },
	};
	static const char *const psi[] = { "cpu", "memory", "io" };
	struct cells c = cells_new(ENTITY_HOST);
	struct span text;
	char path[64];
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		assert_int_equal(root_read_proc(r, files[i].path, &text), 0);
		files[i].scan(text, c);
	}
	for (i = 0; i < sizeof(psi) / sizeof(psi[0]); i++) {
		(void)snprintf(path, sizeof(path), "pressure/%s", psi[i]);
		assert_int_equal(root_read_proc(r, path, &text), 0);
		pressure_scan(psi[i], text, c);
	}
	buf_add_str(out, "host\n");
	celltext_add(out, ENTITY_HOST, c, "\n");
	buf_add_char(out, '\n');
	cells_free(c);
}

static void rows_of(struct root *r, enum entity_id e, const char *path,
	bool (*next)(struct span *, struct cells, struct span *),
	struct buf *out)
{
	struct cells c = cells_new(e);
	struct span text, name;

	assert_int_equal(root_read_proc(r, path, &text), 0);
	while (cells_clear(e, c), next(&text, c, &name)) {
		buf_printf(out, "%s ", entity_get(e)->name);
		buf_add(out, name.ptr, (size_t)(name.end - name.ptr));
		buf_add_char(out, ' ');
		celltext_add(out, e, c, " ");
		buf_add_char(out, '\n');
	}
	cells_free(c);
}

static bool next_cpu(struct span *t, struct cells c, struct span *ret)
{
	*ret = span_str("");
	return stat_next_cpu(t, c);
}

static void text_of(struct buf *out, const char *what, struct span s)
{
	buf_printf(out, "%s=", what);
	buf_add(out, s.ptr, span_len(s));
	buf_add_char(out, '\n');
}

static void process(struct root *r, uint32_t pid, struct buf *out)
{
	const struct pid_stat_opt opt = { 4096, 0 };
	struct cells c = cells_new(ENTITY_PROCESS);
	int fd = root_open_pid(r, pid);
	struct pid_stat_more more;
	struct span t, s;
	uint64_t sched[3];

	assert_true(fd >= 0);
	buf_printf(out, "process %u\n", (unsigned)pid);
	assert_int_equal(root_read_pid(r, fd, pid, "stat", 1 << 16, &t), 0);
	assert_true(pid_stat_scan(t, &opt, c, &more));
	text_of(out, "comm", more.comm);
	assert_int_equal(root_read_pid(r, fd, pid, "status", 1 << 16, &t), 0);
	pid_status_scan(t, c, &s);
	text_of(out, "cpus_allowed", s);
	assert_int_equal(root_read_pid(r, fd, pid, "io", 1 << 16, &t), 0);
	pid_io_scan(t, c);
	assert_int_equal(root_read_pid(r, fd, pid, "statm", 1 << 16, &t), 0);
	pid_statm_scan(t, 4096, c);
	assert_int_equal(root_read_pid(r, fd, pid, "schedstat", 1 << 16, &t),
	    0);
	assert_true(pid_schedstat_scan(t, sched));
	buf_printf(out, "schedstat=%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	    sched[0], sched[1], sched[2]);
	assert_int_equal(root_read_pid(r, fd, pid, "cgroup", 1 << 16, &t), 0);
	text_of(out, "cgroup", pid_cgroup_scan(t).main);
	assert_int_equal(root_read_pid(r, fd, pid, "cmdline", 1 << 14, &t),
	    0);
	t.end = t.ptr + pid_cmdline_join(r->buf.ptr, span_len(t));
	text_of(out, "title", t);
	if (root_read_pid(r, fd, pid, "smaps_rollup", 1 << 16, &t) == 0)
		pid_smaps_rollup_scan(t, c);
	celltext_add(out, ENTITY_PROCESS, c, "\n");
	buf_add_char(out, '\n');
	(void)close(fd);
	cells_free(c);
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void processes(struct root *r, const char *proc, struct buf *out)
{
	DIR *d = opendir(proc);
	struct dirent *e;
	uint32_t pid[64];
	size_t n = 0, i;

	assert_non_null(d);
	while ((e = readdir(d)) && n < 64) {
		long v = strtol(e->d_name, NULL, 10);

		if (v > 0)
			pid[n++] = (uint32_t)v;
	}
	(void)closedir(d);
	qsort(pid, n, sizeof(pid[0]), compare);
	for (i = 0; i < n; i++)
		process(r, pid[i], out);
}

static void one_tick(const char *tick, struct buf *out)
{
	struct root r;
	char dir[512];

	(void)snprintf(dir, sizeof(dir), TREE "/%s", tick);
	root_init(&r, dir);
	assert_int_equal(root_begin(&r, NULL), 0);
	assert_false(r.procfs);
	buf_printf(out, "== %s\n", tick);
	host_files(&r, out);
	rows_of(&r, ENTITY_CPU, "stat", next_cpu, out);
	rows_of(&r, ENTITY_DISK, "diskstats", diskstats_next, out);
	rows_of(&r, ENTITY_NET, "net/dev", net_dev_next, out);
	(void)snprintf(dir, sizeof(dir), TREE "/%s/proc", tick);
	processes(&r, dir, out);
	root_end(&r);
	assert_int_equal(r.proc_fd, -1);
	root_release(&r);
}

static void golden(void **state)
{
	struct buf got = BUF_INIT;

	(void)state;
	one_tick("tick-00", &got);
	one_tick("tick-01", &got);
	golden_file(TREE "/golden.txt", &got);
	buf_release(&got);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "greenplum6-6.18", golden, NULL);
	return cases_run(&c, "procfs tree");
}
