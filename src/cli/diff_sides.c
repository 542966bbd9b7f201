/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/diff_sides.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/when.h"
#include "cli/cmds.h"
#include "cli/console.h"
#include "view/report.h"

/* ---- words -------------------------------------------------------------- */

static bool is_time(const char *p, size_t len)
{
	char *text = gs_strndup(p, len);
	bool ok = len == 0 || when_check(text, NULL) == GS_OK;

	free(text);
	return ok;
}

static bool is_range(const char *text)
{
	const char *dots = strstr(text, "..");

	return dots && is_time(text, (size_t)(dots - text)) &&
	    is_time(dots + 2, strlen(dots + 2));
}

void side_split(const char *text, struct side_word *ret)
{
	const char *at = strrchr(text, '@');

	*ret = (struct side_word) { .text = text };
	if (at && at > text && is_range(at + 1)) {
		ret->path = gs_strndup(text, (size_t)(at - text));
		ret->range = at + 1;
	} else {
		ret->path = gs_strdup(text);
	}
}

static bool exists(const char *path, size_t len)
{
	char *name = gs_strndup(path, len);
	bool answer = access(name, F_OK) == 0;

	free(name);
	return answer;
}

/* The text after "@" is no range: says why. */
static int refuse_range(const char *text, const char *range)
{
	const char *dots = strstr(range, "..");
	struct gs_err err = { .status = GS_OK };
	const char *wrong;
	char *from;
	int status;

	if (!dots)
		return cli_usage(&diff_opts, "%s: expected FROM..TO after @",
		    text);
	from = gs_strndup(range, (size_t)(dots - range));
	wrong = is_time(from, strlen(from)) ? dots + 2 : from;
	(void)when_check(wrong, &err); /* fails, as before */
	status = cli_usage(&diff_opts, "%s: %s", text, err.msg);
	free(from);
	return status;
}

/* In a word that names no file, while all before its last "@" does, the rest was
 * meant as a range. */
static int check_range(const struct side_word *w)
{
	const char *at = strrchr(w->text, '@');

	if (w->range || !at || exists(w->text, strlen(w->text)) ||
	    !exists(w->text, (size_t)(at - w->text)))
		return CLI_GO;
	return refuse_range(w->text, at + 1);
}

static int check_words(const struct diff_options_cli *o,
	const struct opt_rest *rest)
{
	bool twice = o->host.n == 2 || o->segment.n == 2;

	if (o->host.n > 2 || o->segment.n > 2)
		return cli_usage(&diff_opts, "--%s: expected at most two",
		    o->host.n > 2 ? "host" : "segment");
	if (o->from || o->to)
		return cli_usage(&diff_opts, "--%s: the range of a side is "
		    "written after its name: A.gpsnap@13:00..13:30",
		    o->from ? "from" : "to");
	if (rest->n == 1 && !twice)
		return cli_usage(&diff_opts, "expected two recordings, or two "
		    "ranges of one: A.gpsnap@13:00..13:30 "
		    "A.gpsnap@14:00..14:30; or --host A --host B");
	if (rest->n < 1 || rest->n > 2)
		return cli_usage(&diff_opts, "expected two recordings, got %d",
		    rest->n);
	return CLI_GO;
}

int sides_parse(struct sides *s, const struct diff_options_cli *o,
	const struct opt_rest *rest)
{
	int status = check_words(o, rest), i;

	for (i = 0; status == CLI_GO && i < 2; i++) {
		side_split(rest->arg[GS_MIN(i, rest->n - 1)], &s->word[i]);
		s->read[i] = s->word[i].path;
		if (strcmp(s->read[i], "-") == 0)
			status = cli_usage(&diff_opts, "a pipe can't be "
			    "compared: expected files or directories");
		else
			status = check_range(&s->word[i]);
	}
	return status;
}

/* ---- recordings --------------------------------------------------------- */

static void head(void *ctx, struct report *rep)
{
	struct side_input *in = ctx;
	struct archive *a = in->archive;
	size_t i;

	rep->n_file = archive_files(a);
	rep->file = gs_calloc(rep->n_file, sizeof(*rep->file));
	for (i = 0; i < rep->n_file; i++)
		rep->file[i] = archive_file(a, i);
	archive_notes(a, in->zone, report_add_note, rep);
}

static const char *text_at(const struct opt_texts *t, size_t i)
{
	return t->n == 0 ? NULL : t->text[GS_MIN(i, t->n - 1)];
}

/* "x.gpsnap@13:00..13:30, host sdw3" */
static char *name_of(const struct side_word *w, const char *host,
	const char *segment)
{
	struct buf b = BUF_INIT;
	char *name;

	buf_add_str(&b, w->text);
	if (host)
		buf_printf(&b, ", host %s", host);
	if (segment)
		buf_printf(&b, ", segment %s", segment);
	name = gs_strdup(buf_str(&b));
	buf_release(&b);
	return name;
}

static int set_range(struct sides *s, size_t i, struct gs_err *err)
{
	const struct show_source *src = &s->source[i];
	struct range *r = &s->side[i].range;
	int status;

	*r = (struct range) { INT64_MIN, INT64_MAX, 0 };
	if (!s->word[i].range)
		return GS_OK;
	status = times_parse_range(s->word[i].range, &src->zone, src->first_ns,
	    src->last_ns, &r->from_ns, &r->to_ns, err);
	if (status < 0)
		gs_err_prefix(err, "%s", s->word[i].text);
	return status;
}

static int open_side(struct sides *s, size_t i,
	const struct diff_options_cli *o, struct gs_err *err)
{
	struct show_source *src = &s->source[i];
	struct diff_side *side = &s->side[i];
	struct side_input *in = &s->input[i];
	int r = archive_open(&s->read[i], 1, &in->archive, err);

	if (r < 0)
		return r;
	in->zone = &src->zone;
	meter_init(&in->meter, true);
	src->cursor = meter_cursor(&in->meter, archive_cursor(in->archive));
	src->interval_ns = archive_header(in->archive)->interval_ns;
	(void)archive_bounds(in->archive, &src->first_ns,
	    &src->last_ns); /* a file has them */
	src->head = head;
	src->ctx = in;
	side->src = src;
	/* the archive's is replaced while it is read */
	side->header = s->header[i] = header_dup(archive_header(in->archive));
	side->host = text_at(&o->host, i);
	side->segment = text_at(&o->segment, i);
	side->name = s->name[i] = name_of(&s->word[i], side->host,
	    side->segment);
	r = times_zone(&o->when, archive_utc_offset(in->archive), &src->zone,
	    err);
	if (r == GS_OK)
		r = set_range(s, i, err);
	if (r == GS_OK)
		meter_range(&in->meter, in->zone, side->range.from_ns,
		    side->range.to_ns, src->first_ns, src->last_ns);
	return r;
}

int sides_open(struct sides *s, const struct diff_options_cli *o,
	struct gs_err *err)
{
	int r = open_side(s, 0, o, err);

	return r == GS_OK ? open_side(s, 1, o, err) : r;
}

void sides_release(struct sides *s)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		meter_end(&s->input[i].meter);
		archive_free(s->input[i].archive);
		header_free(s->header[i]);
		free(s->word[i].path);
		free(s->name[i]);
	}
}
