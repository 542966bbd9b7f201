/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that change the table: which rows, in which order, of what.
 */
#include <fcntl.h>
#include <unistd.h>

#include "render/render.h"
#include "tempdir.h"
#include "travel.h"
#include "tui/looks.h"

/* The text of a row's first column. */
static void first_cell(const struct lab *l, size_t row, char to[64])
{
	size_t grid, at;
	const struct grid *g;
	struct buf b = BUF_INIT;

	assert_true(sheet_get(&l->tui->sheet, row, &grid, &at));
	g = l->tui->shot.grid[grid];
	(void)cell_add_exact(&b, g->col[0].quantity, &g->row[at].cell[0]);
	(void)snprintf(to, 64, "%s", buf_str(&b));
	buf_release(&b);
}

static void test_the_chosen_row_stays_while_time_moves(void **state)
{
	struct lab l;
	char was[64], is[64];
	int i;

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_key(&l, TKEY_DOWN);
	(void)lab_key(&l, TKEY_DOWN);
	first_cell(&l, 2, was);
	for (i = 0; i < 10; i++) {
		(void)lab_type(&l, "T");
		first_cell(&l, tui_level(l.tui)->row, is);
		assert_string_equal(is, was);
	}
	/* order of another column moves it, and it stays chosen */
	(void)lab_type(&l, "s\x15pid\r");
	first_cell(&l, tui_level(l.tui)->row, is);
	assert_string_equal(is, was);
	lab_close(&l);
}

static void test_a_row_is_kept_in_view(void **state)
{
	struct lab l;
	char was[64], want[80];

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_key(&l, TKEY_DOWN);
	first_cell(&l, 1, was);
	(void)lab_type(&l, "f");
	(void)lab_type(&l, "gTT");
	(void)snprintf(want, sizeof(want), "*%s", was);
	/* right below the heading */
	assert_non_null(strstr(strstr(buf_str(&l.text), "PID"), was));
	(void)lab_type(&l, "&pid = 1\r");
	assert_shows(&l, "is not there now");
	assert_null(strstr(buf_str(&l.text), "^_"));
	assert_null(strchr(buf_str(&l.text), '\x1f'));
	(void)lab_type(&l, "f");
	lab_close(&l);
}

static void test_filter(void **state)
{
	struct lab l;
	size_t all;

	(void)state;
	lab_open_table(&l, "sessions");
	all = l.tui->sheet.n_row;
	(void)lab_type(&l, "&user = alice\r");
	assert_true(l.tui->sheet.n_row < all);
	assert_shows(&l, "where user = alice");
	assert_hides(&l, "bob");
	/* what can't be asked is told, and the old condition stays */
	(void)lab_type(&l, "&\x15nosuch = 1\r");
	assert_shows(&l, "nosuch");
	assert_int_equal(l.tui->mode, MODE_PROMPT);
	(void)lab_key(&l, TKEY_ESCAPE);
	assert_shows(&l, "where user = alice");
	(void)lab_type(&l, "&\x15\r");
	assert_int_equal(l.tui->sheet.n_row, all);
	/* Esc: the search, what was zoomed into, then the condition */
	(void)lab_type(&l, "&user = alice\r/alice\r\r");
	(void)lab_key(&l, TKEY_ESCAPE);
	assert_shows(&l, " > ");
	(void)lab_key(&l, TKEY_ESCAPE);
	assert_shows(&l, "where user = alice");
	(void)lab_key(&l, TKEY_ESCAPE);
	assert_int_equal(l.tui->sheet.n_row, all);
	lab_close(&l);
}

/* Rows of a level that are shown. */
static size_t shown(const struct lab *l, unsigned level)
{
	size_t n = 0, i, grid, row;

	for (i = 0; sheet_get(&l->tui->sheet, i, &grid, &row); i++)
		n += l->tui->shot.grid[grid]->row[row].level == level;
	return n;
}

