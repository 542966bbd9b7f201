/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key files: valid ones are read, damaged ones are refused.
 */
#include "anonymize/keyfile.h"
#include "cases.h"
#include "format/frame.h"

struct key_case {
	const char *name;
	const char *lines; /* before the last */
	int status;
	const char *said; /* in the message */
};

static const struct key_case rows[] = {
	{ "none", "gpsnap-key 1\n", GS_OK, "" },
	{ "names", "gpsnap-key 1\nuser-1\ta\nobj_1\t\\x5c\nuser-2\t\n",
	    GS_OK, "" },
	{ "no key", "gpsnap-key 2\n", GS_E_FORMAT, "no key file" },
	{ "no kind", "gpsnap-key 1\nnobody-1\ta\n", GS_E_FORMAT, "line 2" },
	{ "no number", "gpsnap-key 1\nuser-\ta\n", GS_E_FORMAT, "line 2" },
	{ "number of nobody", "gpsnap-key 1\nuser-0\ta\n", GS_E_FORMAT,
	    "line 2" },
	{ "number is missing", "gpsnap-key 1\nuser-1\ta\nuser-3\tb\n",
	    GS_E_FORMAT, "line 3" },
	{ "number twice", "gpsnap-key 1\nuser-1\ta\nuser-1\tb\n",
	    GS_E_FORMAT, "line 3" },
	{ "name twice", "gpsnap-key 1\nuser-1\ta\nuser-2\ta\n",
	    GS_E_FORMAT, "line 3" },
	{ "large number", "gpsnap-key 1\nuser-99999999999999999999\ta\n",
	    GS_E_FORMAT, "line 2" },
	{ "no tab", "gpsnap-key 1\nuser-1 a\n", GS_E_FORMAT, "line 2" },
	{ "escape", "gpsnap-key 1\nuser-1\t\\n\n", GS_E_FORMAT, "line 2" },
	{ "cut escape", "gpsnap-key 1\nuser-1\t\\x4\n", GS_E_FORMAT,
	    "line 2" },
};

static size_t lines_of(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static void reads(void **state)
{
	const struct key_case *row = *state;
	struct aliases *all = aliases_new();
	struct buf text = BUF_INIT;
	struct gs_err err = { .status = GS_OK };

	buf_add_str(&text, row->lines);
	buf_printf(&text, "end %zu %08x\n", lines_of(row->lines) - 1,
	    frame_crc32c(text.ptr, text.len));
	assert_int_equal(keyfile_parse("k", buf_str(&text), text.len, all,
	    &err), row->status);
	if (row->status != GS_OK && !strstr(err.msg, row->said))
		fail_msg("%s, want %s", err.msg, row->said);
	buf_release(&text);
	aliases_free(all);
}

/* No prefix of a file is one, and no change is missed. */
static void cut_or_changed(void **state)
{
	struct buf text = BUF_INIT;
	struct aliases *all;
	size_t i;

	(void)state; /* none */
	buf_add_str(&text, "gpsnap-key 1\nuser-1\ta b\ndir-1\t\\x01\n");
	buf_printf(&text, "end 2 %08x\n",
	    frame_crc32c(text.ptr, text.len));
	for (i = 0; i < text.len; i++) {
		all = aliases_new();
		assert_int_equal(keyfile_parse("k", buf_str(&text), i, all,
		    NULL), GS_E_FORMAT);
		aliases_free(all);
		all = aliases_new();
		text.ptr[i] ^= 1;
		assert_int_equal(keyfile_parse("k", buf_str(&text), text.len,
		    all, NULL), GS_E_FORMAT);
		text.ptr[i] ^= 1;
		aliases_free(all);
	}
	buf_release(&text);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, reads, rows);
	cases_add(&c, "cut or changed", cut_or_changed, NULL);
	return cases_run(&c, "keyfile");
}
