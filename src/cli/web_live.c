/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/web_live.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/tempfile.h"
#include "cli/console.h"
#include "cli/start.h"

/* Of a temporary directory: enough for some hours, or days. */
#define KEEP_BYTES (UINT64_C(1) << 30)
#define ROTATE_NS (INT64_C(600) * GS_NSEC_PER_SEC)

static int make_directory(struct web_live *w, struct gs_err *err)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s/gpsnap-web.XXXXXX", tempfile_dir());
	w->dir = b.ptr;
	if (!mkdtemp(w->dir))
		return gs_fail_errno(err, errno, "%s", w->dir);
	w->own = true;
	return GS_OK;
}

static void remove_directory(const char *dir)
{
	struct buf path = BUF_INIT;
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0)
			continue;
		buf_reset(&path);
		buf_printf(&path, "%s/%s", dir, e->d_name);
		(void)unlink(buf_str(&path)); /* rmdir() tells */
	}
	if (d)
		(void)closedir(d); /* was only read */
	buf_release(&path);
	if (rmdir(dir) < 0)
		cli_warning("%s: %s", dir, strerror(errno));
}

/* ---- the recorder ------------------------------------------------------ */

static void on_tick(void *arg, const struct tick *t,
	const struct recorder_status *s)
{
	struct web_live *w = arg;

	metrics_server_tick(&w->metrics, t, s);
}

static void on_repeat(void *arg, const struct tick *t)
{
	struct web_live *w = arg;

	metrics_server_repeat(&w->metrics, t);
}

static void on_notice(void *arg, bool trouble, const char *text)
{
	(void)arg;
	if (trouble)
		cli_warning("%s", text);
	else
		cli_notice("%s", text);
}

static int set_output(struct web_live *w, const struct opt_cmd *cmd,
	const char *record)
{
	struct gs_err err;

	if (record && record[0])
		w->dir = gs_strdup(record);
	else if (make_directory(w, &err) < 0)
		return cli_fail(cmd, &err);
	sampling_output(w->dir, &w->ro);
	if (record && w->ro.out.kind == OUTPUT_STREAM)
		return cli_usage(cmd, "--record: expected a file or a "
		    "directory, got \"%s\"", record);
	if (w->own) {
		w->ro.out.keep_bytes = KEEP_BYTES;
		w->ro.rotate_ns = ROTATE_NS;
	}
	w->ro.out.host = w->use.nodename;
	return CLI_GO;
}

int web_live_open(struct web_live *w, const struct opt_cmd *cmd,
	const struct sampling *o, const char *record)
{
	int status;

	w->ro.on_tick = on_tick;
	w->ro.on_repeat = on_repeat;
	w->ro.on_notice = on_notice;
	w->ro.arg = w;
	w->ro.version = cli_version();
	w->ro.command_line = buf_str(&w->typed);
	w->ro.level = 3;
	w->ro.sync_ns = 10 * GS_NSEC_PER_SEC;
	w->ro.hup = HUP_END;
	w->ro.has_terminal = true;
	status = sampling_set(cmd, o, &w->use, &w->ro);
	if (status == CLI_GO)
		status = set_output(w, cmd, record);
	if (status == CLI_GO)
		w->metrics.exporter = exporter_new(w->ro.interval_ns,
		    cli_version());
	return status;
}

int web_live_run(struct web_live *w)
{
	struct recorder_status got;
	struct gs_err err;
	struct recorder *r = recorder_new(&w->ro, &err);
	int status;

	if (!r)
		return cli_cannot(&err);
	status = recorder_run(r, &err);
	recorder_get_status(r, &got);
	recorder_free(r);
	if (status < 0)
		return cli_cannot(&err);
	return got.lost > 0 || got.unclosed || got.database_missed
	    ? EXIT_GAPS : EXIT_DONE;
}

void web_live_close(struct web_live *w)
{
	if (w->own)
		remove_directory(w->dir);
	free(w->dir);
	exporter_free(w->metrics.exporter);
	sampling_release(&w->use);
	buf_release(&w->typed);
}
