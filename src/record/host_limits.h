/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_limits.h - the resources of the recorder that one host may use.
 *
 * Agents are not trusted: a host under an attacker's control must not harm
 * the recording of the others.  wire.h limits one answer; these limits are for
 * the rate of a connection and for the memory that the recorder keeps of a
 * host.  gpsnap-record(1), section LIMITS, documents all of them.
 */
#ifndef GS_RECORD_HOST_LIMITS_H
#define GS_RECORD_HOST_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "format/wire.h"

/* Bytes that are read of a connection, its stderr included.  An agent sends
 * about 300 bytes of a process once and 20 to 40 per sample in which it ran:
 * 10,000 processes that all run, each second, are 400 kB.  The first answer
 * may be as long as any. */
#define HOST_READ_BURST ((double)WIRE_MESSAGE_MAX)
#define HOST_READ_PER_S 1048576.0

/* Memory of one host: its rows and texts, and an incomplete answer.  A process
 * is 900 bytes and its title: 64 Ki of them are 66 MB. */
#define HOST_HELD_MAX ((size_t)96 << 20)

/* Of that, texts: 10,000 titles of 200 bytes are 2 MB.  They are in each key
 * of the recording.  A byte of text counts four times for the read rate,
 * since only texts can be all new in each answer. */
#define HOST_TEXTS_MAX ((size_t)4 << 20)
#define HOST_READ_TEXT_EXTRA 3.0

/* The same of all hosts: a thousand of 1,000 processes each.  And their rows:
 * half of what a reader of the recording accepts (ROWS_MAX). */
#define HOSTS_HELD_MAX ((size_t)1 << 30)
#define HOSTS_ROWS_MAX ((size_t)1 << 19)

/* Rows of all hosts that change at each sample, and are not packed between two: of
 * 1,000 hosts all their own, CPUs, disks and networks, of ten 400 processes each. */
#define HOSTS_AWAKE_BYTES ((size_t)6 << 20)

/* New rows: a burst of twice the maximum number of rows, then so many a second.
 * Slots are not used again before the next key, so that each new row takes
 * some of a reader's memory. */
#define HOST_OPENS_BURST (2.0 * WIRE_ROWS_MAX)
#define HOST_OPENS_PER_S 2048.0

/* Events of an agent, and about a host: 24, then one in 10 s; at 100 bytes
 * each that is less than 1 MB a day.  Lines to the user: 12, then one a
 * minute. */
#define HOST_EVENTS_BURST 24.0
#define HOST_EVENTS_PER_S 0.1
#define HOST_NOTICES_BURST 12.0
#define HOST_NOTICES_PER_S (1.0 / 60)

/* Bytes of an event's text from an agent; they are made safe to show. */
#define HOST_EVENT_TEXT_MAX ((size_t)256)

/* Of the recording's list of what may not be read (64 in all). */
#define HOST_REFUSED_MAX 8u

/* Remote commands that did not end on SIGTERM.  After so long they are killed;
 * while so many have not ended, no other is started. */
#define HOST_KILL_AFTER_S 5
#define HOST_DYING_MAX 4u

#endif
