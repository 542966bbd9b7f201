/* SPDX-License-Identifier: Apache-2.0 */
#include "base/gate.h"

static bool is_shut;

void gate_shut(void)
{
	is_shut = true;
}

void gate_open(void)
{
	is_shut = false;
}

bool gate_is_open(void)
{
	return !is_shut;
}
