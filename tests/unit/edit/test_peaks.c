/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gists are compared in each highest level that a view which takes them can show:
 * in another one they might be wrong, and nobody would see it.
 */
#include "cases.h"
#include "edit/gist_check.h"
#include "view/view_int.h"

static const struct view *const views[] = {
#define VIEW(name) &view_##name,
#include "view/views.def"
#undef VIEW
};

static unsigned peaks; /* found */

static void expect(const struct view *v, const struct figure *f, unsigned from)
{
	peaks++;
	if (!gist_check_has_peak(v->entity, f->from[from]))
		fail_msg("%s.%s: %s is not compared", v->name, f->col.name,
		    metric_get(v->entity, f->from[from])->name);
}

static void check(const struct view *v, const struct figure *f)
{
	if (f->fn == figure_peak)
		expect(v, f, 0);
	if (f->fn == figure_memory_peak) { /* see there */
		expect(v, f, 0);
		expect(v, f, 2);
	}
}

static void test_views(void **state)
{
	const struct view_ask ask = { .n_key = 0 };
	size_t i, k;

	(void)state;
	for (i = 0; i < GS_LEN(views); i++) {
		for (k = 0; view_takes_gists(views[i], &ask) &&
		    k < views[i]->n_figure; k++)
			check(views[i], &views[i]->figure[k]);
	}
	assert_true(peaks > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
