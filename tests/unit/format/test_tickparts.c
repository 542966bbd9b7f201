/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include "base/buf.h"
#include "base/err.h"
#include "format/tickparts.h"

/* Bytes of a record, its expected hosts, joined with commas, and its other
 * fields. */
static const struct {
	const char *name;
	const char *bytes;
	size_t len;
	const char *hosts; /* NULL: not a record */
	const char *rest;
} part_cases[] = {
#define BYTES(s) s, sizeof(s) - 1
	{ "empty tick", BYTES("\x0a\x02\x0a\x00"), "", "" },
	{ "number before, host", BYTES("\x0a\x07\x0a\x05\x08\x07\x32\x01" "a"),
	    "a,", "\x08\x07" },
	{ "hosts among others",
	    BYTES("\x0a\x0d\x0a\x0b\x32\x01" "a\x08\x07\x32\x02" "bc\x18\x01"),
	    "a,bc,", "\x08\x07\x18\x01" },
	{ "unknown fields", BYTES("\x12\x01x\x0a\x0e\x12\x01y\x0a\x09\x7d"
	    "1234\x32\x02" "ab"), "ab,", "\x7d" "1234" },
	{ "a tick in two parts",
	    BYTES("\x0a\x0a\x0a\x03\x32\x01" "a\x0a\x03\x32\x01" "b"),
	    "a,b,", "" },
	{ "eight bytes", BYTES("\x0a\x0b\x0a\x09\x11" "12345678"), "",
	    "\x11" "12345678" },
	{ "one header", BYTES("\x0a\x07\x0a\x05\x08\x07\x22\x01h"), "",
	    "\x08\x07\x22\x01h" },
	{ "two headers", BYTES("\x0a\x08\x0a\x06\x22\x01h\x22\x01i"), NULL, NULL },
	{ "a header in each part", BYTES("\x0a\x0a\x0a\x03\x22\x01h\x0a\x03\x22\x01i"),
	    NULL, NULL },
	{ "nothing", BYTES(""), NULL, NULL },
	{ "no tick", BYTES("\x0a\x00"), NULL, NULL },
	{ "two records", BYTES("\x0a\x02\x0a\x00\x0a\x02\x0a\x00"), NULL,
	    NULL },
	{ "cut", BYTES("\x0a\x04\x0a\x05\x32\x01"), NULL, NULL },
	{ "host that is cut", BYTES("\x0a\x05\x0a\x03\x32\x02" "a"), NULL,
	    NULL },
	{ "host that is a number", BYTES("\x0a\x04\x0a\x02\x30\x01"), NULL,
	    NULL },
	{ "tick that is a number", BYTES("\x0a\x02\x08\x01"), NULL, NULL },
	{ "record that is a number", BYTES("\x08\x01"), NULL, NULL },
	{ "number that is cut", BYTES("\x0a\x04\x0a\x02\x08\x80"), NULL,
	    NULL },
	{ "no kind of field", BYTES("\x0a\x04\x0a\x02\x0b\x0c"), NULL, NULL },
};

static int add_host(void *ctx, struct span host)
{
	buf_add(ctx, host.ptr, span_len(host));
	buf_add_char(ctx, ',');
	return GS_OK;
}

static void test_parts(void **state)
{
	const __typeof__(part_cases[0]) *c = *state;
	struct buf hosts = BUF_INIT;
	struct tickparts p;
	char rest[64];
	bool is = tickparts_of(&p, span_of(c->bytes, c->len), true);

	assert_int_equal(is, c->hosts != NULL);
	if (!is)
		return;
	assert_int_equal(tickparts_hosts(&p, add_host, &hosts), GS_OK);
	assert_string_equal(buf_str(&hosts), c->hosts);
	assert_int_equal(p.rest_len, strlen(c->rest));
	tickparts_rest(&p, rest);
	assert_memory_equal(rest, c->rest, p.rest_len);
	buf_release(&hosts);
}

static int refuse(void *ctx, struct span host)
{
	size_t *n = ctx;

	(void)host;
	return ++*n == 2 ? GS_E_LIMIT : GS_OK;
}

static void test_refused(void **state)
{
	static const char bytes[] =
	    "\x0a\x0b\x0a\x09\x32\x01" "a\x32\x01" "b\x32\x01" "c";
	struct tickparts p;
	size_t n = 0;

	(void)state;
	assert_true(tickparts_of(&p, span_of(bytes, sizeof(bytes) - 1), true));
	assert_int_equal(p.n_host, 3);
	assert_int_equal(tickparts_hosts(&p, refuse, &n), GS_E_LIMIT);
	assert_int_equal(n, 2);
}

/* Its texts are nowhere. */
static void test_no_texts(void **state)
{
	static const char bytes[] =
	    "\x0a\x0d\x0a\x0b\x08\x07\x2a\x01t\x32\x01" "a\x3a\x01" "e";
	struct tickparts p;
	char rest[16];

	(void)state;
	assert_true(tickparts_of(&p, span_of(bytes, sizeof(bytes) - 1), false));
	assert_int_equal(p.n_host, 1);
	assert_int_equal(p.rest_len, 5);
	tickparts_rest(&p, rest);
	assert_memory_equal(rest, "\x08\x07\x3a\x01" "e", 5);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_parts, part_cases);
	cases_add(&c, "refused", test_refused, NULL);
	cases_add(&c, "no texts", test_no_texts, NULL);
	return cases_run(&c, "tickparts");
}
