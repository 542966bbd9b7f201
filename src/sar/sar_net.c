/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_net.c - network interfaces.
 */
#include "sar/sar_calc.h"

/* Both directions share an interface that is not full duplex. */
struct value sar_net_used(SAR_ARGS)
{
	struct value rx = sar_rate(c, COL(NET, RX));
	struct value tx = sar_rate(c, COL(NET, TX));
	double mbit, bytes;

	if (rx.kind != VALUE_REAL || tx.kind != VALUE_REAL)
		return value_absent();
	if (!sar_level(c, COL(NET, SPEED), &mbit) || mbit <= 0 ||
	    mbit > UINT32_MAX)
		return c->data->strict ? value_real(0) : value_absent();
	bytes = rx.real + tx.real;
	if (c->thing->full_duplex)
		bytes = rx.real > tx.real ? rx.real : tx.real;
	return value_real(bytes * 8 / (mbit * 1e6) * 100);
}
