/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service.h - a recorder's messages to the service manager that started it.
 *
 * The protocol is sd_notify(3)'s: datagrams to NOTIFY_SOCKET.  It is
 * implemented here, as its authors propose, since libsystemd would load a dozen
 * libraries for one sendto().
 *
 * READY is sent when the first tick is in the file; WATCHDOG while the
 * recorder's loop runs and makes ticks.
 */
#ifndef GS_RECORD_SERVICE_H
#define GS_RECORD_SERVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "record/recorder.h"

struct service {
	int fd; /* -1: there is no service manager */
	struct sockaddr_un to;
	socklen_t len;
	int64_t pause_ns; /* between watchdog messages */
	int64_t patience_ns; /* for the next tick */
	bool ready;
	uint64_t ticks; /* seen last, */
	int64_t ticked_ns; /* and when; monotonic */
};

/* Reads and unsets NOTIFY_SOCKET and WATCHDOG_*, so that children do not get
 * them. */
void service_open(struct service *s, int64_t interval_ns);

static inline bool service_is_one(const struct service *s)
{
	return s->fd >= 0;
}

/* Sends a watchdog message; the first one of a ready recorder sets ret_ready.
 * Returns after how many ns the next is due. */
int64_t service_status_timer(
    struct service *s, const struct recorder_status *status, bool *ret_ready);

void service_close(struct service *s);

#endif
