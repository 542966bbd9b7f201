#include "history/loader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/when.h"
#include "base/zone.h"
#include "render/cell.h"
#include "view/range.h"

struct loader {
	struct target *target;
	const struct loader_options *o;
	int64_t step_ns; /* of the recording at hand */
	int64_t interval_ns;
	uint32_t recording;
	struct plan_file *file;
	/* of the run at hand */
	const struct plan_run *run;
	struct view_use **use; /* one for each of history_tables; or NULL */
	size_t at; /* file whose transaction is open */
	int64_t begun_ns; /* where the run begins */
	int64_t loaded_ns; /* the last step that was taken ends here */
	uint64_t rows_before; /* the transaction */
	struct range_result res;
	struct buf sql;
	int status;
	struct gs_err *err;
};

static const struct view_ask plain = VIEW_ASK_INIT;

struct loader *loader_new(struct target *t, const struct loader_options *o)
{
	struct loader *l = gs_calloc(1, sizeof(*l));

	l->target = t;
	l->o = o;
	l->use = gs_calloc(n_history_tables, sizeof(struct view_use *));
	return l;
}

void loader_free(struct loader *l)
{
	if (!l)
		return;
	free(l->use);
	buf_release(&l->sql);
	free(l);
}

static void add_table(struct loader *l, const char *table)
{
	ddl_table_name(&l->sql, target_schema(l->target), table);
}

/* 'text' of somebody else: quoted, and safe for any encoding. */
static void add_text(struct loader *l, const char *text)
{
	struct cell c = cell_text(span_str(text));
	struct buf safe = BUF_INIT;
	size_t i;

	(void)cell_add_exact(&safe, Q_TEXT, &c); /* it is there */
	for (i = 0; i < safe.len; i++)
		if (safe.ptr[i] == '\\')
			safe.ptr[i] = '/'; /* old servers make more of it */
	ddl_literal(&l->sql, buf_str(&safe));
	buf_release(&safe);
}

static void add_instant(struct loader *l, int64_t ns)
{
	buf_add_char(&l->sql, '\'');
	zone_add_iso(ns, &l->sql);
	buf_add_char(&l->sql, '\'');
}

static void add_id(struct loader *l, const uint8_t id[RECORDING_ID_LEN])
{
	size_t i;

	buf_add_char(&l->sql, '\'');
	for (i = 0; i < RECORDING_ID_LEN; i++)
		buf_printf(&l->sql, "%02x", id[i]);
	buf_add_char(&l->sql, '\'');
}

/* ---- recordings -------------------------------------------------------- */

static void add_hosts(struct loader *l, const struct header *h)
{
	struct buf names = BUF_INIT;
	size_t i;

	for (i = 0; i < h->n_host; i++) {
		if (!h->host[i].catalog)
			buf_printf(&names, "%s%s", names.len ? "," : "",
			    h->host[i].name);
	}
	add_text(l, buf_str(&names));
	buf_release(&names);
}

static int add_recording(struct loader *l, const struct header *h,
	struct gs_err *err)
{
	buf_reset(&l->sql);
	buf_add_str(&l->sql, "INSERT INTO ");
	add_table(l, "recordings");
	buf_add_str(&l->sql, " SELECT coalesce(max(id), 0) + 1, ");
	add_id(l, h->recording_id);
	buf_printf(&l->sql, ", %.17g, ", (double)l->step_ns / 1e9);
	add_instant(l, h->started_ns);
	buf_printf(&l->sql, ", %.17g, ", (double)h->interval_ns / 1e9);
	add_text(l, h->recorder_host);
	buf_add_str(&l->sql, ", ");
	add_hosts(l, h);
	buf_add_str(&l->sql, ", ");
	add_text(l, h->server_version);
	buf_add_str(&l->sql, ", ");
	add_text(l, h->program_version);
	buf_add_str(&l->sql, " FROM ");
	add_table(l, "recordings");
	return target_do(l->target, l->sql.ptr, err);
}

static int check_step(struct loader *l, double seconds, struct gs_err *err)
{
	int64_t ns = (int64_t)(seconds * 1e9 + 0.5);
	char was[WHEN_SPAN_MAX];

	if (ns != l->o->step_ns && l->o->step_asked) {
		when_span(was, ns);
		return gs_fail(err, GS_E_USAGE, "--every: the recording was "
		    "loaded in steps of %s before: use that, or another "
		    "--schema", was);
	}
	l->step_ns = ns;
	return GS_OK;
}

