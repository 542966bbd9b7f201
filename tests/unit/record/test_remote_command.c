/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "record/remote_command.h"

static const struct {
	const char *name, *text;
	const char *want; /* words for host h, each in <>; or the failure */
	bool has_agent;
} cases[] = {
	{ "plain", "ssh {host} {agent}", "<ssh><h><sh>", true },
	{ "blanks", "  ssh\t -T  {host}\n{agent} ", "<ssh><-T><h><sh>", true },
	{ "within a word", "x --to={host}:22,{host}", "<x><--to=h:22,h>",
	    false },
	{ "quotes", "x -F '/my dir/c' \"a'b\" {host}",
	    "<x><-F></my dir/c><a'b><h>", false },
	{ "quotes within a word", "x a' 'b {host}", "<x><a b><h>", false },
	{ "empty word", "x '' {host}", "<x><><h>", false },
	{ "no shell", "x $HOME `id` a|b; {host}",
	    "<x><$HOME><`id`><a|b;><h>", false },
	{ "agent is a word", "x {host} a{agent}", "<x><h><a{agent}>", false },
	{ "nothing", " ", "{host} is missing", false },
	{ "no host", "ssh {agent}", "{host} is missing", false },
	{ "open quote", "ssh 'a {host}", "' is not closed", false },
};

static void test_words(void **state)
{
	const __typeof__(cases[0]) *c = *state;
	struct remote_command k = REMOTE_COMMAND_INIT;
	struct buf got = BUF_INIT;
	struct gs_err err;
	char **argv;
	size_t i;

	if (remote_command_parse(&k, c->text, &err) < 0) {
		assert_string_equal(err.msg, c->want);
		assert_null(k.word);
		return;
	}
	assert_int_equal(k.has_agent, c->has_agent);
	argv = remote_command_argv(&k, "h", "sh");
	for (i = 0; argv[i]; i++)
		buf_printf(&got, "<%s>", argv[i]);
	assert_string_equal(buf_str(&got), c->want);
	remote_command_argv_free(argv);
	remote_command_release(&k);
	buf_release(&got);
}

static const struct {
	const char *name, *host;
	bool ok;
} hosts[] = {
	{ "name", "sdw1", true },
	{ "domain", "sdw1.example.org", true },
	{ "user", "gpadmin@sdw1", true },
	{ "address", "fe80::1%eth0", true },
	{ "empty", "", false },
	{ "option", "-oProxyCommand=id", false },
	{ "blank", "a b", false },
	{ "shell", "a;b", false },
	{ "newline", "a\n", false },
	{ "quote", "a'b", false },
};

static void test_host(void **state)
{
	const __typeof__(hosts[0]) *c = *state;

	assert_int_equal(remote_command_check_host(c->host, NULL) == 0, c->ok);
}

int main(void)
{
	static struct cases all;

	CASES_TABLE(&all, test_words, cases);
	CASES_TABLE(&all, test_host, hosts);
	return cases_run(&all, "record/carrier");
}
