/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of views.def: each has the name of its view, which is found by
 * it.
 */
#include "cases.h"
#include "view/view_int.h"

struct view_row {
	const char *name;
	const struct view *view;
};

static const struct view_row rows[] = {
#define VIEW(name) { #name, &view_##name },
#include "view/views.def"
#undef VIEW
};

static void run_row(void **state)
{
	const struct view_row *r = *state;
	const struct view *found = view_find(r->name);

	assert_string_equal(r->view->name, r->name);
	assert_ptr_equal(found, r->view);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, run_row, rows);
	return cases_run(&c, "views");
}
