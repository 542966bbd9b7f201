/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_rights.c - every command says what it may do, and one that says nothing
 * can't read a recording; help lists what there is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/gate.h"
#include "cli/cmds.h"
#include "format/reader.h"
#include "query/grouping.h"
#include "view/view.h"

static void test_each_command_declares_its_rights(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < n_cmd_table; i++) {
		const struct command *c = &cmd_table[i];
		bool all = c->rights == RIGHT_ALL;

		if (!all && !(c->rights & RIGHT_READ))
			fail_msg("%s: declares no rights", c->opts->name);
		if (!all && (c->rights & RIGHT_ALL))
			fail_msg("%s: all, and some", c->opts->name);
		if (all == (c->opts->n_common > 0))
			fail_msg("%s: options of a sandbox: %zu",
			    c->opts->name, c->opts->n_common);
	}
}

static const struct opt *option_of(const struct opt_cmd *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->n_opt; i++) {
		if (strcmp(c->opt[i].name, name) == 0)
			return &c->opt[i];
	}
	fail_msg("%s has no --%s", c->name, name);
	return NULL;
}

/* Among words with commas between them. */
static bool has_word(const char *text, const char *word)
{
	const char *p = text;
	size_t n = strlen(word);

	while ((p = strstr(p, word)) != NULL) {
		if ((p == text || p[-1] == ' ') &&
		    (p[n] == ',' || p[n] == '\0'))
			return true;
		p += n;
	}
	return false;
}

static void test_help_has_every_view_and_key(void **state)
{
	const struct opt_cmd *cmds[] = { &replay_opts, &live_opts };
	size_t c, i;

	(void)state;
	for (c = 0; c < GS_LEN(cmds); c++) {
		const char *views = option_of(cmds[c], "view")->help;
		const char *keys = option_of(cmds[c], "group-by")->help;

		for (i = 0; view_at(i); i++) {
			if (!has_word(views, view_at(i)))
				fail_msg("%s: --help lacks view %s",
				    cmds[c]->name, view_at(i));
		}
		for (i = 0; i < LABEL_COUNT; i++) {
			if (!has_word(keys, label_name((enum label_kind)i)))
				fail_msg("%s: --help lacks key %s",
				    cmds[c]->name,
				    label_name((enum label_kind)i));
		}
	}
}

static void test_nothing_is_read_before(void **state)
{
	struct reader *r = NULL;
	struct gs_err err;
	const char *path = GS_SOURCE_DIR "/samples/greenplum6.gpsnap";

	(void)state;
	gate_shut();
	assert_true(reader_open(path, &r, &err) < 0);
	assert_non_null(strstr(err.msg, "no sandbox"));
	gate_open();
	assert_int_equal(reader_open(path, &r, &err), GS_OK);
	reader_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_command_declares_its_rights),
		cmocka_unit_test(test_help_has_every_view_and_key),
		cmocka_unit_test(test_nothing_is_read_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
