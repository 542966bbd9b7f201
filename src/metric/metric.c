/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/metric.h"

#include <string.h>

#include "base/compiler.h"

/* Prefixes for full names, as string literals that paste. */
#define PREFIX_HOST "host."
#define PREFIX_CPU "cpu."
#define PREFIX_DISK "disk."
#define PREFIX_NET "net."
#define PREFIX_FS "fs."
#define PREFIX_CGROUP "cgroup."
#define PREFIX_PROCESS "process."
#define PREFIX_AGENT "agent."
#define PREFIX_POSTMASTER "postmaster."
#define PREFIX_CLUSTER "cluster."
#define PREFIX_SEGMENT "segment."
#define PREFIX_BACKEND "backend."
#define PREFIX_LOCK "lock."
#define PREFIX_REPLICA "replica."
#define PREFIX_GROUP "group."
#define PREFIX_VMEM "vmem."
#define PREFIX_COLLECTOR "collector."
#define PREFIX_WORKFILE "workfile."
#define PREFIX_THREAD "thread."
#define PREFIX_SOURCE "source."
#define PREFIX_CGROUP_IO "cgroup_io."
#define PREFIX_DATABASE "database."
#define PREFIX_WAL "wal."
#define PREFIX_SLOT "slot."
#define PREFIX_PROGRESS "progress."
#define PREFIX_PGSTATEMENT "pgstatement."

static const struct metric metrics[] = {
#define BEGIN(E)
#define END(E)
#define METRIC(E, id_, SYM, nam, cls_, unit_, bit, agg_, flg, src, fld, wid, \
	ttl, hlp)                                                            \
	{ .entity = ENTITY_##E, .col = COL(E, SYM), .id = id_,               \
	  .flags = flg, .cls = CLASS_##cls_, .unit = UNIT_##unit_,           \
	  .agg = AGG_##agg_, .bits = bit, .source = SOURCE_##src,            \
	  .width = wid, .name = nam, .full_name = PREFIX_##E nam,            \
	  .field = fld, .title = ttl, .help = hlp },
#include "metric/metrics.def"
#undef METRIC
};

/* Start of an entity's metrics in that list: the sum of the columns of the
 * entities before it. */
enum {
#define METRIC(...)
#undef BEGIN
#undef END
#define BEGIN(E) E##_INDEX_,                                              \
	E##_INDEX_END_ = E##_INDEX_ + (int)NCOLS(E) - 1,
#define END(E)
#include "metric/metrics.def"
#undef METRIC
#undef BEGIN
#undef END
};

/* The columns of texts, entity by entity, and how many each entity has. */
#define IF_TEXT_COUNTER(...)
#define IF_TEXT_GAUGE(...)
#define IF_TEXT_PEAK(...)
#define IF_TEXT_STATE(...)
#define IF_TEXT_TEXT(...) __VA_ARGS__
static const uint16_t text_cols[] = {
#define BEGIN(E)
#define METRIC(E, id, SYM, nam, cls, ...) IF_TEXT_##cls((uint16_t)COL(E, SYM),)
#define END(E)
#include "metric/metrics.def"
#undef METRIC
#undef BEGIN
#undef END
};

enum {
#define BEGIN(E) E##_TEXTS_, E##_TEXTS_BEFORE_ = E##_TEXTS_ - 1,
#define METRIC(E, id, SYM, nam, cls, ...) IF_TEXT_##cls(E##_TEXT_##SYM,)
#define END(E) E##_TEXTS_END_, E##_TEXTS_LAST_ = E##_TEXTS_END_ - 1,
#include "metric/metrics.def"
#undef METRIC
#undef BEGIN
#undef END
};

static const struct entity entities[] = {
#define ENTITY(id_, NAME, nam, plu, birth, hlp)                           \
	[ENTITY_##NAME] = { .id = id_, .ncols = NCOLS(NAME),              \
	    .has_birth = birth, .name = nam, .plural = plu, .help = hlp,  \
	    .metrics = &metrics[NAME##_INDEX_],                           \
	    .n_text = NAME##_TEXTS_END_ - NAME##_TEXTS_,                  \
	    .text_col = &text_cols[NAME##_TEXTS_] },
#include "metric/entities.def"
#undef ENTITY
};

#define BEGIN(E) _Static_assert(NCOLS(E) <= COLS_MAX, "too many columns");
#define METRIC(...)
#define END(E)
#include "metric/metrics.def"
#undef METRIC
#undef BEGIN
#undef END

const struct entity *entity_get(enum entity_id e)
{
	return &entities[e];
}

const struct metric *metric_get(enum entity_id e, unsigned col)
{
	return &entities[e].metrics[col];
}

int entity_by_file_id(uint32_t id)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		if (entities[e].id == id)
			return e;
	}
	return -1;
}

const struct metric *metric_by_file_id(enum entity_id e, uint32_t id)
{
	const struct entity *en = &entities[e];
	unsigned i;

	/* Ids start at 1 and grow with the column unless rows retired. */
	if (id >= 1 && id <= en->ncols && en->metrics[id - 1].id == id)
		return &en->metrics[id - 1];
	for (i = 0; i < en->ncols; i++) {
		if (en->metrics[i].id == id)
			return &en->metrics[i];
	}
	return NULL;
}

static bool same(const char *text, const char *name, size_t len)
{
	return strlen(text) == len && memcmp(text, name, len) == 0;
}

int entity_by_name(const char *name, size_t len)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		if (same(entities[e].name, name, len) ||
		    same(entities[e].plural, name, len))
			return e;
	}
	return -1;
}

const struct metric *metric_by_name(enum entity_id e, const char *name,
	size_t len)
{
	const struct entity *en = &entities[e];
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (same(en->metrics[i].name, name, len))
			return &en->metrics[i];
	}
	return NULL;
}

const char *metric_source_path(enum metric_source source)
{
	static const char *const path[] = {
#define SOURCE(NAME, path_) [SOURCE_##NAME] = path_,
#include "metric/sources.def"
#undef SOURCE
	};

	return path[source];
}

bool metric_has_words(const struct metric *m)
{
	return (m->entity == ENTITY_PROCESS && m->col == COL(PROCESS, POLICY)) ||
	    (m->entity == ENTITY_THREAD && m->col == COL(THREAD, POLICY));
}

const char *metric_word(const struct metric *m, uint64_t value)
{
	/* SCHED_* in linux/sched.h; 4 was never used */
	static const char *const policy[] = { "normal", "fifo", "rr", "batch",
		NULL, "idle", "deadline", "ext" };

	if (!metric_has_words(m) ||
	    value >= sizeof(policy) / sizeof(policy[0]))
		return NULL;
	return policy[value];
}

const char *metric_class_name(enum metric_class cls)
{
	static const char *const names[] = {
		[CLASS_COUNTER] = "counter",
		[CLASS_GAUGE] = "gauge",
		[CLASS_PEAK] = "peak",
		[CLASS_STATE] = "state",
		[CLASS_TEXT] = "text",
	};

	return names[cls];
}

const char *metric_agg_name(enum metric_agg agg)
{
	static const char *const names[] = {
		[AGG_SUM] = "sum",
		[AGG_MAX] = "max",
		[AGG_CPUS] = "mode",
		[AGG_MODE] = "mode",
		[AGG_RANGE] = "range",
		[AGG_LAST] = "last",
		[AGG_NONE] = "none",
	};

	return names[agg];
}
