/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <ini.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/units.h"
#include "cli/commands.h"
#include "findings/rule.h"
#include "tui/looks.h"
#include "view/findings_view.h"

#define SYSTEM_FILE "/etc/gpsnap.conf"
#define LINE_LEN_MAX 190 /* what the parser takes */
#define LINES_MAX 10000u

static const char *const other_sections[] = { "defaults", "thresholds",
	"colours", "terminal" };

struct entry {
	char *section, *key, *value;
	const char *file;
	unsigned line;
};

static struct {
	bool off, loaded;
	bool has_findings; /* their rules are set */
	struct entry *entry;
	size_t n, cap;
	char *file[2]; /* that were read; entries name them */
	size_t n_file;
} config;

void config_off(void)
{
	config.off = true;
}

void config_forget(void)
{
	size_t i;

	for (i = 0; i < config.n; i++) {
		free(config.entry[i].section);
		free(config.entry[i].key);
		free(config.entry[i].value);
	}
	for (i = 0; i < config.n_file; i++)
		free(config.file[i]);
	free(config.entry);
	finding_rules_reset();
	memset(&config, 0, sizeof(config));
}

/* ---- reading --------------------------------------------------------- */

/* A file that is being parsed. */
struct reading {
	FILE *from;
	const char *file; /* kept: entries name it */
	unsigned line;
	struct gs_err *err;
	int status;
};

static int wrong(const char *file, unsigned line, struct gs_err *err)
{
	gs_err_prefix(err, "%s:%u", file, line);
	return GS_E_USAGE;
}

/* "lock pile-up" of "finding lock pile-up"; NULL: another section. */
static const char *name_of(const char *section, const char *kind)
{
	size_t n = strlen(kind);

	return strncmp(section, kind, n) == 0 && section[n] == ' ' &&
	    section[n + 1] ? section + n + 1 : NULL;
}

static const char *finding_of(const char *section)
{
	return name_of(section, "finding");
}

static const char *watch_of(const char *section)
{
	return name_of(section, "watch");
}

static bool is_section(const char *name)
{
	size_t i;

	if (finding_of(name) || watch_of(name))
		return true;

	for (i = 0; i < GS_LEN(other_sections); i++) {
		if (strcmp(name, other_sections[i]) == 0)
			return true;
	}
	return command_find(name) != NULL;
}

static int check_entry(const char *section, const char *key,
	struct gs_err *err)
{
	if (*section == '\0')
		return gs_fail(err, GS_E_USAGE, "%s: must be in a section: "
		    "[defaults], [replay], ...", key);
	if (!is_section(section))
		return gs_fail(err, GS_E_USAGE, "[%s]: expected a command, "
		    "defaults, thresholds, colours, terminal, finding NAME or "
		    "watch NAME", section);
	return GS_OK;
}

/* Called for each "key = value".  Returns 0 on failure. */
static int add_entry(void *ctx, const char *section, const char *key,
	const char *value)
{
	struct reading *r = ctx;

	if (r->status < 0)
		return 0;
	r->status = check_entry(section, key, r->err);
	if (r->status < 0) {
		r->status = wrong(r->file, r->line, r->err);
		return 0;
	}
	GS_GROW(config.entry, &config.cap, config.n + 1);
	config.entry[config.n++] = (struct entry) { gs_strdup(section),
		gs_strdup(key), gs_strdup(value), r->file, r->line };
	return 1;
}

/* The parser's next line: without blanks before it, which would continue the
 * one before. */
static char *next_line(char *to, int len, void *ctx)
{
	struct reading *r = ctx;
	size_t skip, n;

	if (r->status < 0 || !fgets(to, len, r->from))
		return NULL;
	r->line++;
	n = strlen(to);
	if (n > LINE_LEN_MAX || r->line > LINES_MAX) {
		(void)gs_fail(r->err, GS_E_USAGE, n > LINE_LEN_MAX
		    ? "the line is too long" : "too many lines");
		r->status = wrong(r->file, r->line, r->err);
		return NULL;
	}
	skip = strspn(to, " \t");
	memmove(to, to + skip, n - skip + 1);
	return to;
}

