/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.c - iterates over the ticks of several recordings at once.
 */
#include "merge/merge_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "edit/lineage.h"
#include "model/walk.h"

/* ---- opening ----------------------------------------------------------- */

/* The id is the same for the same recordings and the same command. */
static void derive_id(struct merge *m)
{
	size_t i, k;

	for (i = 0; i < m->n_input; i++) {
		const struct header *h = archive_header(m->input[i]->archive);

		for (k = 0; k < RECORDING_ID_LEN; k++)
			m->id[k] = (uint8_t)(m->id[k] * 3 +
			    h->recording_id[k]);
	}
	lineage_derive(m->id, m->opt.command);
}

/* Of those that are at the same time, now and then. */
static void find_finest(struct merge *m)
{
	size_t i, k;

	for (i = 0; i < m->n_input; i++) {
		struct input *a = m->input[i];

		a->finest_ns = input_interval(a);
		for (k = 0; k < m->n_input; k++) {
			const struct input *b = m->input[k];

			if (b->first_ns - b->shift_ns <=
			    a->last_ns - a->shift_ns &&
			    a->first_ns - a->shift_ns <=
			    b->last_ns - b->shift_ns)
				a->finest_ns = GS_MIN(a->finest_ns,
				    input_interval(b));
		}
	}
}

/* Figures of a thinned recording are computed in another way. */
static int check_thinned(struct merge *m, struct gs_err *err)
{
	const char *thin = NULL, *full = NULL;
	size_t i;

	for (i = 0; i < m->n_input; i++) {
		thin = m->input[i]->thin ? m->input[i]->thin : thin;
		full = m->input[i]->full ? m->input[i]->full : full;
	}
	m->thinned = thin != NULL;
	if (!thin || !full || m->n_input == 1)
		return GS_OK;
	return gs_fail(err, GS_E_USAGE, "%s was thinned, %s was not: thin that "
	    "one first", thin, full);
}

int merge_open(char *const *path, size_t n, const struct merge_options *o,
	struct merge **ret, struct gs_err *err)
{
	struct merge *m = gs_calloc(1, sizeof(*m));
	int r = pick_init(&m->pick, NULL, NULL, NULL, NULL, err);

	m->opt = *o;
	if (r == GS_OK)
		r = merge_find(m, path, n, err);
	if (r == GS_OK)
		r = check_thinned(m, err);
	if (r == GS_OK && !m->plain)
		r = merge_set_clocks(m, err);
	if (r < 0) {
		merge_free(m);
		return r;
	}
	m->next = gs_calloc(m->n_input, sizeof(*m->next));
	m->encoder = encoder_new(header_new());
	find_finest(m);
	derive_id(m);
	*ret = m;
	return GS_OK;
}

static void clear_hosts(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		free(m->host[i].name);
		merge_server_release(&m->host[i].server);
	}
	m->n_host = 0;
}

void merge_free(struct merge *m)
{
	size_t i;

	if (!m)
		return;
	for (i = 0; i < m->n_input; i++)
		input_free(m->input[i]);
	for (i = 0; i < m->n_note; i++)
		free(m->note[i]);
	clear_hosts(m);
	free(m->input);
	free(m->note);
	free(m->host);
	free(m->next);
	tick_release(&m->events);
	encoder_free(m->encoder);
	pick_release(&m->pick);
	free(m);
}

/* ---- holes ------------------------------------------------------------- */

/* No input has data in the hole before its next tick. */
static bool is_of_all(const struct merge *m, const struct input *l)
{
	return l->begun ? l->merged == m->merged : m->merged == 0;
}

/* All earlier inputs have ended before the current tick. */
static bool has_ended(const struct merge *m)
{
	size_t i;

	for (i = 0; i < m->n_input; i++) {
		if (m->input[i]->begun && m->input[i]->held)
			return false;
	}
	return m->merged > 0;
}

/* Nothing was lost between the end of a recording and the next one. */
static bool is_seam(const struct merge *m, const struct cursor_gap *gap)
{
	return !walk_is_hole(gap, m->aligned.interval_ns);
}

/* The gap before the current tick; false: there is none. */
static bool find_hole(struct merge *m, struct cursor_gap *ret)
{
	bool any = false;
	size_t i;

	if (has_ended(m)) {
		*ret = (struct cursor_gap) { .from_ns = m->at_ns,
			.to_ns = m->aligned.at_ns, .file = "" };
		any = true;
	}
	for (i = 0; i < m->n_input; i++) {
		const struct input *l = m->input[i];

		if (m->next[i].joined && l->gap && is_of_all(m, l) &&
		    (!any || !ret->why[0])) {
			*ret = l->gap_is;
			any = true;
		}
	}
	return any;
}

static bool begins_with_hole(struct merge *m, struct cursor_gap *gap)
{
	if (m->gap_reported || !find_hole(m, gap))
		return false;
	m->gap_reported = true;
	encoder_need_key(m->encoder);
	if (is_seam(m, gap))
		return false;
	m->seq += GS_MAX(gap->ticks, 1);
	return true;
}

static void report_hole(struct merge *m, const struct input *l)
{
	if (m->opt.gap && l->gap && l->gap_is.why[0])
		m->opt.gap(m->opt.ctx, &l->gap_is);
}

/* Reports holes of single sources. */
static void report_holes(struct merge *m)
{
	size_t i;

	for (i = 0; !m->gap_reported && i < m->n_input; i++) {
		if (m->next[i].joined)
			report_hole(m, m->input[i]);
	}
}

/* Reports torn ends after which nothing comes. */
static void report_ends(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->n_input; i++) {
		report_hole(m, m->input[i]);
		m->input[i]->gap = false;
	}
}

/* ---- ticks ------------------------------------------------------------- */

