/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "base/scan.h"

/* More numbers than a command line holds. */
#define PIDS_MAX 10000u

void selection_release(struct selection *s)
{
	free(s->pid);
	if (s->comm.given)
		regfree(&s->comm.regex);
	if (s->process.given)
		regfree(&s->process.regex);
	*s = (struct selection) SELECTION_INIT;
}

static int compare_pid(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void selection_pid(struct selection *s, uint32_t pid)
{
	size_t i = s->n_pid;

	s->pid = gs_realloc(s->pid, (s->n_pid + 1) * sizeof(*s->pid));
	for (; i > 0 && s->pid[i - 1] > pid; i--)
		s->pid[i] = s->pid[i - 1];
	s->pid[i] = pid;
	s->n_pid++;
}

static int add_self(struct selection *s, struct gs_err *err)
{
	if (s->self == 0)
		return gs_fail(err, GS_E_USAGE, "SELF is this program, which "
		    "is not in a recording: expected numbers or ALL");
	selection_pid(s, s->self);
	return GS_OK;
}

static int add_pid(struct selection *s, struct span word,
	struct gs_err *err)
{
	char *text = gs_strndup(word.ptr, span_len(word));
	int64_t pid;
	int r = units_int(text, 1, INT32_MAX, &pid, err);

	free(text);
	if (r == GS_OK)
		selection_pid(s, (uint32_t)pid);
	return r;
}

int selection_pids(struct selection *s, const char *list,
	struct gs_err *err)
{
	struct span all = span_str(list), word;
	bool more = true;
	int r = GS_OK;

	while (r == GS_OK && more) {
		more = scan_until(&all, ',', &word);
		if (!more)
			word = all;
		if (span_eq(word, "ALL"))
			s->all = true;
		else if (s->n_pid >= PIDS_MAX)
			r = gs_fail(err, GS_E_USAGE, "more than %u numbers",
			    PIDS_MAX);
		else if (span_eq(word, "SELF"))
			r = add_self(s, err);
		else
			r = add_pid(s, word, err);
	}
	return r;
}

int selection_name(struct selection_name *n, const char *regex,
	struct gs_err *err)
{
	char why[128];
	int r;

	if (*regex == '\0')
		return gs_fail(err, GS_E_USAGE, "the expression is empty");
	r = regcomp(&n->regex, regex, REG_EXTENDED | REG_NOSUB);
	if (r == 0) {
		n->given = true;
		return GS_OK;
	}
	(void)regerror(r, &n->regex, why, sizeof(why));
	return gs_fail(err, GS_E_USAGE, "\"%s\": %s", regex, why);
}

bool selection_is_explicit(const struct selection *s)
{
	return s->all || s->n_pid > 0;
}

bool selection_has_pid(const struct selection *s, const struct task *k)
{
	if (s->all || s->n_pid == 0)
		return true;
	return bsearch(&k->pid, s->pid, s->n_pid, sizeof(*s->pid),
	    compare_pid) != NULL;
}

static bool fits(const struct selection_name *n, const char *name)
{
	return !n->given || (name && regexec(&n->regex, name, 0, NULL, 0) == 0);
}

bool selection_has(const struct selection *s, const struct task *k,
	const struct task *process)
{
	const char *name = s->line && k->line && !k->tid ? k->line : k->comm;
	const char *of = !process ? NULL
	    : s->line && process->line ? process->line : process->comm;

	/* a task of an unknown user may be that user's */
	return selection_has_pid(s, k) && fits(&s->comm, name) &&
	    fits(&s->process, of) &&
	    (!s->user || !k->user || strcmp(s->user, k->user) == 0);
}
