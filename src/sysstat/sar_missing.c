/*
 * sar_missing.c - which of the activities that are wanted were not recorded.
 */
#include <stdio.h>

#include "sysstat/sar_int.h"

uint64_t sar_seen(const struct sar *s)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < s->n_page; i++) {
		if (s->page[i].any)
			seen |= UINT64_C(1) << s->page[i].id;
	}
	return seen;
}

uint64_t sar_missing(const struct sar_opt *opt, uint64_t seen)
{
	uint64_t missing = opt->activities & ~seen;
	size_t i;

	for (i = 0; opt->choice->omit_idle && i < SAR_ACTIVITIES; i++) {
		if (sar_activities[i].item)
			missing &= ~(UINT64_C(1) << i);
	}
	return missing;
}

static void tell(const struct sar_opt *opt, const struct sar_activity *a)
{
	const char *named = sar_choice_named(opt->choice, a->kind);
	char text[256];

	if (named)
		(void)snprintf(text, sizeof(text), "%s (%s): none of %.100s "
		    "was recorded", a->what, a->option, named);
	else
		(void)snprintf(text, sizeof(text), "%s (%s): nothing of it "
		    "was recorded", a->what, a->option);
	opt->notice(opt->arg, text);
}

void sar_tell_missing(const struct sar_opt *opt, uint64_t missing)
{
	size_t i;

	for (i = 0; i < SAR_ACTIVITIES; i++) {
		if (missing >> i & 1)
			tell(opt, &sar_activities[i]);
	}
}