/* 1: it is there. */
static int find_recording(struct loader *l, const struct header *h,
	struct gs_err *err)
{
	PGresult *r;
	int status;

	buf_reset(&l->sql);
	buf_add_str(&l->sql, "SELECT id, step_seconds FROM ");
	add_table(l, "recordings");
	buf_add_str(&l->sql, " WHERE recording_id = ");
	add_id(l, h->recording_id);
	status = target_ask(l->target, l->sql.ptr, &r, err);
	if (status < 0)
		return status;
	status = 0;
	if (PQntuples(r) > 0) {
		l->recording = (uint32_t)strtoul(PQgetvalue(r, 0, 0), NULL,
		    10);
		status = check_step(l, strtod(PQgetvalue(r, 0, 1), NULL),
		    err);
		status = status < 0 ? status : 1;
	}
	PQclear(r);
	return status;
}

static void take_file(struct plan_file *f, size_t n, const PGresult *r, int i)
{
	uint32_t number = (uint32_t)strtoul(PQgetvalue(r, i, 0), NULL, 10);
	size_t k;

	for (k = 0; k < n; k++) {
		if (f[k].number != number)
			continue;
		f[k].known = true;
		f[k].loaded_ns = strtoll(PQgetvalue(r, i, 1), NULL, 10);
		f[k].rows = strtoull(PQgetvalue(r, i, 2), NULL, 10);
	}
}

static int find_files(struct loader *l, struct plan_file *f, size_t n,
	struct gs_err *err)
{
	PGresult *r;
	int i, status;

	for (i = 0; (size_t)i < n; i++)
		f[i].known = false;
	buf_reset(&l->sql);
	buf_add_str(&l->sql, "SELECT file_number, loaded_to_ns, loaded_rows "
	    "FROM ");
	add_table(l, "files");
	buf_printf(&l->sql, " WHERE recording = %" PRIu32, l->recording);
	status = target_ask(l->target, l->sql.ptr, &r, err);
	if (status < 0)
		return status;
	for (i = 0; i < PQntuples(r); i++)
		take_file(f, n, r, i);
	PQclear(r);
	return GS_OK;
}

int loader_recording(struct loader *l, const struct header *h,
	struct plan_file *f, size_t n, struct gs_err *err)
{
	int r = target_begin(l->target, err);

	l->step_ns = l->o->step_ns;
	l->interval_ns = h->interval_ns;
	l->file = f;
	if (r == GS_OK)
		r = find_recording(l, h, err);
	if (r == 0) {
		r = add_recording(l, h, err);
		if (r == GS_OK)
			r = find_recording(l, h, err);
	}
	if (r >= 0)
		r = find_files(l, f, n, err);
	return r < 0 ? r : target_commit(l->target, err);
}

/* ---- files ------------------------------------------------------------- */

/* What is loaded of a file. */
static int note_file(struct loader *l, struct plan_file *f, int64_t to_ns,
	uint64_t rows, struct gs_err *err)
{
	int r;

	f->known = true;
	f->loaded_ns = to_ns;
	f->rows += rows;
	buf_reset(&l->sql);
	buf_add_str(&l->sql, "DELETE FROM ");
	add_table(l, "files");
	buf_printf(&l->sql, " WHERE recording = %" PRIu32 " AND file_number = "
	    "%" PRIu32, l->recording, f->number);
	r = target_do(l->target, l->sql.ptr, err);
	if (r < 0)
		return r;
	buf_reset(&l->sql);
	buf_add_str(&l->sql, "INSERT INTO ");
	add_table(l, "files");
	buf_printf(&l->sql, " VALUES (%" PRIu32 ", %" PRIu32 ", ",
	    l->recording, f->number);
	add_text(l, f->path);
	buf_printf(&l->sql, ", %" PRIu64 ", %" PRIu64 ", ", f->first_seq,
	    f->last_seq);
	add_instant(l, f->first_ns);
	buf_add_str(&l->sql, ", ");
	add_instant(l, f->last_ns);
	buf_printf(&l->sql, ", %" PRId64 ", %" PRIu64 ", now())", to_ns,
	    f->rows);
	return target_do(l->target, l->sql.ptr, err);
}

