/* SPDX-License-Identifier: Apache-2.0 */
#include "base/newfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"

static const char name[] = "newfile.txt";

/* The k-th name of this process for what is not complete. */
static char *part(unsigned k)
{
	static char path[64];

	(void)snprintf(path, sizeof(path), "%s.%ld-%u.part", name,
	    (long)getpid(), k);
	return path;
}

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
	assert_true(exists(part(0)));
	if (finish)
		assert_int_equal(newfile_finish(f, &err), GS_OK);
	newfile_free(f);
	assert_false(exists(part(0)));
}

static int refused(const char *path, bool force)
{
	struct gs_err err = { 0 };
	struct newfile *f = NULL;
	int r = newfile_begin(path, force, 0600, &f, &err);

	newfile_free(f);
	return r;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	(void)fputs(text, f);
	(void)fclose(f);
}

static void assert_text(const char *path, const char *want)
{
	char text[32] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	(void)fclose(f);
	assert_string_equal(text, want);
}

static void test_name_when_complete(void **state)
{
	(void)state;
	(void)unlink(name);
	write_one("lost", false, false);
	assert_false(exists(name));
	write_one("one", false, true);
	assert_int_equal(refused(name, false), GS_E_EXISTS);
	write_one("lost", true, false);
	assert_text(name, "one");
	(void)unlink(name);
}

/* As root, a rename would replace the device. */
static void test_no_file(void **state)
{
	(void)state;
	assert_int_equal(refused("/dev/null", true), GS_E_USAGE);
	assert_int_equal(refused("/nonexistent/x", false), GS_E_NOTFOUND);
}

static struct newfile *begin(const char *text)
{
	struct gs_err err = { 0 };
	struct newfile *f = NULL;

	assert_int_equal(newfile_begin(name, true, 0600, &f, &err), GS_OK);
	assert_int_equal(newfile_add(f, text, strlen(text), &err), GS_OK);
	return f;
}

/* A user's file is no left-over, and nor is that of another command. */
static void test_files_of_others(void **state)
{
	static const char users[] = "newfile.txt.part";
	struct gs_err err = { 0 };
	struct newfile *one, *two;

	(void)state;
	put(users, "a user's");
	put(part(0), "another's");
	one = begin("one");
	two = begin("two");
	assert_int_equal(newfile_finish(one, &err), GS_OK);
	newfile_free(one);
	assert_text(name, "one");
	assert_int_equal(newfile_finish(two, &err), GS_OK);
	newfile_free(two);
	assert_text(name, "two");
	assert_text(part(0), "another's");
	assert_text(users, "a user's");
	(void)unlink(part(0));
	(void)unlink(users);
	(void)unlink(name);
}

/* What is not ours any more gets no name, and stays. */
static void test_replaced(void **state)
{
	struct gs_err err = { 0 };
	struct newfile *f = begin("one");

	(void)state;
	assert_int_equal(unlink(part(0)), 0);
	put(part(0), "another's");
	assert_int_equal(newfile_finish(f, &err), GS_E_IO);
	newfile_free(f);
	assert_false(exists(name));
	assert_text(part(0), "another's");
	(void)unlink(part(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name_when_complete),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_files_of_others),
		cmocka_unit_test(test_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
