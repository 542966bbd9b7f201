/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns from one run to the next: what is written is read, and a file that is
 * wrong anywhere is not read at all.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "tempdir.h"
#include "travel.h"
#include "tui/keep.h"

static void note(void *ctx, const char *view, const char *columns)
{
	buf_printf(ctx, "%s:%s ", view, columns);
}

static void write_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void test_wrong_files(void **state)
{
	static const struct { const char *text, *said; } cases[] = {
		{ "", NULL },
		{ "# a remark\nhosts\thost\n", NULL },
		{ "hosts\thost", "line 1" }, /* cut off */
		{ "hosts\thost\nhosts", "line 2" },
		{ "hosts host\n", "line 1" },
		{ "nosuch\thost\n", "line 1" },
		{ "hosts\t\n", "line 1" },
		{ "hosts\thost;x\n", "line 1" },
		{ "hosts\thost\n\nhosts\thost\n", "line 2" },
	};
	struct tempdir d;
	struct buf b = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	tempdir_make(&d);
	assert_int_equal(keep_read(tempdir_file(&d, "none"), note, &b, &err),
	    GS_OK);
	for (i = 0; i < GS_LEN(cases); i++) {
		const char *path = tempdir_file(&d, "columns");

		buf_reset(&b);
		write_file(path, cases[i].text, strlen(cases[i].text));
		if (!cases[i].said) {
			assert_int_equal(keep_read(path, note, &b, &err),
			    GS_OK);
			continue;
		}
		assert_int_equal(keep_read(path, note, &b, &err), GS_E_FORMAT);
		assert_non_null(strstr(err.msg, cases[i].said));
		assert_int_equal(b.len, 0);
	}
	buf_release(&b);
	tempdir_remove(&d);
}

static void test_sizes(void **state)
{
	struct tempdir d;
	struct buf b = BUF_INIT, got = BUF_INIT;
	struct gs_err err;
	const char *path;

	(void)state;
	tempdir_make(&d);
	path = tempdir_file(&d, "columns");
	buf_add_char(&b, '#');
	buf_add_fill(&b, 'x', KEEP_BYTES_MAX);
	buf_add_char(&b, '\n');
	write_file(path, b.ptr, b.len);
	assert_int_equal(keep_read(path, note, &got, &err), GS_E_FORMAT);
	buf_reset(&b);
	buf_add_str(&b, "hosts\t");
	buf_add_fill(&b, 'x', EDIT_BYTES_MAX + 1);
	buf_add_char(&b, '\n');
	write_file(path, b.ptr, b.len);
	assert_int_equal(keep_read(path, note, &got, &err), GS_E_FORMAT);
	assert_int_equal(keep_read(d.path, note, &got, &err), GS_E_IO);
	assert_int_equal(got.len, 0);
	buf_release(&b);
	buf_release(&got);
	tempdir_remove(&d);
}

static void test_round_trip(void **state)
{
	struct tempdir d;
	struct buf b = BUF_INIT, got = BUF_INIT;
	struct gs_err err;
	const char *path;

	(void)state;
	tempdir_make(&d);
	path = tempdir_file(&d, "columns");
	write_file(path, "junk", 4);
	keep_add(&b, "hosts", "host,busy_percent");
	keep_add(&b, "disks", "a\tb\n"); /* no list: left out */
	keep_add(&b, "sessions", "+title");
	assert_int_equal(keep_write(path, &b, &err), GS_OK);
	assert_int_equal(keep_read(path, note, &got, &err), GS_OK);
	assert_string_equal(buf_str(&got),
	    "hosts:host,busy_percent sessions:+title ");
	assert_int_not_equal(keep_write(tempdir_file(&d, "no/columns"), &b,
	    &err), GS_OK);
	buf_release(&b);
	buf_release(&got);
	tempdir_remove(&d);
}

/* Columns of a view that a later version does not have are not asked for. */
static void test_unknown_columns(void **state)
{
	static const char text[] = "sessions\tsession,nosuch\n"
	    "processes\tpid,cpu_seconds\n";
	struct tempdir d;
	struct lab l;

	(void)state;
	tempdir_make(&d);
	write_file(tempdir_file(&d, "columns"), text, strlen(text));
	lab_open(&l, 120);
	lab_begin(&l, "sessions");
	columns_load(l.tui, tempdir_file(&d, "columns"));
	(void)lab_paint(&l);
	assert_shows(&l, "kept columns are ignored");
	assert_shows(&l, "row 1 of");
	(void)lab_type(&l, "4");
	assert_int_equal(l.tui->shot.grid[0]->n_col, 2);
	(void)lab_type(&l, "c\x15\r");
	assert_true(l.tui->shot.grid[0]->n_col > 2);
	lab_close(&l);
	tempdir_remove(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_files),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_unknown_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