static int begin_file(struct loader *l, size_t at, struct gs_err *err)
{
	l->at = at;
	l->rows_before = target_rows(l->target);
	return target_begin(l->target, err);
}

/* What is written of a file is loaded, up to the last step that was taken;
 * the files before it in the run are loaded to their end with it. */
static int end_file(struct loader *l, struct gs_err *err)
{
	const struct plan_run *run = l->run;
	uint64_t rows = target_rows(l->target) - l->rows_before;
	size_t i;
	int r = GS_OK;

	if (rows == 0 && l->loaded_ns == l->begun_ns)
		return target_commit(l->target, err); /* nothing new */
	for (i = run->first; r == GS_OK && i < l->at; i++) {
		struct plan_file *f = &l->file[i];

		if (f->known && f->loaded_ns < f->last_ns &&
		    l->loaded_ns >= f->last_ns)
			r = note_file(l, f, f->last_ns, 0, err);
	}
	if (r == GS_OK)
		r = note_file(l, &l->file[l->at], l->loaded_ns, rows, err);
	return r == GS_OK ? target_commit(l->target, err) : r;
}

/* The file in which a step ends. */
static size_t file_of(const struct loader *l, int64_t to_ns)
{
	size_t i = l->at, last = l->run->first + l->run->n - 1;

	while (i < last && l->file[i].last_ns < to_ns)
		i++;
	return i;
}

/* ---- steps ------------------------------------------------------------- */

/* A recorder is at work, and will add to the step; or there is nothing in it
 * but the hole at the end. */
static bool is_open(const struct loader *l, const struct engine *e)
{
	int64_t over = e->to_ns % l->step_ns;

	return e->n_ticks == 0 ||
	    (l->res.waiting && over >= e->interval_ns / 4);
}

static int add_tables(struct loader *l, const struct engine *e)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < n_history_tables; i++) {
		struct grid *g;

		if (!l->use[i])
			continue;
		g = view_grid(l->use[i], e);
		r = target_add(l->target, i, l->recording, g, l->err);
		grid_free(g);
	}
	return r;
}

static int take_step(struct loader *l, const struct engine *e)
{
	size_t at = file_of(l, e->to_ns);
	int r = GS_OK;

	while (r == GS_OK && l->at < at) {
		r = end_file(l, l->err);
		if (r == GS_OK)
			r = begin_file(l, l->at + 1, l->err);
	}
	if (r == GS_OK)
		r = add_tables(l, e);
	l->loaded_ns = e->to_ns;
	if (r == GS_OK && l->o->progress)
		l->o->progress(l->o->ctx, &l->file[at], e->to_ns,
		    target_rows(l->target));
	return r;
}

static int emit(void *ctx, const struct engine *e)
{
	struct loader *l = ctx;

	if (is_open(l, e))
		return 0;
	l->status = take_step(l, e);
	return l->status;
}

static void open_views(struct loader *l, struct engine *e)
{
	size_t i;

	for (i = 0; i < n_history_tables; i++)
		l->use[i] = l->o->tables >> i & 1 ? view_open(view_find(
		    history_tables[i].name), e, &plain) : NULL;
}

static void close_views(struct loader *l)
{
	size_t i;

	for (i = 0; i < n_history_tables; i++) {
		view_close(l->use[i]);
		l->use[i] = NULL;
	}
}

int loader_run(struct loader *l, const struct plan_run *run,
	struct cursor cursor, size_t *ret_holes, struct gs_err *err)
{
	const struct range range = { run->from_ns, INT64_MAX, l->step_ns };
	struct engine e;
	int r;

	l->run = run;
	l->err = err;
	l->status = GS_OK;
	l->begun_ns = l->loaded_ns = run->from_ns;
	r = begin_file(l, run->first, err);
	if (r < 0)
		return r;
	engine_init(&e, l->interval_ns);
	open_views(l, &e);
	r = range_run(&range, cursor, &e, emit, l, &l->res, err);
	if (r == GS_OK)
		r = l->status;
	if (r == GS_OK)
		r = end_file(l, err);
	if (r < 0)
		gs_err_prefix(err, "%s", l->file[l->at].path);
	close_views(l);
	engine_release(&e);
	*ret_holes = l->res.n_holes;
	return r;
}
