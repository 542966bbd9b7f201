/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/collectors.h"

#include "base/buf.h"
#include "base/compiler.h"
#include "base/scan.h"

static int no_such(struct span word, struct gs_err *err)
{
	struct buf all = BUF_INIT;
	int i, r;

	for (i = 0; i < COLLECTOR_COUNT; i++)
		buf_printf(&all, "%s%s", i ? ", " : "", collector_name((enum collector_id)i));
	r = gs_fail(err, GS_E_USAGE,
	    "no collector \"%.*s\"; there are: %s, none",
	    (int)GS_MIN(span_len(word), (size_t)64), word.ptr, buf_str(&all));
	buf_release(&all);
	return r;
}

int collectors_parse(const char *list, uint32_t *ret, struct gs_err *err)
{
	struct span s = span_str(list), word;
	/* a list that begins with + or - changes the default */
	uint32_t bits = *list == '+' || *list == '-' ? COLLECTORS_DEFAULT : 0;
	bool more = true;

	while (more) {
		char sign = '+';
		int i;

		more = scan_until(&s, ',', &word);
		if (!more)
			word = s;
		if (!span_empty(word) && (*word.ptr == '+' || *word.ptr == '-'))
			sign = *word.ptr++;
		if (span_eq(word, "none")) {
			bits = 0;
			continue;
		}
		i = (int)collector_find(word);
		if (i == COLLECTOR_COUNT)
			return no_such(word, err);
		bits = sign == '+' ? bits | 1u << i : bits & ~(1u << i);
	}
	*ret = bits;
	return GS_OK;
}