static void test_tree(void **state)
{
	struct lab l;
	size_t sessions;
	char first[64], is[64];

	(void)state;
	lab_open_table(&l, "sessions");
	(void)lab_type(&l, "e");
	sessions = shown(&l, 1);
	assert_true(sessions > 1);
	assert_int_equal(l.tui->sheet.n_row, sessions);
	/* what is folded is not made, and looks as if it were */
	assert_int_equal(l.tui->shot.grid[0]->n_row, sessions);
	assert_shows(&l, "\n+");
	(void)lab_type(&l, "s\x15query\r");
	assert_int_equal(l.tui->sheet.n_row, sessions);
	assert_true(l.tui->shot.grid[0]->n_row > sessions);
	(void)lab_type(&l, "s\x15\r");
	assert_int_equal(l.tui->sheet.n_row, sessions);
	first_cell(&l, 0, first);
	(void)lab_type(&l, "o");
	assert_int_equal(shown(&l, 1), sessions);
	assert_true(shown(&l, 2) > 0);
	assert_int_equal(shown(&l, 3), 0);
	/* it stays open while time moves, and the row chosen */
	(void)lab_type(&l, "T");
	first_cell(&l, tui_level(l.tui)->row, is);
	assert_string_equal(is, first);
	assert_true(shown(&l, 2) > 0);
	(void)lab_type(&l, "o");
	assert_int_equal(l.tui->sheet.n_row, shown(&l, 1));
	(void)lab_type(&l, "O");
	assert_true(shown(&l, 3) > 0);
	(void)lab_type(&l, "O");
	assert_int_equal(l.tui->sheet.n_row, shown(&l, 1));
	(void)lab_type(&l, "e");
	assert_int_equal(shown(&l, 0), l.tui->sheet.n_row);
	(void)lab_type(&l, "o");
	assert_shows(&l, "nothing is below this row");
	lab_close(&l);
}

/* Groups by path: what is below a row follows it, in the order of the table. */
static void test_tree_by_path(void **state)
{
	static const char *const path[] = { "/a/b", "/z", "/a-x", "/", "/a/b/c",
		"/a", "/a/a" };
	static const struct { const char *path; unsigned level; } want[] = {
		{ "/", 1 }, { "/z", 2 }, { "/a-x", 2 }, { "/a", 2 },
		{ "/a/b", 3 }, { "/a/b/c", 4 }, { "/a/a", 3 } };
	static const struct grid_col col = GRID_COL("cgroup", "CGROUP", Q_TEXT,
	    80, "path");
	struct grid *g = grid_new("cgroups", NULL);
	size_t i;

	(void)state;
	grid_add_col(g, &col);
	for (i = 0; i < GS_LEN(path); i++)
		grid_add_row(g)->cell[0] = cell_text(grid_text(g, path[i],
		    strlen(path[i])));
	folds_by_path(g);
	for (i = 0; i < GS_LEN(want); i++) {
		assert_true(span_eq(cell_span(&g->row[i].cell[0]), want[i].path));
		assert_int_equal(g->row[i].level, want[i].level);
	}
	grid_free(g);
}

static double number(const struct lab *l, size_t row, const char *name)
{
	const struct grid *g = l->tui->shot.grid[0];
	int col = grid_find_col(g, name, strlen(name));
	const struct cell *c = &g->row[row].cell[col];

	return c->kind == CELL_INT ? (double)c->i : c->kind == CELL_REAL
	    ? c->r : -1;
}

static void test_order(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_type(&l, "s\x15memory\r");
	for (i = 1; i < l.tui->sheet.n_row; i++)
		assert_true(number(&l, i - 1, "memory") >=
		    number(&l, i, "memory"));
	(void)lab_type(&l, "r");
	assert_shows(&l, "by +memory");
	(void)lab_type(&l, "r");
	assert_shows(&l, "by -memory");
	(void)lab_type(&l, "<");
	assert_shows(&l, "by cpu_seconds");
	(void)lab_type(&l, ">>");
	assert_shows(&l, "by io_bytes_per_second");
	lab_close(&l);
}

