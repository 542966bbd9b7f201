/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/spillname.h"

static const char prefix[] = "pgsql_tmp";

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

/* Takes digits from the end; false, and s is unchanged, if there are none. */
static bool cut_digits(struct span *s, struct span *ret)
{
	const char *p = s->end;

	while (p > s->ptr && is_digit(p[-1]))
		p--;
	if (p == s->end)
		return false;
	*ret = (struct span) { p, s->end };
	s->end = p;
	return true;
}

/* Cuts ".fileset" and the counter: the rest ends with the pid. */
static void cut_counter(struct span *s)
{
	struct span digits;

	while (!span_empty(*s)) {
		const char *dot = memrchr(s->ptr, '.', span_len(*s));
		bool counter;

		if (!dot)
			return;
		counter = cut_digits(s, &digits) && s->end == dot + 1;
		s->end = dot;
		if (counter)
			return;
	}
}

/* "_HashJoin_1_" to "HashJoin". */
static struct span operator_of(struct span s)
{
	struct span digits, t;
	const char *p;

	while (!span_empty(s) && *s.ptr == '_')
		s.ptr++;
	while (!span_empty(s) && s.end[-1] == '_')
		s.end--;
	t = s;
	if (cut_digits(&t, &digits) && !span_empty(t) && t.end[-1] == '_') {
		s = t;
		while (!span_empty(s) && s.end[-1] == '_')
			s.end--;
	}
	for (p = s.ptr; p < s.end; p++) {
		if (!is_word(*p))
			return span_of("", 0);
	}
	return span_len(s) > SPILLNAME_OPERATOR_MAX ? span_of("", 0) : s;
}

bool spillname_parse(struct span name, struct spillname *ret)
{
	struct span digits;
	uint64_t pid;

	*ret = (struct spillname) { .op = span_of("", 0) };
	if (!span_starts(name, prefix))
		return false;
	name.ptr += sizeof(prefix) - 1;
	cut_counter(&name);
	if (!cut_digits(&name, &digits) || !scan_u64(&digits, &pid) ||
	    pid > INT32_MAX)
		return true;
	ret->pid = (uint32_t)pid;
	ret->op = operator_of(name);
	return true;
}

static bool skip_digits(struct span *s)
{
	const char *p = s->ptr;

	while (!span_empty(*s) && is_digit(*s->ptr))
		s->ptr++;
	return s->ptr > p;
}

struct span spillname_member(struct span name)
{
	struct span s = name;

	if (span_empty(s) || (*s.ptr != 'i' && *s.ptr != 'o'))
		return span_of("", 0);
	s.ptr++;
	if (!skip_digits(&s) || !span_starts(s, "of"))
		return span_of("", 0);
	s.ptr += 2;
	return skip_digits(&s) ? span_str("HashJoin") : span_of("", 0);
}
