/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.h - whether recordings may be opened yet.
 *
 * A program that reads files of strangers drops its privileges first.  It
 * closes the gate when it starts.  The gate is opened by dropping the
 * privileges, or by a call that says there is nothing to drop.  A program that
 * forgets both can't open any recording, so the mistake is noticed at once.
 * In a program that never closes the gate (tests), it is open.
 */
#ifndef GS_BASE_GATE_H
#define GS_BASE_GATE_H

#include <stdbool.h>

void gate_shut(void);
void gate_open(void);
bool gate_is_open(void);

#endif