static void test_columns(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_type(&l, "cpid,mem");
	(void)lab_key(&l, TKEY_TAB); /* memory, memory_peak */
	(void)lab_type(&l, ",parent\r");
	assert_shows(&l, "PID");
	assert_shows(&l, "PPID");
	assert_hides(&l, "CPU%");
	(void)lab_type(&l, "c\x15\r");
	assert_shows(&l, "CPU%");
	lab_close(&l);
}

static void test_columns_are_picked(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_type(&l, "C");
	assert_shows(&l, ">[x] pid");
	assert_shows(&l, " [x] state");
	(void)lab_type(&l, "j ");
	assert_shows(&l, ">[ ] state");
	(void)lab_type(&l, "k"); /* pid to the third place */
	(void)lab_type(&l, "JJ\r");
	assert_int_equal(l.tui->mode, MODE_TABLE);
	assert_hides(&l, "STATE");
	assert_true(strstr(buf_str(&l.text), "SESSION") <
	    strstr(buf_str(&l.text), "PID"));
	(void)lab_type(&l, "51"); /* the view keeps them */
	(void)lab_type(&l, "4");
	assert_hides(&l, "STATE");
	(void)lab_type(&l, "C");
	(void)lab_type(&l, " \033"); /* dropped */
	assert_shows(&l, "SESSION");
	(void)lab_type(&l, "1C");
	assert_shows(&l, "columns of its own");
	lab_close(&l);
}

static void test_zoom(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "sessions");
	(void)lab_type(&l, "=user = bob\r");
	(void)lab_key(&l, TKEY_DOWN);
	(void)lab_key(&l, TKEY_ENTER);
	assert_shows(&l, ": queries");
	(void)lab_key(&l, TKEY_ENTER);
	assert_shows(&l, ": processes");
	assert_true(l.tui->sheet.n_row > 0);
	(void)lab_key(&l, TKEY_ENTER);
	assert_shows(&l, ": matrix");
	(void)lab_key(&l, TKEY_ESCAPE);
	(void)lab_key(&l, TKEY_ESCAPE);
	(void)lab_key(&l, TKEY_ESCAPE);
	assert_shows(&l, "where user = bob");
	assert_int_equal(tui_level(l.tui)->row, 1);
	(void)lab_key(&l, TKEY_ESCAPE); /* no further */
	assert_false(tui_is_over(l.tui));
	(void)lab_type(&l, "5");
	(void)lab_type(&l, "i");
	assert_shows(&l, "disks");
	(void)lab_type(&l, "2");
	assert_shows(&l, "hosts > alpha: disks");
	lab_close(&l);
}

static void test_search(void **state)
{
	struct lab l;
	size_t all, first;

	(void)state;
	lab_open_table(&l, "sessions");
	all = l.tui->sheet.n_row;
	(void)lab_type(&l, "/BOB\r");
	assert_shows(&l, "  /BOB");
	first = tui_level(l.tui)->row;
	assert_int_equal(l.tui->sheet.n_row, all);
	(void)lab_type(&l, "n");
	assert_true(tui_level(l.tui)->row > first);
	(void)lab_type(&l, "N");
	assert_int_equal(tui_level(l.tui)->row, first);
	(void)lab_type(&l, "N");
	assert_shows(&l, "from the last row again");
	assert_true(tui_level(l.tui)->row > first);
	(void)lab_key(&l, TKEY_ESCAPE); /* n is of events again */
	assert_hides(&l, "  /BOB");
	(void)lab_type(&l, "n");
	assert_shows(&l, "event or hole");
	first = tui_level(l.tui)->row;
	(void)lab_type(&l, "/nobody\r");
	assert_shows(&l, "/nobody: no row has it");
	assert_int_equal(tui_level(l.tui)->row, first);
	lab_close(&l);
}

static void test_rows_move_by_letters(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_type(&l, "jjjk");
	assert_int_equal(tui_level(l.tui)->row, 2);
	lab_close(&l);
}