/* A pipe might have no writer, a terminal nobody who types.  /dev/null has an
 * end: no configuration. */
static bool is_special(const char *path)
{
	struct stat st, null;

	if (stat(path, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return false;
	return !S_ISCHR(st.st_mode) || stat("/dev/null", &null) < 0 ||
	    st.st_rdev != null.st_rdev;
}

static int read_file(const char *path, bool must, struct gs_err *err)
{
	struct reading r = { .err = err };
	int bad;

	if (is_special(path))
		return gs_fail(err, GS_E_USAGE, "%s: not a regular file", path);
	r.from = fopen(path, "re");
	if (!r.from && !must && (errno == ENOENT || errno == ENOTDIR ||
	    errno == EACCES))
		return GS_OK;
	if (!r.from)
		return gs_fail_errno(err, errno, "%s", path);
	r.file = config.file[config.n_file++] = gs_strdup(path);
	bad = ini_parse_stream(next_line, &r, add_entry, &r);
	(void)fclose(r.from); /* only read from */
	if (r.status == GS_OK && bad != 0) {
		(void)gs_fail(err, GS_E_USAGE,
		    "expected [section], or option = value");
		r.status = wrong(path, bad > 0 ? (unsigned)bad : r.line, err);
	}
	return r.status;
}

bool config_dir(struct buf *to)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && *xdg == '/')
		buf_printf(to, "%s/gpsnap", xdg);
	else if (home && *home)
		buf_printf(to, "%s/.config/gpsnap", home);
	else
		return false;
	return true;
}

static int read_own(struct gs_err *err)
{
	struct buf path = BUF_INIT;
	int r = GS_OK;

	if (config_dir(&path)) {
		buf_add_str(&path, "/config");
		r = read_file(buf_str(&path), false, err);
	}
	buf_release(&path);
	return r;
}

int config_load(struct gs_err *err)
{
	const char *named = getenv("GPSNAP_CONFIG");
	int r;

	if (config.off || config.loaded)
		return GS_OK;
	config.loaded = true;
	if (named)
		return *named ? read_file(named, true, err) : GS_OK;
	r = read_file(SYSTEM_FILE, false, err);
	return r == GS_OK ? read_own(err) : r;
}

/* ---- options --------------------------------------------------------- */

static int set_finding(const char *name, const struct entry *e,
	struct gs_err *err)
{
	return finding_rule_set(name, e->key, e->value, err);
}

/* At the last line of its section. */
static int check_finding(const char *name, const struct entry *e,
	struct gs_err *err)
{
	const struct entry *k;

	for (k = e + 1; k < config.entry + config.n; k++) {
		if (strcmp(k->section, e->section) == 0)
			return GS_OK;
	}
	return findings_check(&findings_views, finding_rule_find(name), err);
}

static int each_finding(int (*fn)(const char *name, const struct entry *e,
	struct gs_err *err), struct gs_err *err)
{
	size_t i;

	for (i = 0; i < config.n; i++) {
		const struct entry *e = &config.entry[i];
		const char *name = finding_of(e->section);

		if (name && fn(name, e, err) < 0)
			return wrong(e->file, e->line, err);
	}
	return GS_OK;
}

/* Rules of findings, once.  They are checked when all are known, as they name each
 * other: an error names the last line of its rule. */
static int apply_findings(struct gs_err *err)
{
	int r = GS_OK;

	if (!config.has_findings)
		r = each_finding(set_finding, err);
	if (!config.has_findings && r == GS_OK)
		r = each_finding(check_finding, err);
	config.has_findings |= r == GS_OK;
	return r;
}

/* An option of [defaults] that no command has is an error. */
static bool is_any_command_s(const char *key)
{
	const struct command *c;
	size_t i, k;

	for (i = 0; (c = command_at(i)) != NULL; i++) {
		for (k = 0; k < c->opts->n_opt; k++) {
			if (strcmp(c->opts->opt[k].name, key) == 0)
				return true;
		}
	}
	return false;
}

