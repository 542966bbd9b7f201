/*
 * waits_int.h - what a backend does at a sample (waits_class.c), for waits.c.
 */
#ifndef GS_MODEL_WAITS_INT_H
#define GS_MODEL_WAITS_INT_H

#include "base/scan.h"
#include "model/waits.h"

struct wait_what {
	enum wait_kind kind;
	struct span class, event; /* constants, or the row's texts */
};

/* process: the backend's, or NULL.  False: it is not counted at all, as it is
 * the recorder's own, or nothing is known of it. */
bool waits_classify(const struct world *w, const struct row *backend,
	const struct row *process, struct wait_what *ret);

#endif