static void test_columns_scroll(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "processes");
	assert_shows(&l, "STATE");
	(void)lab_type(&l, "h");
	assert_shows(&l, "these are the first columns");
	(void)lab_type(&l, "lll");
	assert_shows(&l, "PID"); /* the first one stays */
	assert_hides(&l, "STATE");
	(void)lab_type(&l, "llllllllllllllllllllllllllllll");
	assert_shows(&l, "there are no more columns");
	assert_shows(&l, "PID");
	(void)lab_type(&l, "hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh");
	assert_shows(&l, "STATE");
	lab_close(&l);
}

/* A text that was kept goes when another one is typed; other keys edit it. */
static void test_a_prompt_is_typed_twice(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "sessions");
	(void)lab_type(&l, "&user = alice\r");
	(void)lab_type(&l, "&user = bob\r");
	assert_shows(&l, "where user = bob ");
	(void)lab_type(&l, "&");
	assert_true(l.tui->edit.selected);
	(void)lab_key(&l, TKEY_HOME);
	(void)lab_type(&l, "not \r");
	assert_shows(&l, "where not user = bob ");
	(void)lab_type(&l, "&");
	(void)lab_key(&l, TKEY_BACKSPACE);
	(void)lab_type(&l, "b\r");
	assert_shows(&l, "where not user = bob ");
	(void)lab_type(&l, "scpu\rsmemory\r");
	assert_shows(&l, "by memory ");
	lab_close(&l);
}

static void test_options(void **state)
{
	struct lab l;

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_type(&l, ":sort memory\r");
	assert_shows(&l, "by memory");
	(void)lab_type(&l, ":--where=cpu > 1000\r");
	assert_shows(&l, "where cpu > 1000");
	(void)lab_type(&l, ":where\r");
	assert_hides(&l, "where cpu");
	(void)lab_type(&l, ":-V sessions\r");
	assert_shows(&l, "\n sessions ");
	(void)lab_type(&l, ":group-by user\r");
	assert_shows(&l, "USER");
	assert_hides(&l, "SESSION ");
	(void)lab_type(&l, ":window 2m\r");
	assert_int_equal(l.tui->window_ns, 119 * SIM_SECOND);
	(void)lab_type(&l, ":window 5\r");
	assert_int_equal(l.tui->window_ns, 5 * SIM_SECOND);
	(void)lab_type(&l, ":frobnicate 5\r");
	assert_shows(&l, "expected an option that can be changed here: at, ");
	(void)lab_key(&l, TKEY_ESCAPE);
	(void)lab_type(&l, ":wi\r"); /* without a value */
	assert_int_equal(l.tui->mode, MODE_PROMPT);
	(void)lab_key(&l, TKEY_ESCAPE);
	(void)lab_type(&l, ":q\r");
	assert_true(tui_is_over(l.tui));
	lab_close(&l);
}

static void test_find_lists_times(void **state)
{
	struct lab l;
	int64_t end;

	(void)state;
	lab_open_table(&l, "sessions");
	end = l.tui->pos_ns;
	(void)lab_type(&l, "Fsession.state = active and user = bob\r");
	assert_shows(&l, "when it was so");
	assert_shows(&l, "bob");
	assert_shows(&l, "START       END  LENGTH  SESSION");
	(void)lab_type(&l, "\r");
	assert_int_equal(l.tui->mode, MODE_TABLE);
	assert_true(l.tui->pos_ns < end);
	assert_non_null(memmem(lab_chosen(&l).ptr, span_len(lab_chosen(&l)),
	    "bob", 3)); /* the row that it was so of */
	(void)lab_type(&l, "Fsession.user = nobody\r");
	assert_shows(&l, "it was never so");
	assert_int_equal(l.tui->mode, MODE_PROMPT);
	lab_close(&l);
}

static void test_copy(void **state)
{
	struct buf b = BUF_INIT;
	struct lab l;

	(void)state;
	lab_open_table(&l, "processes");
	assert_false(tui_take_copy(l.tui, &b));
	(void)lab_type(&l, "y");
	assert_shows(&l, "copied, ");
	assert_true(tui_take_copy(l.tui, &b));
	assert_null(strchr(buf_str(&b), '\t'));
	assert_false(tui_take_copy(l.tui, &b)); /* once */
	(void)lab_type(&l, "Y");
	assert_true(tui_take_copy(l.tui, &b));
	assert_non_null(strchr(buf_str(&b), '\t'));
	buf_release(&b);
	lab_close(&l);
}

