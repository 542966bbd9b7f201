/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opt.h - one table of options per command.
 *
 * From the table come: parsing, --help, shell completion, and the check that
 * the manual page names every option.  A command describes itself with a
 * constant struct opt_cmd and lets cli_start() (start.h) do the rest.
 */
#ifndef GS_CLI_OPT_H
#define GS_CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* The argument of an option, and the type of the field that stores it. */
enum opt_kind {
	OPT_FLAG, /* nothing; bool, set to true */
	OPT_TEXT, /* any text; const char *, points into argv */
	OPT_TEXTS, /* any text, and again; struct opt_texts, points into argv */
	OPT_PATH, /* as OPT_TEXT; completion offers files */
	OPT_DURATION, /* int64_t, ns */
	OPT_SIZE, /* uint64_t, bytes */
	OPT_PERCENT, /* double, 0 to 100 */
	OPT_INT, /* int64_t from min to max */
	OPT_REAL, /* double */
	OPT_ENUM, /* int, index into values */
	OPT_TIME, /* const char *, text that when_parse() will take */
	OPT_MAYBE, /* const char *: a word that may follow, "" without one; never
	            * one that begins with "-" or is a number, and not where
	            * flags stand beside it (-rU) or after it */
	OPT_MAYBES, /* the same, and again; struct opt_texts */
	OPT_COMMAND, /* bool: all that follows is as after "--" */
	OPT_HELP /* nothing, no field: shows the help (opt_parse() adds it) */
};

/* What an option was given, in order. */
#define OPT_TEXTS_MAX 64
struct opt_texts {
	const char *text[OPT_TEXTS_MAX];
	size_t n;
};

struct opt {
	enum opt_kind kind;
	char short_name; /* 0: none */
	const char *name; /* long name without dashes; never NULL */
	const char *arg; /* name of the argument in help: "INTERVAL" */
	const char *help; /* begins in lower case, no full stop */
	const char *dflt; /* default as text; parsed at first; NULL: none */
	const char *group; /* heading in help before this option; or NULL */
	size_t offset; /* of the field: OPT_AT(struct x, field) */
	int64_t min, max; /* OPT_INT, and OPT_DURATION where max is not 0 */
	const char *const *values; /* OPT_ENUM: names, ended by NULL */
	bool hidden; /* not in help, but parsed */
};

#define OPT_AT(type, field) offsetof(type, field)

struct opt_example {
	const char *line; /* what to type */
	const char *text; /* what it does */
};

struct opt_exit {
	int status;
	const char *text; /* what it means */
};

struct opt_cmd {
	const char *name; /* "record" */
	const char *summary; /* one line, no full stop */
	const char *const *usage; /* lines after "gpsnap NAME", NULL-ended */
	const char *const *about; /* paragraphs, NULL-ended; or NULL */
	const struct opt *opt;
	size_t n_opt;
	const struct opt_example *example; /* ended by a NULL line; or NULL */
	const struct opt_exit *exits; /* ended by a NULL text; or NULL */
	/* Flags that are removed from the words before parsing: they are only
	 * in help and lists. */
	const struct opt *common;
	size_t n_common;
};

/* The tables of a struct opt_cmd, which have the same names in every
 * command. */
#define OPT_TABLES \
	.usage = usage, .about = about, .opt = options, \
	.n_opt = GS_LEN(options), .example = examples

/* No table is longer: bounds struct opt_rest. */
#define OPT_MAX 64

/* The results of parsing beside the options' values. */
struct opt_rest {
	char **arg; /* operands, in order; argv's memory, NULL-ended */
	int n; /* how many */
	int n_before; /* how many of them stand before a "--" */
	bool dashes; /* there was a "--" */
	bool help; /* --help or -h was given: values are incomplete */
	uint64_t given; /* bit per row of the table: in the command line */
	uint64_t preset; /* the same: in a file */
};

/*
 * Parses argv[1..argc): stores defaults, then the values given, into the
 * struct at to.  Options may stand after operands ("replay FILE -f csv");
 * "--" ends them.  Takes -i1, -i 1, --interval=1, --interval 1, bundled flags
 * and long names cut short as long as they are unique.  argv is reordered.
 * Returns 0, or GS_E_USAGE with one line in err.
 */
int opt_parse(const struct opt_cmd *c, int argc, char **argv, void *to,
	struct opt_rest *ret, struct gs_err *err);

/*
 * The same with the values of files: preset(), if it is not NULL, is called
 * once, after the table's defaults and before the command line. opt_parse()
 * fails as it does.
 */
typedef int (*opt_preset_fn)(const struct opt_cmd *c, void *to,
	struct opt_rest *rest, struct gs_err *err);
int opt_parse_over(const struct opt_cmd *c, int argc, char **argv, void *to,
	opt_preset_fn preset, struct opt_rest *ret, struct gs_err *err);

/* Stores the value of an option by its whole long name, of a flag yes or no, and notes
 * it in rest->preset.  value must outlive the struct at to.  GS_E_NOTFOUND: no option has
 * that name; GS_E_USAGE. */
int opt_preset(const struct opt_cmd *c, const char *name, const char *value,
	void *to, struct opt_rest *rest, struct gs_err *err);

/* True if the command line has the option of that long name. */
bool opt_given(const struct opt_cmd *c, const struct opt_rest *rest,
	const char *name);

/* The same, or a file has it: its value is not the default of the table. */
bool opt_is_set(const struct opt_cmd *c, const struct opt_rest *rest,
	const char *name);

/* The whole help text, wrapped to width columns (at least 40). */
void opt_help(const struct opt_cmd *c, size_t width, struct buf *to);

/* One line per option, for programs: "-i<TAB>--interval<TAB>duration<TAB>
 * INTERVAL<TAB>help"; "-" for what is absent.  Values of an enum stand in place
 * of the kind: "text|json|csv". */
void opt_list(const struct opt_cmd *c, struct buf *to);

/* Name of a kind of argument: "duration". */
const char *opt_kind_name(enum opt_kind kind);

#endif