static enum cursor_step fetch_all(struct merge *m, struct gs_err *err)
{
	enum cursor_step end = CURSOR_END;
	size_t i;

	for (i = 0; i < m->n_input; i++) {
		struct input *l = m->input[i];
		enum cursor_step s = input_fetch(l, err);

		if (s == CURSOR_ERROR)
			return s;
		if (s == CURSOR_WAIT)
			end = s;
		l->joined = false;
		m->next[i] = (struct align_next) { .has = s == CURSOR_TICK,
			.begun = l->begun, .at_ns = l->next_ns,
			.interval_ns = input_interval(l) };
	}
	return align_choose(m->next, m->n_input, &m->aligned) ? CURSOR_TICK
							      : end;
}

/* Keys are written where the first input has them: there the usage of reaped
 * children is complete (model/reap.h). */
static void follow_keys(struct merge *m)
{
	size_t i = 0;

	while (i + 1 < m->n_input && !m->next[i].has)
		i++;
	if (m->next[i].joined && m->input[i]->held->key)
		encoder_need_key(m->encoder);
}

/* True if any tick could be applied; *ret_key: one of them is a key. */
static bool apply_all(struct merge *m, bool *ret_key)
{
	bool any = false;
	size_t i;

	follow_keys(m);

	for (i = 0; i < m->n_input; i++) {
		if (!m->next[i].joined)
			continue;
		*ret_key |= m->input[i]->held->key;
		any |= input_apply(m->input[i], m->merged + 1);
	}
	return any;
}

static void release_ticks(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->n_input; i++) {
		if (!m->next[i].joined)
			continue;
		m->input[i]->held = NULL;
		if (m->input[i]->joined)
			m->input[i]->gap = false;
	}
	m->gap_reported = false;
}

/* The shortest interval of the current inputs. */
static int64_t interval_now(const struct merge *m)
{
	int64_t ns = INT64_MAX;
	size_t i;

	for (i = 0; i < m->n_input; i++) {
		if (m->input[i]->joined)
			ns = GS_MIN(ns, m->input[i]->finest_ns);
	}
	return ns;
}

static int encode_tick(struct merge *m, bool key, struct gs_err *err)
{
	int r = merge_elect(m, err);

	if (r < 0)
		return r;
	if (m->merged == 0)
		m->started_ns = m->aligned.at_ns;
	m->relisted |= interval_now(m) != m->interval_ns;
	m->interval_ns = interval_now(m);
	m->relisted |= merge_note_due(m);
	if (key || m->relisted)
		merge_set_header(m);
	if (m->relisted)
		encoder_need_key(m->encoder);
	m->relisted = false;
	encoder_set_seq(m->encoder, ++m->seq);
	encoder_begin(m->encoder, m->aligned.at_ns);
	merge_encode_hosts(m);
	merge_encode_events(m);
	m->merged++;
	m->at_ns = m->aligned.at_ns;
	return GS_OK;
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct merge *m = self;

	for (;;) {
		enum cursor_step s = fetch_all(m, err);
		bool key = false, any;
		int r = GS_OK;

		if (s == CURSOR_END || s == CURSOR_WAIT)
			report_ends(m);
		if (s != CURSOR_TICK)
			return s;
		if (begins_with_hole(m, gap))
			return CURSOR_GAP;
		report_holes(m);
		any = apply_all(m, &key);
		if (any)
			r = encode_tick(m, key, err);
		release_ticks(m);
		if (r < 0)
			return CURSOR_ERROR;
		if (any) {
			*ret = encoder_end(m->encoder);
			return CURSOR_TICK;
		}
	}
}

static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	struct merge *m = self;
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < m->n_input; i++)
		r = input_seek(m->input[i], wall_ns, err);
	clear_hosts(m);
	encoder_free(m->encoder);
	m->encoder = encoder_new(header_new());
	m->seq = m->merged = 0;
	m->gap_reported = m->relisted = false;
	m->interval_ns = 0;
	return r;
}

struct cursor merge_cursor(struct merge *m)
{
	static const struct cursor_ops ops = { .next = next, .seek = seek };

	return m->plain ? archive_cursor(m->input[0]->archive)
	                : (struct cursor) { &ops, m };
}

/* ---- what it is of ----------------------------------------------------- */

bool merge_is_plain(const struct merge *m)
{
	return m->plain;
}

int64_t merge_interval_ns(const struct merge *m)
{
	int64_t ns = INT64_MAX;
	size_t i;

	for (i = 0; i < m->n_input; i++)
		ns = GS_MIN(ns, input_interval(m->input[i]));
	return ns;
}

void merge_range(const struct merge *m, int64_t *ret_first_ns,
	int64_t *ret_last_ns)
{
	size_t i;

	*ret_first_ns = INT64_MAX;
	*ret_last_ns = INT64_MIN;
	for (i = 0; i < m->n_input; i++) {
		const struct input *l = m->input[i];

		*ret_first_ns = GS_MIN(*ret_first_ns,
		    l->first_ns - l->shift_ns);
		*ret_last_ns = GS_MAX(*ret_last_ns,
		    l->last_ns - l->shift_ns);
	}
}

int32_t merge_utc_offset(const struct merge *m)
{
	return archive_utc_offset(m->input[0]->archive);
}

size_t merge_archives(const struct merge *m)
{
	return m->n_input;
}

const struct archive *merge_archive(const struct merge *m, size_t i)
{
	return m->input[i]->archive;
}

size_t merge_refused(const struct merge *m)
{
	return m->n_refused;
}

size_t merge_notes(const struct merge *m)
{
	return m->n_note;
}

const char *merge_note(const struct merge *m, size_t i)
{
	return m->note[i];
}