static void test_letters_of_below(void **state)
{
	struct gs_err err;
	struct lab l;
	int64_t end;

	(void)state;
	assert_int_equal(looks_set_keys("vim", &err), GS_E_USAGE);
	assert_int_equal(looks_set_keys("below", &err), GS_OK);
	lab_open_table(&l, "processes");
	end = l.tui->pos_ns;
	(void)lab_type(&l, "J");
	assert_int_equal(l.tui->pos_ns, end - 60 * SIM_SECOND);
	(void)lab_type(&l, "/pid > 0\r");
	assert_shows(&l, "where pid > 0");
	assert_int_equal(looks_set_keys("less", &err), GS_OK);
	(void)lab_type(&l, "j");
	assert_int_equal(l.tui->pos_ns, end - 60 * SIM_SECOND);
	lab_close(&l);
}

static void test_active(void **state)
{
	struct lab l;
	size_t all;

	(void)state;
	lab_open_table(&l, "processes");
	(void)lab_type(&l, "------"); /* in one second not all do */
	all = l.tui->sheet.n_row;
	(void)lab_type(&l, "a");
	assert_true(l.tui->sheet.n_row > 0);
	assert_true(l.tui->sheet.n_row < all);
	(void)lab_type(&l, "a");
	assert_int_equal(l.tui->sheet.n_row, all);
	lab_close(&l);
}

static void test_views(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	lab_open_table(&l, "overview");
	for (i = 1; view_at(i); i++) {
		(void)lab_key(&l, TKEY_TAB);
		assert_shows(&l, view_at(i));
	}
	(void)lab_key(&l, TKEY_TAB);
	assert_shows(&l, " overview");
	(void)lab_key(&l, TKEY_BACK_TAB);
	assert_shows(&l, view_at(i - 1));
	(void)lab_type(&l, "vprocesses\r");
	assert_shows(&l, " processes");
	(void)lab_type(&l, "vprocess3s\r");
	assert_shows(&l, "did you mean processes");
	(void)lab_key(&l, TKEY_ESCAPE);
	(void)lab_type(&l, "0");
	assert_shows(&l, view_at(i - 1)); /* all of them */
	(void)lab_key(&l, TKEY_DOWN);
	(void)lab_key(&l, TKEY_ENTER);
	assert_shows(&l, " threads");
	lab_close(&l);
}

static void report(void *ctx, struct report *rep, const struct engine *e,
	const struct range *r)
{
	(void)ctx;
	(void)r;
	rep->from_ns = e->from_ns;
	rep->to_ns = e->to_ns;
}

static void test_a_table_is_written(void **state)
{
	struct lab l;
	struct tempdir dir;
	const char *path;
	char keys[600];
	char head[200] = "";
	ssize_t n;
	int fd;

	(void)state;
	tempdir_make(&dir);
	path = tempdir_file(&dir, "table.csv");
	(void)snprintf(keys, sizeof(keys), "w\x15%s\r", path);
	lab_open_table(&l, "processes");
	l.source.report = report;
	(void)lab_type(&l, keys);
	assert_shows(&l, "is written");
	(void)lab_type(&l, keys);
	assert_shows(&l, "exists"); /* and is not written over */
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	n = read(fd, head, sizeof(head) - 1);
	assert_true(n > 0);
	assert_non_null(strstr(head, "cpu_percent"));
	(void)close(fd);
	tempdir_remove(&dir);
	lab_close(&l);
}

/* The table is what the text renderer makes of the same grid, after a column
 * for marks. */
