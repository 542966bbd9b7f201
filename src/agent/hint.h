/*
 * hint.h - what one process title tells about the whole server.
 */
#ifndef GS_AGENT_HINT_H
#define GS_AGENT_HINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"

struct hint {
	bool has_port;
	uint32_t port;
	bool client; /* it serves a client, so that it must do something: */
	bool activity; /* its title says what */
};

void hint_title(struct span title, struct hint *ret);

#endif
