/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_cgroup.c - any bytes as a file of a control group, as the mount table,
 * as facts, as /etc/passwd, as raw arguments or environment of a process: the
 * first byte says which.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "fuzz.h"
#include "procfs/host.h"
#include "procfs/passwd.h"
#include "procfs/pid.h"
#include "procfs/sysfs.h"

static void check(struct span whole, struct span part)
{
	if (part.ptr != part.end &&
	    (part.ptr < whole.ptr || part.end > whole.end))
		abort();
}

/* A file of devices: no more of them, and no others, than may be. */
static void scan_devices(const struct cgroup_file *f, struct span text)
{
	static struct cgroup_devices d;
	size_t i;

	d.n = 0;
	cgroup_devices_add(&d, (enum cgroup_io_file)f->io, text);
	if (d.n > CGROUP_IO_DEVICES_MAX || (d.n > 0 && !f->io))
		abort();
	for (i = 0; i < d.n; i++) {
		if (d.device[i].major > CGROUP_IO_MAJOR_MAX ||
		    d.device[i].minor > CGROUP_IO_MINOR_MAX ||
		    !d.device[i].present)
			abort();
	}
}

/* Only columns that the file is said to give may be set. */
static void check_columns(const struct cgroup_file *f, struct cells c)
{
	uint64_t can[COL_WORDS_MAX] = { 0 };
	unsigned w;

	cgroup_file_columns(f, can);
	for (w = 0; w < COL_WORDS(NCOLS(CGROUP)); w++) {
		if (c.present[w] & ~can[w])
			abort();
	}
}

static void scan_groups(struct span text)
{
	struct cells c = cells_new(ENTITY_CGROUP);
	size_t i;

	for (i = 0; i < CGROUP_FILES; i++) {
		cells_clear(ENTITY_CGROUP, c);
		cgroup_files[i].scan(&cgroup_files[i], text, c);
		check_columns(&cgroup_files[i], c);
		scan_devices(&cgroup_files[i], text);
	}
	cells_free(c);
}

static void scan_mounts(struct span text)
{
	struct span rest = text;
	struct buf path = BUF_INIT;
	struct mount m;

	while (mountinfo_next(&rest, &m)) {
		check(text, m.point);
		check(text, m.source);
		check(text, m.type);
		buf_reset(&path);
		mountinfo_unescape(m.point, &path);
		if (path.len > span_len(m.point))
			abort();
	}
	buf_release(&path);
}

static void scan_passwd(struct span text)
{
	struct passwd p = { 0 };
	size_t i;

	passwd_scan(&p, text);
	for (i = 0; i < p.n; i++) {
		struct span name = passwd_name(&p, p.user[i].uid);

		if (span_empty(name) || span_len(name) > PASSWD_NAME_MAX)
			abort();
	}
	passwd_release(&p);
}

static void scan_facts(struct span text)
{
	struct cells c = cells_new(ENTITY_HOST);

	fact_number(text, c, 0);
	check(text, fact_line(text));
	check(text, fact_choice(text));
	cells_free(c);
}

static void scan_raw(struct span text)
{
	struct span found = { NULL, NULL };
	char *copy = gs_strndup(text.ptr, span_len(text));

	if (pid_cmdline_data_dir(text, &found))
		check(text, found);
	if (pid_environ_get(text, "PGDATA", &found))
		check(text, found);
	if (pid_cmdline_join(copy, span_len(text)) > span_len(text))
		abort();
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text;

	if (size < 1)
		return 0;
	text = span_of((const char *)data + 1, size - 1);
	switch (data[0] % 6) {
	case 0:
	case 1: /* of files of the corpus */
		scan_groups(text);
		break;
	case 2:
		scan_mounts(text);
		break;
	case 3:
		scan_passwd(text);
		break;
	case 4:
		scan_facts(text);
		break;
	default:
		scan_raw(text);
	}
	return 0;
}