static void test_lines_are_those_of_text(void **state)
{
	struct lab l;
	struct buf text = BUF_INIT;
	struct render_options o = { .format = RENDER_TEXT, .width = 80 };
	struct report rep = { .interval_ns = SIM_SECOND };
	struct render *r;
	struct span all, line;
	char want[200];
	bool heading = true;

	(void)state;
	lab_open_table(&l, "processes");
	l.width = 81;
	l.height = 200;
	(void)lab_paint(&l);
	r = render_new(&o, &text);
	render_begin(r, &rep);
	buf_reset(&text);
	render_grid(r, l.tui->shot.grid[0]);
	all = span_of(text.ptr, text.len);
	(void)scan_line(&all, &line); /* an empty one */
	while (scan_line(&all, &line)) {
		/* a heading may end with a sign of more columns */
		(void)snprintf(want, sizeof(want), "%.*s%s",
		    (int)span_len(line), line.ptr, heading ? "" : "\n");
		heading = false;
		assert_shows(&l, want);
	}
	render_free(r);
	buf_release(&text);
	lab_close(&l);
}

/* No key in no place does harm, whatever the size. */
static void test_any_keys(void **state)
{
	static const int special[] = { TKEY_TAB, TKEY_ENTER, TKEY_ESCAPE,
		TKEY_UP, TKEY_DOWN, TKEY_LEFT, TKEY_RIGHT, TKEY_HOME,
		TKEY_END, TKEY_PAGE_UP, TKEY_PAGE_DOWN, TKEY_BACK_TAB,
		TKEY_BACKSPACE, TKEY_DELETE, TKEY_RESIZE, TKEY_CTRL('l'),
		TKEY_CTRL('u'), TKEY_CTRL('w'), 0xc3, 0xa4 };
	static const size_t size[][2] = { { 80, 24 }, { 200, 50 }, { 40, 12 },
		{ 20, 5 }, { 5, 2 }, { 1, 1 } };
	struct lab l;
	unsigned i;

	(void)state;
	lab_open_table(&l, "overview");
	for (i = 0; i < 1500; i++) {
		unsigned n = simlife_random(&l.life, 120);
		bool busy;

		tui_key(l.tui, n < GS_LEN(special) ? special[n]
		    : (int)(n + 7));
		if (i % 3 > 0)
			continue;
		n = simlife_random(&l.life, GS_LEN(size) * 4);
		l.width = n < GS_LEN(size) ? size[n][0] : 80;
		l.height = n < GS_LEN(size) ? size[n][1] : 24;
		(void)lab_paint(&l);
		(void)tui_idle(l.tui, 0, &busy);
	}
	lab_close(&l);
}

static void test_every_key_is_in_the_help(void **state)
{
	struct lab l;
	const char *key, *help;
	size_t i;

	(void)state;
	lab_open_table(&l, "sessions");
	l.height = 70;
	(void)lab_type(&l, "?");
	for (i = 0; command_line(i, &key, &help); i++) {
		assert_shows(&l, key ? key : help);
		assert_shows(&l, help); /* not cut */
	}
	(void)lab_type(&l, "q");
	assert_false(tui_is_over(l.tui));
	(void)lab_type(&l, "q");
	assert_true(tui_is_over(l.tui));
	lab_close(&l);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} tests[] = {
		{ "the chosen row stays while time moves",
		    test_the_chosen_row_stays_while_time_moves },
		{ "a row is kept in view", test_a_row_is_kept_in_view },
		{ "filter", test_filter },
		{ "tree", test_tree },
		{ "tree by path", test_tree_by_path },
		{ "order", test_order },
		{ "columns", test_columns },
		{ "columns are picked", test_columns_are_picked },
		{ "zoom", test_zoom },
		{ "search", test_search },
		{ "rows move by letters", test_rows_move_by_letters },
		{ "columns scroll", test_columns_scroll },
		{ "a prompt is typed twice", test_a_prompt_is_typed_twice },
		{ "options", test_options },
		{ "find lists times", test_find_lists_times },
		{ "copy", test_copy },
		{ "letters of below", test_letters_of_below },
		{ "active", test_active },
		{ "views", test_views },
		{ "a table is written", test_a_table_is_written },
		{ "lines are those of text", test_lines_are_those_of_text },
		{ "any keys", test_any_keys },
		{ "every key is in the help", test_every_key_is_in_the_help },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(tests); i++)
		cases_add(&c, tests[i].name, tests[i].fn, NULL);
	return cases_run(&c, "table");
}
