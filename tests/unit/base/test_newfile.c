/* SPDX-License-Identifier: Apache-2.0 */
#include "base/newfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"

static const char name[] = "newfile.txt", part[] = "newfile.txt.part";

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static void write_one(const char *text, bool force, bool finish)
{
	struct gs_err err = { 0 };
	struct newfile *f = NULL;

	assert_int_equal(newfile_begin(name, force, 0600, &f, &err), GS_OK);
	assert_int_equal(newfile_add(f, text, strlen(text), &err), GS_OK);
	assert_true(exists(part));
	if (finish)
		assert_int_equal(newfile_finish(f, &err), GS_OK);
	newfile_free(f);
	assert_false(exists(part));
}

static int refused(const char *path, bool force)
{
	struct gs_err err = { 0 };
	struct newfile *f = NULL;
	int r = newfile_begin(path, force, 0600, &f, &err);

	newfile_free(f);
	return r;
}

static void test_name_when_complete(void **state)
{
	char text[16] = "";
	FILE *f;

	(void)state;
	(void)unlink(name);
	write_one("lost", false, false);
	assert_false(exists(name));
	write_one("one", false, true);
	assert_int_equal(refused(name, false), GS_E_EXISTS);
	write_one("lost", true, false);
	f = fopen(name, "r");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	(void)fclose(f);
	assert_string_equal(text, "one");
	(void)unlink(name);
}

/* As root, a rename would replace the device. */
static void test_no_file(void **state)
{
	(void)state;
	assert_int_equal(refused("/dev/null", true), GS_E_USAGE);
	assert_int_equal(refused("/nonexistent/x", false), GS_E_NOTFOUND);
}

/* What a killed command left is replaced. */
static void test_left_over(void **state)
{
	FILE *f = fopen(part, "w");

	(void)state;
	assert_non_null(f);
	(void)fputs("longer than the text", f);
	(void)fclose(f);
	write_one("one", false, true);
	(void)unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name_when_complete),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_left_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
