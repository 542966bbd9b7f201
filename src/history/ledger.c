/* SPDX-License-Identifier: Apache-2.0 */
#include "history/ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/when.h"
#include "base/zone.h"
#include "render/cell.h"

/* An instant in the precision of the database. */
#define PRECISION_NS INT64_C(1000)

/* An untrusted text, safe for any encoding. */
static struct buf safe_text(const struct ledger *l, const char *text)
{
	struct cell c = cell_text(span_str(text));
	struct buf exact = BUF_INIT, safe = BUF_INIT;
	size_t i;

	(void)cell_add_exact(&exact, Q_TEXT, &c); /* it is there */
	target_add_text(l->target, &safe, span_of(buf_str(&exact),
	    exact.len));
	for (i = 0; i < safe.len; i++)
		if (safe.ptr[i] == '\\')
			safe.ptr[i] = '/'; /* an escape for old servers */
	buf_release(&exact);
	return safe;
}

static struct buf instant_text(int64_t ns)
{
	struct buf b = BUF_INIT;

	zone_add_iso(ns, &b);
	return b;
}

#define ID_TEXT_MAX (2 * RECORDING_ID_LEN + 1)

static const char *id_text(const uint8_t id[RECORDING_ID_LEN],
	char to[ID_TEXT_MAX])
{
	size_t i;

	for (i = 0; i < RECORDING_ID_LEN; i++)
		(void)snprintf(to + 2 * i, 3, "%02x", id[i]);
	return to;
}

static uint64_t whole(const PGresult *r, int row, int col)
{
	return strtoull(PQgetvalue(r, row, col), NULL, 10);
}

/* ---- the recording ----------------------------------------------------- */

static struct buf host_names(const struct ledger *l, const struct header *h)
{
	struct buf names = BUF_INIT, safe;
	size_t i;

	for (i = 0; i < h->n_host; i++) {
		if (!h->host[i].catalog)
			buf_printf(&names, "%s%s", names.len ? "," : "",
			    h->host[i].name);
	}
	safe = safe_text(l, buf_str(&names));
	buf_release(&names);
	return safe;
}

/* The recordings that it was made of, as a literal or NULL. */
static struct buf source_ids(const struct header *h)
{
	char id[ID_TEXT_MAX];
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < h->n_source; i++)
		buf_printf(&b, "%c%s", i ? ',' : '\'',
		    id_text(h->source[i].recording_id, id));
	buf_add_str(&b, h->n_source ? "'" : "NULL");
	return b;
}

static int add_recording(struct ledger *l, const struct header *h,
	struct gs_err *err)
{
	char id[ID_TEXT_MAX];
	struct buf t[] = { instant_text(h->started_ns),
		safe_text(l, h->recorder_host), host_names(l, h),
		safe_text(l, h->server_version),
		safe_text(l, h->program_version), source_ids(h) };
	size_t i;
	int r = target_do(l->target, err, "INSERT INTO $.\"recordings\" (id, "
	    "recording_id, step_seconds, started, interval_seconds, "
	    "recorder_host, hosts, server_version, program, made_of) SELECT "
	    "coalesce(max(id), 0) + 1, %l, %g, %l, %g, %l, %l, %l, %l, %s FROM "
	    "$.\"recordings\"", id_text(h->recording_id, id),
	    (double)l->step_ns / 1e9, buf_str(&t[0]),
	    (double)h->interval_ns / 1e9, buf_str(&t[1]), buf_str(&t[2]),
	    buf_str(&t[3]), buf_str(&t[4]), buf_str(&t[5]));

	for (i = 0; i < GS_LEN(t); i++)
		buf_release(&t[i]);
	return r;
}

static int check_step(struct ledger *l, double seconds, bool is_asked,
	struct gs_err *err)
{
	int64_t ns = (int64_t)(seconds * 1e9 + 0.5);
	char was[WHEN_SPAN_MAX];

	if (ns != l->step_ns && is_asked) {
		when_span(was, ns);
		return gs_fail(err, GS_E_USAGE, "--every: the recording was "
		    "loaded in steps of %s before: use that, or another "
		    "--schema", was);
	}
	l->step_ns = ns;
	return GS_OK;
}

