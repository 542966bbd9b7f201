/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_hint.h - facts about the whole server in one process title.
 */
#ifndef GS_AGENT_TITLE_HINT_H
#define GS_AGENT_TITLE_HINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"
#include "title/title_names.h"

struct title_hint {
	bool has_port;
	uint32_t port;
	bool client; /* it serves a client, so that it must have an activity: */
	bool activity; /* its title has one */
};

/* names: from the titles of that server so far; updated with this one. */
void title_hint_parse(struct span title, struct title_names *names,
	struct title_hint *ret);

#endif
