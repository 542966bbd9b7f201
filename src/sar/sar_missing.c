/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_missing.c - which of the activities that are wanted were not recorded.
 */
#include <stdio.h>

#include "sar/sar_table.h"

uint64_t sar_missing(uint64_t wanted, uint64_t seen,
	const struct sar_choice *choice)
{
	uint64_t missing = wanted & ~seen;
	size_t i;

	for (i = 0; choice->omit_idle && i < SAR_ACTIVITIES; i++) {
		if (sar_activities[i].item)
			missing &= ~(UINT64_C(1) << i);
	}
	return missing;
}

#define TEXT_MAX 256

static void describe(const struct sar_activity *a,
	const struct sar_choice *choice, char to[TEXT_MAX])
{
	const char *named = sar_choice_named(choice, a->kind);

	if (named)
		(void)snprintf(to, TEXT_MAX, "%s (%s): none of %.100s was "
		    "recorded", a->what, a->option, named);
	else
		(void)snprintf(to, TEXT_MAX, "%s (%s): nothing of it was "
		    "recorded", a->what, a->option);
}

void sar_tell_missing(uint64_t missing, const struct sar_choice *choice,
	sar_notice_fn notice, void *arg)
{
	char text[TEXT_MAX];
	size_t i;

	for (i = 0; i < SAR_ACTIVITIES; i++) {
		if (!(missing >> i & 1))
			continue;
		describe(&sar_activities[i], choice, text);
		notice(arg, text);
	}
}
