/*
 * views_waits.c - the views of waits: waitgrid.h on an engine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "view/view_int.h"
#include "view/waitgrid_int.h"

struct wait_use {
	enum wait_table table;
	const struct wait_ask *ask;
	const struct engine *engine;
	struct waits *waits;
};

static const struct row *process_of(void *ctx, const struct row *backend)
{
	const struct wait_use *u = ctx;
	const struct proc *p = sessions_proc_of_backend(u->engine->sessions,
	    backend);

	return p ? p->row : NULL;
}

static void follow(void *self, const struct engine *e)
{
	waits_tick(((struct wait_use *)self)->waits, e->world,
	    e->sessions);
}

static void restart(void *self, const struct engine *e)
{
	(void)e;
	waits_restart(((struct wait_use *)self)->waits);
}

static void *open_table(struct engine *e, const struct view_ask *ask,
	enum wait_table table)
{
	static const uint64_t none[COL_WORDS_MAX];
	struct wait_use *u = gs_calloc(1, sizeof(*u));
	struct follower f = { u, follow, restart };

	u->table = table;
	u->ask = &ask->wait;
	u->engine = e;
	u->waits = waits_new(waitgrid_by(table, u->ask), e->interval_ns,
	    process_of, u);
	/* covered time is that of hosts */
	engine_add_lens(e, lens_new(LENS_ROW, ENTITY_HOST, none, NULL, 0));
	engine_add_follower(e, &f);
	return u;
}

static struct grid *grid_of(void *self, const struct engine *e)
{
	const struct wait_use *u = self;
	struct wait_window w = { u->waits, e->from_ns, e->to_ns, 0, true };

	return waitgrid_new(u->table, &w, 1, u->ask);
}

static void close_table(void *self)
{
	struct wait_use *u = self;

	waits_free(u->waits);
	free(u);
}

#define WAIT_VIEW(sym, TABLE_, name_, help_, cols, fixed_)              \
	static void *open_##sym(struct engine *e,                       \
		const struct view_ask *ask)                             \
	{                                                               \
		return open_table(e, ask, TABLE_);                      \
	}                                                               \
	static const struct view_table table_##sym = { open_##sym,      \
		grid_of, close_table, cols, GS_LEN(cols), fixed_ };     \
	const struct view view_##sym = { .name = name_, .help = help_,  \
		.lens = TABLE, .entity = ENTITY_BACKEND, .sort = "",    \
		.table = &table_##sym }

WAIT_VIEW(waits, WAIT_SCREEN, "waits",
    "what sessions wait for, on one screen", wait_screen_cols, true);
WAIT_VIEW(time_model, WAIT_TIME_MODEL, "time_model",
    "database time by wait class and event, by sampling", wait_model_cols,
    true);
WAIT_VIEW(system_event, WAIT_SYSTEM_EVENT, "system_event",
    "wait events", wait_event_cols, false);
WAIT_VIEW(session_event, WAIT_SESSION_EVENT, "session_event",
    "backends by database time; with --pid the events of one",
    wait_backend_cols, false);
WAIT_VIEW(query_event, WAIT_QUERY_EVENT, "query_event",
    "queries and what they waited for", wait_query_cols, false);
WAIT_VIEW(histogram, WAIT_HISTOGRAM, "histogram",
    "how long waits were seen to take: bounds", wait_histogram_cols, true);
WAIT_VIEW(active, WAIT_ACTIVE, "active",
    "backends at work at the end of the range", wait_active_cols, false);
