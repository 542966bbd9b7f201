/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_hint.h - what one process title tells about the whole server.
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
	bool client; /* it serves a client, so that it must do something: */
	bool activity; /* its title says what */
};

/* names: what titles of that server told so far; hears this one, too. */
void title_hint_parse(struct span title, struct title_names *names,
	struct title_hint *ret);

#endif
