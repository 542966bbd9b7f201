/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metric.h - the registry of metrics: each is declared once.
 *
 * A metric is a column of one entity.  Inside the program it is named by
 * entity and column (a dense index, COL(PROCESS, PID)); in files and on the
 * wire by entity id and metric id, which never change.
 */
#ifndef GS_METRIC_METRIC_H
#define GS_METRIC_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum entity_id {
#define ENTITY(id, NAME, name, plural, has_birth, help) ENTITY_##NAME,
#include "metric/entities.def"
#undef ENTITY
	ENTITY_COUNT
};

enum metric_class {
	CLASS_COUNTER,
	CLASS_GAUGE,
	CLASS_PEAK,
	CLASS_STATE,
	CLASS_TEXT
};

enum metric_agg {
	AGG_SUM,
	AGG_MAX,
	AGG_MODE,
	AGG_RANGE,
	AGG_LAST,
	AGG_CPUS,
	AGG_NONE
};

enum metric_source {
#define SOURCE(NAME, path) SOURCE_##NAME,
#include "metric/sources.def"
#undef SOURCE
	SOURCE_COUNT
};

enum unit_id {
#define UNIT(NAME, name, base, num, den) UNIT_##NAME,
#include "metric/unit.def"
#undef UNIT
	UNIT_COUNT_
};

enum metric_flag {
	F_ID = 1 << 0,
	F_BIRTH = 1 << 1,
	F_FACT = 1 << 2,
	F_SIGNED = 1 << 3,
	F_MAIN = 1 << 4,
	F_REAPED = 1 << 5,
	F_SAMEUID = 1 << 6,
	F_ROOT = 1 << 7,
	F_OPT = 1 << 8,
	F_SECRET = 1 << 9,
	F_RETIRED = 1 << 10,
	F_MAX = 1 << 11,
	F_TURN = 1 << 12,
	F_SELDOM = 1 << 13,
	F_LATE = 1 << 14
};

/* The value of an F_MAX metric that stands for no limit.  It is not a number:
 * it is neither compared nor summed. */
#define METRIC_MAX UINT64_MAX

/* Positions of all metrics in one list, entity by entity.  Each entity also
 * has its first position and one past its last. */
enum metric_pos {
#define BEGIN(E) E##_FIRST_, E##_BEFORE_ = E##_FIRST_ - 1,
#define METRIC(E, id, SYM, ...) POS_##E##_##SYM,
#define END(E) E##_END_, E##_LAST_ = E##_END_ - 1,
#include "metric/metrics.def"
#undef BEGIN
#undef METRIC
#undef END
	METRIC_COUNT
};

/* Column of a metric within the rows of its entity; a constant. */
#define COL(ENTITY, SYM) ((unsigned)(POS_##ENTITY##_##SYM - ENTITY##_FIRST_))

/* Number of columns of an entity; a constant. */
#define NCOLS(ENTITY) ((unsigned)(ENTITY##_END_ - ENTITY##_FIRST_))

/* The most columns of an entity: bounds presence masks on a stack. */
#define COLS_MAX 256
#define COL_WORDS(ncols) (((size_t)(ncols) + 63) / 64)
#define COL_WORDS_MAX (COLS_MAX / 64)

struct metric {
	uint16_t entity; /* enum entity_id */
	uint16_t col;
	uint16_t id; /* within the entity, as in files */
	uint16_t flags;
	uint8_t cls;
	uint8_t unit;
	uint8_t agg;
	uint8_t bits; /* width at which a counter wraps */
	uint8_t source; /* enum metric_source */
	uint16_t width; /* least terminal width at which its view shows it; 0:
			 * only on request */
	const char *name;
	const char *full_name; /* "process.minflt" */
	const char *field; /* of the source */
	const char *title;
	const char *help;
};

struct entity {
	uint16_t id; /* as in files */
	uint16_t ncols;
	bool has_birth;
	const char *name;
	const char *plural;
	const char *help;
	const struct metric *metrics; /* ncols of them, by column */
	uint16_t n_text;
	const uint16_t *text_col; /* n_text columns of texts, ascending */
};

/* Never NULL for a valid entity and column. */
const struct entity *entity_get(enum entity_id e);
const struct metric *metric_get(enum entity_id e, unsigned col);

/* By the number in a file; -1 and NULL if this version does not know it. */
int entity_by_file_id(uint32_t id);
const struct metric *metric_by_file_id(enum entity_id e, uint32_t id);

/* Whether a set, a bit each, has the entity of that id in files; that of all has unknown
 * ones, too. */
static inline bool entity_is_in(uint64_t set, uint32_t id)
{
	int e;

	if (set == UINT64_MAX)
		return true;
	e = entity_by_file_id(id);
	return e >= 0 && set >> e & 1;
}

/* By name: "process" or "processes"; "rss" within an entity.  -1, NULL. */
int entity_by_name(const char *name, size_t len);
const struct metric *metric_by_name(enum entity_id e, const char *name,
	size_t len);

static inline bool metric_is_text(const struct metric *m)
{
	return m->cls == CLASS_TEXT;
}

static inline bool metric_is_counter(const struct metric *m)
{
	return m->cls == CLASS_COUNTER;
}

/* The word for a value of a metric, as "batch" of a policy; NULL: it has none. */
const char *metric_word(const struct metric *m, uint64_t value);

/* Its values are words, but for those that are not known yet. */
bool metric_has_words(const struct metric *m);

const char *metric_class_name(enum metric_class cls);

static inline bool metric_is_max(const struct metric *m, uint64_t v)
{
	return v == METRIC_MAX && m->flags & F_MAX;
}

/* As in files, where CPUS is written as a mode. */
const char *metric_agg_name(enum metric_agg agg);

/* The file below /proc; "": none. */
const char *metric_source_path(enum metric_source source);

#endif
