#include "history/plan.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct plan_file *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->last_ns != y->last_ns)
		return x->last_ns > y->last_ns ? -1 : 1;
	return 0;
}

void plan_sort(struct plan_file *f, size_t *n)
{
	size_t i, kept = 0;

	if (*n > 1)
		qsort(f, *n, sizeof(*f), compare);
	for (i = 0; i < *n; i++) {
		if (kept == 0 || f[kept - 1].number != f[i].number)
			f[kept++] = f[i];
	}
	*n = kept;
}

static bool is_done(const struct plan_file *f)
{
	return f->known && f->loaded_ns >= f->last_ns;
}

/* The second goes on where the first ends, and nothing of it is loaded. */
static bool goes_on(const struct plan_file *f)
{
	return f[1].number == f[0].number + 1 && !f[1].known;
}

bool plan_next(const struct plan_file *f, size_t n, size_t *i,
	struct plan_run *ret)
{
	size_t k = *i;

	while (k < n && is_done(&f[k]))
		k++;
	if (k == n)
		return false;
	*ret = (struct plan_run) { .first = k, .n = 1,
		.from_ns = f[k].known ? f[k].loaded_ns : INT64_MIN };
	while (k + 1 < n && goes_on(&f[k])) {
		k++;
		ret->n++;
	}
	*i = k + 1;
	return true;
}
