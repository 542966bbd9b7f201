/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/survey_fold.h"

#include <string.h>

#include "base/arith.h"
#include "model/walk.h"

static bool is_whole(const struct survey *s)
{
	return s->ticks > 0 && s->steady && s->n_gaps == 0 &&
	    s->n_absence == 0 && !survey_is_damaged(s) && s->n_pace > 0;
}

bool survey_is_plain(const struct survey *s)
{
	return is_whole(s) && s->closed && !s->written && s->n_pace == 1;
}

static bool are_same_hosts(const struct survey *a, const struct survey *b)
{
	size_t i;

	if (a->n_host != b->n_host)
		return false;
	for (i = 0; i < a->n_host; i++) {
		if (strcmp(a->host[i], b->host[i]) != 0)
			return false;
	}
	return true;
}

/* It begins with the last tick of sum: a rotation repeats it. */
static bool repeats(const struct survey *sum, const struct survey *next)
{
	return next->first_seq == sum->last_seq &&
	    next->first_ns == sum->last_ns;
}

static bool goes_on(const struct survey *sum, const struct survey *next)
{
	if (repeats(sum, next))
		return next->ticks > 1;
	return next->first_seq > sum->last_seq && !next->first_late &&
	    tick_missing(sum->last_seq, next->first_seq,
	    next->first_left_out) == 0 && walk_is_near(sum->last_ns,
	    next->first_ns, next->pace[0].interval_ns);
}

/* All ticks of next have one interval. */
static bool fold_pace(struct survey *sum, const struct survey *next,
	bool again)
{
	int64_t ns = next->pace[0].interval_ns;
	size_t i;

	for (i = 0; i < sum->n_pace && sum->pace[i].interval_ns != ns; i++)
		continue;
	if (i == SURVEY_PACES_MAX || next->n_pace != 1)
		return false;
	if (i == sum->n_pace)
		sum->pace[sum->n_pace++] = (struct survey_pace) {
			.interval_ns = ns };
	sum->pace[i].times += sum->pace[i].ticks == 0 || i != sum->last_pace;
	sum->pace[i].ticks += next->pace[0].ticks - again;
	sum->last_pace = i;
	return true;
}

static void fold_rows(struct survey *sum, const struct survey *next,
	bool again)
{
	size_t e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		sum->rows[e] += next->rows[e] - (again ? next->first_rows[e]
		                                       : 0);
		sum->rows_max[e] = GS_MAX(sum->rows_max[e], next->rows_max[e]);
	}
}

static void take(struct survey *sum, struct survey *next)
{
	*sum = *next;
	next->header = NULL;
	next->host = NULL;
	next->n_host = 0;
}

bool survey_fold(struct survey *sum, struct survey *next)
{
	bool again = repeats(sum, next);

	if (!is_whole(next))
		return false;
	if (sum->ticks == 0) {
		take(sum, next);
		return true;
	}
	if (!sum->closed || !are_same_hosts(sum, next) ||
	    !goes_on(sum, next) || !fold_pace(sum, next, again))
		return false;
	fold_rows(sum, next, again);
	header_free(sum->header);
	sum->header = next->header;
	next->header = NULL;
	sum->last_seq = next->last_seq;
	sum->last_ns = next->last_ns;
	sum->ticks += next->ticks - again;
	sum->keys += next->keys;
	sum->skipped += next->skipped;
	sum->utc_offset_s = next->utc_offset_s;
	sum->size_bytes += next->size_bytes;
	sum->n_file += next->n_file;
	sum->stretches += next->stretches;
	sum->summaries += next->summaries;
	sum->summary_bytes += next->summary_bytes;
	sum->gists += next->gists;
	sum->gist_bytes += next->gist_bytes;
	sum->page_bytes += next->page_bytes;
	sum->content |= next->content;
	sum->closed = next->closed;
	sum->written |= next->written;
	return true;
}