static int apply(const struct entry *e, const struct opt_cmd *c, void *to,
	struct opt_rest *rest, struct gs_err *err)
{
	bool own = strcmp(e->section, c->name) == 0;
	int r;

	if (!own && strcmp(e->section, "defaults") != 0)
		return GS_OK;
	r = opt_preset(c, e->key, e->value, to, rest, err);
	if (r == GS_E_NOTFOUND && !own && is_any_command_s(e->key))
		return GS_OK;
	return r < 0 ? wrong(e->file, e->line, err) : GS_OK;
}

int config_apply(const struct opt_cmd *c, void *to, struct opt_rest *rest,
	struct gs_err *err)
{
	int r = config_load(err), pass;
	size_t i;

	if (r == GS_OK)
		r = apply_findings(err);
	/* the section of one command overrides [defaults] */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; r == GS_OK && i < config.n; i++) {
			bool all = strcmp(config.entry[i].section,
			    "defaults") == 0;

			if (all == (pass == 0))
				r = apply(&config.entry[i], c, to, rest,
				    err);
		}
	}
	return r;
}

int config_each_watch(config_watch_fn fn, void *ctx, struct gs_err *err)
{
	int r = config_load(err);
	size_t i;

	for (i = 0; r == GS_OK && i < config.n; i++) {
		const struct entry *e = &config.entry[i];
		const char *name = watch_of(e->section);

		if (!name)
			continue;
		r = fn(ctx, name, e->key, e->value, err);
		if (r < 0)
			return wrong(e->file, e->line, err);
	}
	return r;
}

/* ---- colours and thresholds ------------------------------------------ */

static int set_threshold(const struct entry *e, struct gs_err *err)
{
	const char *comma = strchr(e->value, ',');
	char first[64];
	double watch, bad;
	int r;

	if (!comma || (size_t)(comma - e->value) >= sizeof(first))
		return gs_fail(err, GS_E_USAGE, "\"%s\": expected two numbers: "
		    "worth a look, bad: 80,95", e->value);
	(void)snprintf(first, sizeof(first), "%.*s",
	    (int)(comma - e->value), e->value);
	r = units_real(first, &watch, err);
	if (r == GS_OK)
		r = units_real(comma + 1 + strspn(comma + 1, " "), &bad, err);
	return r < 0 ? r : looks_set_threshold(e->key, watch, bad, err);
}

const char *config_get(const char *section, const char *key)
{
	size_t i;

	for (i = config.n; i-- > 0;) {
		if (strcmp(config.entry[i].section, section) == 0 &&
		    strcmp(config.entry[i].key, key) == 0)
			return config.entry[i].value;
	}
	return NULL;
}

static int set_terminal(const struct entry *e, struct gs_err *err)
{
	if (strcmp(e->key, "keys") == 0)
		return looks_set_keys(e->value, err);
	if (strcmp(e->key, "mouse") == 0)
		return looks_set_mouse(e->value, err);
	if (strcmp(e->key, "columns") == 0)
		return looks_set_columns(e->value, err);
	return gs_fail(err, GS_E_USAGE, "expected keys, mouse or columns");
}

int config_looks(struct gs_err *err)
{
	int r = config_load(err);
	size_t i;

	for (i = 0; r == GS_OK && i < config.n; i++) {
		const struct entry *e = &config.entry[i];

		if (strcmp(e->section, "thresholds") == 0)
			r = set_threshold(e, err);
		else if (strcmp(e->section, "colours") == 0)
			r = looks_set_colour(e->key, e->value, err);
		else if (strcmp(e->section, "terminal") == 0)
			r = set_terminal(e, err);
		if (r < 0) {
			gs_err_prefix(err, "%s", e->key);
			r = wrong(e->file, e->line, err);
		}
	}
	return r;
}
