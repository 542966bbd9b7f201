/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.h - whether recordings may be opened yet.
 *
 * A program that reads what strangers wrote gives up its rights first.  It
 * shuts the gate when it begins; only giving them up, or saying that nothing
 * is to be given up, opens it.  What forgets both can't open a recording,
 * which is noticed at once.  In a program that never shuts the gate, a test
 * for one, it is open.
 */
#ifndef GS_BASE_GATE_H
#define GS_BASE_GATE_H

#include <stdbool.h>

void gate_shut(void);
void gate_open(void);
bool gate_is_open(void);

#endif