/* 1: it exists. */
static int find_recording(struct ledger *l, const struct header *h,
	bool is_asked, struct gs_err *err)
{
	char id[ID_TEXT_MAX];
	PGresult *r;
	int status = target_ask(l->target, &r, err, "SELECT id, step_seconds "
	    "FROM $.\"recordings\" WHERE recording_id = %l",
	    id_text(h->recording_id, id));

	if (status < 0)
		return status;
	status = 0;
	if (PQntuples(r) > 0) {
		l->recording = (uint32_t)whole(r, 0, 0);
		status = check_step(l, strtod(PQgetvalue(r, 0, 1), NULL),
		    is_asked, err);
		status = status < 0 ? status : 1;
	}
	PQclear(r);
	return status;
}

/* ---- its parts --------------------------------------------------------- */

static int read_rows(struct ledger *l, struct gs_err *err)
{
	PGresult *r;
	int i, status = target_ask(l->target, &r, err, "SELECT file_number, "
	    "first_sequence, last_sequence, loaded_to_ns, loaded_rows FROM "
	    "$.\"files\" WHERE recording = %u", (uint64_t)l->recording);

	if (status < 0)
		return status;
	l->n_row = 0;
	for (i = 0; i < PQntuples(r); i++) {
		GS_GROW(l->row, &l->row_cap, l->n_row + 1);
		l->row[l->n_row++] = (struct ledger_row) {
			.number = (uint32_t)whole(r, i, 0),
			.part = { .first_seq = whole(r, i, 1),
			    .last_seq = whole(r, i, 2),
			    .last_ns = strtoll(PQgetvalue(r, i, 3), NULL,
			    10) },
			.rows = whole(r, i, 4) };
	}
	PQclear(r);
	return GS_OK;
}

struct plan_part *ledger_parts(const struct ledger *l, size_t *ret_n)
{
	struct plan_part *p = gs_calloc(l->n_row + 1, sizeof(*p));
	size_t i;

	for (i = 0; i < l->n_row; i++)
		p[i] = l->row[i].part;
	*ret_n = l->n_row;
	plan_join(p, ret_n);
	return p;
}

int ledger_check(struct ledger *l, struct gs_err *err)
{
	struct ledger now = { .target = l->target,
		.recording = l->recording };
	int r = read_rows(&now, err);
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < l->n_row; i++)
		sum += l->row[i].part.last_seq;
	for (i = 0; i < now.n_row; i++)
		sum -= now.row[i].part.last_seq;
	if (r == GS_OK)
		r = sum != 0 || now.n_row != l->n_row;
	ledger_release(&now);
	return r;
}

/* The row of the file that a part continues; NULL: none. */
static struct ledger_row *row_before(struct ledger *l,
	const struct plan_file *f, const struct plan_part *p)
{
	size_t i;

	for (i = 0; i < l->n_row; i++) {
		if (l->row[i].number == f->number &&
		    l->row[i].part.last_seq == p->first_seq)
			return &l->row[i];
	}
	return NULL;
}

static int change_row(struct ledger *l, const struct ledger_row *row,
	const struct plan_file *f, struct gs_err *err)
{
	struct buf path = safe_text(l, f->path);
	struct buf last = instant_text(row->part.last_ns);
	int r = target_do(l->target, err, "UPDATE $.\"files\" SET path = %l, "
	    "last_sequence = %u, last_time = %l, loaded_to_ns = %d, "
	    "loaded_rows = %u, loaded_at = now() WHERE recording = %u AND "
	    "first_sequence = %u", buf_str(&path), row->part.last_seq,
	    buf_str(&last), row->part.last_ns, row->rows,
	    (uint64_t)l->recording, row->part.first_seq);

	buf_release(&path);
	buf_release(&last);
	return r;
}

static int add_row(struct ledger *l, const struct ledger_row *row,
	const struct plan_file *f, struct gs_err *err)
{
	struct buf path = safe_text(l, f->path);
	struct buf first = instant_text(row->part.first_ns);
	struct buf last = instant_text(row->part.last_ns);
	int r = target_do(l->target, err, "INSERT INTO $.\"files\" (recording, "
	    "file_number, path, first_sequence, last_sequence, first_time, "
	    "last_time, loaded_to_ns, loaded_rows, loaded_at) VALUES (%u, %u, "
	    "%l, %u, %u, %l, %l, %d, %u, now())", (uint64_t)l->recording,
	    (uint64_t)row->number, buf_str(&path), row->part.first_seq,
	    row->part.last_seq, buf_str(&first), buf_str(&last),
	    row->part.last_ns, row->rows);

	buf_release(&path);
	buf_release(&first);
	buf_release(&last);
	return r;
}

