/* SPDX-License-Identifier: Apache-2.0 */
#include "record/allowance.h"

#include "base/clock.h"
#include "base/compiler.h"

struct allowance allowance_of(double burst, double per_second,
	int64_t now_ns)
{
	return (struct allowance) { .burst = burst, .per_second = per_second,
		.left = burst, .at_ns = now_ns };
}

static void fill(struct allowance *a, int64_t now_ns)
{
	double passed = (double)(now_ns - a->at_ns) / GS_NSEC_PER_SEC;

	if (passed <= 0)
		return;
	a->left += passed * a->per_second;
	if (a->left > a->burst)
		a->left = a->burst;
	a->at_ns = now_ns;
}

bool allowance_spend(struct allowance *a, double n, int64_t now_ns)
{
	fill(a, now_ns);
	if (a->left < n)
		return false;
	a->left -= n;
	return true;
}

void allowance_charge(struct allowance *a, double n, int64_t now_ns)
{
	fill(a, now_ns);
	a->left -= n;
}

int64_t allowance_wait_ns(struct allowance *a, int64_t now_ns)
{
	fill(a, now_ns);
	if (a->left >= 0)
		return 0;
	return (int64_t)(-a->left / a->per_second * GS_NSEC_PER_SEC) + 1;
}
