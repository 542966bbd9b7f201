/* SPDX-License-Identifier: Apache-2.0 */
#include "record/remote_command.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#define HOST_MAX 255u

static const char host_mark[] = "{host}";
static const char agent_mark[] = "{agent}";

static void add_word(struct remote_command *c, const char *p, size_t len)
{
	GS_GROW(c->word, &c->cap, c->n + 1);
	c->word[c->n++] = gs_strndup(p, len);
}

/* Parses one word from *at; false at the end. */
static int next_word(const char **at, struct buf *word, struct gs_err *err)
{
	const char *p = *at;
	char quote = '\0';

	buf_reset(word);
	while (*p == ' ' || *p == '\t' || *p == '\n')
		p++;
	if (*p == '\0')
		return 0;
	for (; *p && (quote || !strchr(" \t\n", *p)); p++) {
		if (quote && *p == quote)
			quote = '\0';
		else if (!quote && (*p == '\'' || *p == '"'))
			quote = *p;
		else
			buf_add_char(word, *p);
	}
	*at = p;
	if (quote)
		return gs_fail(err, GS_E_USAGE, "%c is not closed", quote);
	return 1;
}

int remote_command_split(
    struct remote_command *c, const char *text, struct gs_err *err)
{
	struct buf word = BUF_INIT;
	int r;

	while ((r = next_word(&text, &word, err)) > 0)
		add_word(c, buf_str(&word), word.len);
	buf_release(&word);
	if (r < 0)
		remote_command_release(c);
	return r;
}

int remote_command_parse(
    struct remote_command *c, const char *text, struct gs_err *err)
{
	int r = remote_command_split(c, text, err);
	bool has_host = false;
	size_t i;

	for (i = 0; i < c->n; i++) {
		has_host |= strstr(c->word[i], host_mark) != NULL;
		c->has_agent |= strcmp(c->word[i], agent_mark) == 0;
	}
	if (r == 0 && !has_host)
		r = gs_fail(err, GS_E_USAGE, "{host} is missing");
	if (r < 0)
		remote_command_release(c);
	return r;
}

void remote_command_release(struct remote_command *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		free(c->word[i]);
	free(c->word);
	*c = (struct remote_command) { 0 };
}

static char *with_host(const char *word, const char *host)
{
	struct buf b = BUF_INIT;
	const char *mark;
	char *out;

	while ((mark = strstr(word, host_mark)) != NULL) {
		buf_add(&b, word, (size_t)(mark - word));
		buf_add_str(&b, host);
		word = mark + strlen(host_mark);
	}
	buf_add_str(&b, word);
	out = gs_strdup(buf_str(&b));
	buf_release(&b);
	return out;
}

char **remote_command_argv(const struct remote_command *c, const char *host,
	const char *agent)
{
	char **argv = gs_calloc(c->n + 1, sizeof(*argv));
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (strcmp(c->word[i], agent_mark) == 0)
			argv[i] = gs_strdup(agent);
		else
			argv[i] = with_host(c->word[i], host);
	}
	return argv;
}

void remote_command_argv_free(char **argv)
{
	size_t i;

	for (i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

int remote_command_check_host(const char *host, struct gs_err *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789._-:%@[]/";
	size_t len = strlen(host);

	if (len == 0 || len > HOST_MAX)
		return gs_fail(err, GS_E_USAGE,
		    "a host's name has 1 to %u bytes, got %zu", HOST_MAX,
		    len);
	if (host[0] == '-' || strspn(host, plain) != len)
		return gs_fail(err, GS_E_USAGE, "no host's name: %s", host);
	return 0;
}