int ledger_note(struct ledger *l, const struct plan_file *f,
	const struct plan_part *p, uint64_t rows, struct gs_err *err)
{
	struct ledger_row *row = row_before(l, f, p);

	if (row) {
		row->part.last_seq = p->last_seq;
		row->part.last_ns = p->last_ns;
		row->rows += rows;
		return change_row(l, row, f, err);
	}
	GS_GROW(l->row, &l->row_cap, l->n_row + 1);
	row = &l->row[l->n_row++];
	*row = (struct ledger_row) { f->number, *p, rows };
	return add_row(l, row, f, err);
}

/* ---- its kin ----------------------------------------------------------- */

/* Made of that recording, or that recording itself. */
static void add_kinship(struct buf *to, const uint8_t id[RECORDING_ID_LEN])
{
	char text[ID_TEXT_MAX];

	(void)id_text(id, text);
	ddl_add(to, NULL, " OR r.recording_id = %l OR r.made_of LIKE "
	    "'%%%s%%'", text, text);
}

static int read_kin(struct ledger *l, const struct header *h,
	struct gs_err *err)
{
	struct buf kin = BUF_INIT;
	PGresult *r;
	size_t k;
	int i, status;

	add_kinship(&kin, h->recording_id);
	for (k = 0; k < h->n_source; k++)
		add_kinship(&kin, h->source[k].recording_id);
	status = target_ask(l->target, &r, err, "SELECT f.recording, "
	    "(extract(epoch FROM f.first_time) * 1000000)::bigint, "
	    "f.loaded_to_ns FROM $.\"files\" f JOIN $.\"recordings\" r ON "
	    "r.id = f.recording WHERE r.id <> %u AND (false%s) ORDER BY 2",
	    (uint64_t)l->recording, buf_str(&kin));
	buf_release(&kin);
	if (status < 0)
		return status;
	l->n_kin = 0;
	for (i = 0; i < PQntuples(r); i++) {
		GS_GROW(l->kin, &l->kin_cap, l->n_kin + 1);
		l->kin[l->n_kin++] = (struct ledger_kin) {
			(uint32_t)whole(r, i, 0),
			strtoll(PQgetvalue(r, i, 1), NULL, 10) * PRECISION_NS,
			strtoll(PQgetvalue(r, i, 2), NULL, 10) };
	}
	PQclear(r);
	return GS_OK;
}

/* Where the part of a file that is not loaded begins; false: all is loaded. */
static bool rest_of(const struct ledger *l, const struct plan_file *f,
	int64_t *ret_ns)
{
	struct plan_part *p;
	size_t i, n;
	bool any = true;

	*ret_ns = f->first_ns;
	p = ledger_parts(l, &n);
	for (i = 0; i < n; i++) {
		if (p[i].first_seq > f->first_seq ||
		    p[i].last_seq < f->first_seq)
			continue;
		*ret_ns = p[i].last_ns;
		any = p[i].last_seq < f->last_seq;
	}
	free(p);
	return any;
}

uint32_t ledger_find_related(const struct ledger *l, const struct plan_file *f,
	bool *ret_all)
{
	uint32_t found = 0;
	int64_t from_ns;
	size_t i;

	if (!rest_of(l, f, &from_ns))
		return 0;
	for (i = 0; i < l->n_kin; i++) {
		const struct ledger_kin *k = &l->kin[i];

		if (k->to_ns <= from_ns + PRECISION_NS ||
		    k->from_ns >= f->last_ns - PRECISION_NS)
			continue;
		found = k->recording;
		if (k->from_ns <= from_ns + PRECISION_NS)
			from_ns = k->to_ns;
	}
	*ret_all = from_ns >= f->last_ns - PRECISION_NS;
	return found;
}

/* ---- all of it --------------------------------------------------------- */

int ledger_read(struct ledger *l, const struct header *h, int64_t step_ns,
	bool is_asked, struct gs_err *err)
{
	int r;

	l->step_ns = step_ns;
	r = find_recording(l, h, is_asked, err);
	if (r == 0) {
		r = add_recording(l, h, err);
		if (r == GS_OK)
			r = find_recording(l, h, is_asked, err);
	}
	if (r >= 0)
		r = read_rows(l, err);
	return r < 0 ? r : read_kin(l, h, err);
}

void ledger_release(struct ledger *l)
{
	free(l->row);
	free(l->kin);
	*l = (struct ledger) { .target = NULL };
}
