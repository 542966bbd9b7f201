/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tui_int.h - what the files of src/tui share.
 */
#ifndef GS_TUI_TUI_INT_H
#define GS_TUI_TUI_INT_H

#include <limits.h>

#include "model/walk.h"
#include "render/layout.h"
#include "tui/edit.h"
#include "tui/keys.h"
#include "tui/shot.h"
#include "tui/strip.h"
#include "tui/timescan.h"
#include "tui/tui.h"
#include "tui/worst.h"

#define FOLDS_OPEN UINT_MAX

/* Which rows of a tree hide those below them. */
struct folds {
	unsigned depth; /* those of this level and deeper; FOLDS_OPEN: none */
	struct fold {
		char *identity;
		unsigned level;
	} *other; /* those that are not as depth says */
	size_t n, cap;
	unsigned levels; /* of the tree, if rows that are hidden need not be in
	                  * the table; 0: all are */
};

/* The settings of one table, and the position in it.  There is one for each
 * view, and one for each step of a zoom. */
struct level {
	const char *view; /* name */
	char *where, *sort, *columns; /* as typed; NULL: the view's */
	char *group_by, *ema;
	bool nested, normalize;
	const char *const *flatten; /* not owned */
	size_t n_flatten;
	char *session;
	char *event, *class, *query_id; /* of waits */
	struct wait_ask wait; /* the numbers of it */
	char *zoom; /* condition of the row that was zoomed into */
	char *name; /* that row: "con7" */
	bool active; /* only active rows */
	char *chosen; /* identity of the row; NULL: the first */
	char *kept; /* identity of the pinned row */
	size_t row; /* number of the chosen row */
	size_t top; /* first visible line of the table */
	size_t left; /* columns after the first that are scrolled out */
	bool keeps; /* the columns are kept for the next run */
	bool tree; /* tree_open() made it; of control groups, by path */
	struct folds folds;
};

/* One line below the timeline. */
struct sheet_line {
	enum line_kind { LINE_BLANK, LINE_TITLE, LINE_SPARK, LINE_HEAD,
	    LINE_ROW, LINE_NONE } kind;
	size_t grid;
	size_t row; /* of the grid; of a title, its line; a sparkline's column */
};

/* Tables as lines. */
struct sheet {
	struct layout *layout; /* one per grid */
	char ***identity; /* by grid and row */
	size_t n_grid;
	struct sheet_line *line;
	size_t n_line, line_cap;
	size_t n_row;
	bool *beyond; /* by grid: columns to the right are not on the screen */
	bool more; /* of some grid */
};

enum mode {
	MODE_TABLE,
	MODE_PROMPT,
	MODE_HELP,
	MODE_MENU,
	MODE_PAGE, /* all of the chosen row */
	MODE_EXPLAIN, /* what columns mean */
	MODE_PICK /* columns to choose from */
};

struct prompt;

#define MENU_MAX 100 /* all views, too */
#define LEVELS_MAX 16

struct tui {
	struct tui_source *src;
	bool utf8, colour;
	bool over;
	/* where in time */
	int64_t pos_ns, window_ns;
	struct walk back; /* steps back from pos_ns */
	bool newest; /* follows the end of a source that grows */
	bool playing;
	int64_t played_ns, refreshed_ns; /* when last; the idle clock */
	/* what is asked for */
	struct level *base; /* by view */
	size_t n_base;
	struct level zoomed[LEVELS_MAX];
	size_t n_zoomed;
	size_t view; /* index of the view at the bottom */
	char *state; /* file in which columns are kept; NULL: none */
	char *baseline; /* what tables are compared with, as typed; NULL */
	char *windows; /* that tables are of, as typed; NULL: the one */
	/* what is shown */
	bool saving; /* a table of all columns is wanted */
	bool stale; /* the shot does not match the settings */
	bool repaint;
	bool interrupted; /* the shot was interrupted */
	struct ask *ask;
	struct buf where; /* of the ask */
	struct ask *opened; /* that the shot was made with; NULL: ask */
	struct buf made; /* what the shot depends on, besides order, condition,
	                  * columns and baseline */
	char *beside; /* what it was compared with, as typed; NULL */
	struct shot shot;
	struct sheet sheet;
	/* where things are on the last screen, for the mouse */
	struct places {
		size_t strip, strip_end; /* lines of the timeline */
		size_t strip_left; /* its first column */
		size_t *line; /* of the sheet, by line of the screen; SIZE_MAX:
			       * none */
		size_t n_line, line_cap;
		size_t width; /* of the screen */
		size_t pressed; /* column in the timeline; SIZE_MAX: none */
		struct list_place {
			size_t first; /* its first line on the screen */
			size_t rows; /* lines of it */
			size_t skip; /* items before that */
			size_t column; /* width of a column of items; 0: there is
			                * one */
		} list; /* a menu, or columns to choose from */
	} place;
	size_t room; /* lines of the table on the screen */
	size_t tall; /* the same without messages, about */
	size_t width;
	struct timescan timescan;
	struct worst worst;
	bool opening; /* to go to the worst finding once it is known */
	bool listing; /* to list findings once there are some */
	/* message of the bottom line */
	enum mode mode;
	struct buf message;
	bool trouble; /* it is an error */
	const struct prompt *prompt;
	struct edit edit;
	char *search; /* text of / ; NULL: none */
	char *file_name; /* that was written last */
	struct buf copied; /* for the terminal's clipboard, once */
	size_t scroll; /* of help */
	struct colpick {
		struct colpick_item {
			char *name;
			const char *help; /* not owned */
			bool on;
		} *item;
		size_t n, cap, at;
	} pick;
	struct menu {
		const char *title;
		char made[200]; /* a title that was made for it */
		void (*choose)(struct tui *t, int64_t value);
		struct menu_item {
			char text[200];
			int64_t value;
		} item[MENU_MAX];
		size_t n;
		size_t at;
		bool wide; /* a line each */
	} menu;
	struct found {
		const char *view; /* whose rows they are; NULL: of none */
		struct found_hit {
			int64_t at_ns;
			char *name; /* of the row; NULL */
		} hit[MENU_MAX]; /* by item of the menu */
		size_t n;
	} found;
};

/* ---- tui_show.c -------------------------------------------------------- */

/* The settings of the current table. */
struct level *tui_level(const struct tui *t);

/* Shows a view by name; false if it does not exist. */
bool tui_show_view(struct tui *t, const char *name);

/* The n-th row is chosen, and its name is kept. */
void tui_choose(struct tui *t, size_t row);

/* Shows a message on the bottom line. */
void tui_message(struct tui *t, const char *fmt, ...) GS_PRINTF(2, 3);
void tui_error(struct tui *t, const char *text);

/* Makes the shot for the current settings, and its lines.  The old one stays if
 * it fails or is interrupted. */
enum shot_result tui_shoot(struct tui *t, struct gs_err *err);

/* The same, if the shot is stale; shows errors. */
void tui_refresh(struct tui *t, size_t width);

/* The columns for the same table. */
void tui_lay_out(struct tui *t);

/* ---- level.c ------------------------------------------------------------ */

void level_init(struct level *l, const char *view,
	const struct ask_words *words);
void level_release(struct level *l);

/* All texts are the level's; where is made of its conditions. */
struct ask_words level_words(const struct level *l, struct buf *where);

/* It shows the overview: no condition, order or columns. */
bool level_is_fixed(const struct level *l);

#define OVERVIEW_IS_FIXED "the overview is fixed; 2 shows sessions, 4 processes"

/* Replaces a text; "" and NULL: none. */
void level_set(char **text, const char *to);

/* ---- zoom.c -------------------------------------------------------------- */

/* Zooms into the chosen row: by default, or by a menu. */
void zoom_in(struct tui *t, int arg);
void zoom_menu(struct tui *t, int arg);
void zoom_out(struct tui *t, int arg);

/* A page about the row: of its session's queries, else of all its figures. */
void zoom_detail(struct tui *t, int arg);

/* ---- page.c: all of the chosen row --------------------------------------- */

void page_key(struct tui *t, int key);
void paint_page(struct tui *t, struct screen *to, size_t first, size_t end);

/* ---- explain.c: what columns mean ----------------------------------------- */

void explain_open(struct tui *t, int arg);
void paint_explain(struct tui *t, struct screen *to, size_t first, size_t end);

/* ---- sheet.c ------------------------------------------------------------- */

/* By the level: columns after the first that are left out, and folds. */
void sheet_make(struct sheet *s, const struct shot *shot,
	const struct cell_style *style, size_t screen, const struct level *l);
void sheet_release(struct sheet *s);

/* Appends a line of a title that is wrapped; false: it has fewer. */
bool sheet_title(const struct grid *g, size_t width, size_t n,
	struct buf *to);

/* Only active rows. */
void grid_drop_idle(struct grid *g);

/* The line of the n-th row; n_line: there is no such row. */
size_t sheet_row_line(const struct sheet *s, size_t n);

/* The number of the row with an identity; n_row: there is no such row. */
size_t sheet_find(const struct sheet *s, const char *identity);

/* Identity of the n-th row; NULL: there is no such row. */
const char *sheet_identity(const struct sheet *s, size_t n);

/* Grid and row of the n-th row; false: there is no such row. */
bool sheet_get(const struct sheet *s, size_t n, size_t *ret_grid,
	size_t *ret_row);

/* True if what the row shows has ended. */
bool row_has_ended(const struct grid *g, const struct grid_row *row);

/* ---- tree.c: rows below rows ---------------------------------------------- */

void tree_open(struct tui *t, int arg);
void tree_fold(struct tui *t, int arg);
void tree_fold_all(struct tui *t, int arg);

/* ---- folds.c: which rows are hidden ---------------------------------------- */

/* The row has others below it, in the table or not. */
bool folds_has_below(const struct folds *f, const struct grid *g, size_t row);

/* Opens a row that is folded, folds another.  False: there are too many. */
bool folds_turn(struct folds *f, const char *identity, unsigned level);

/* The level of the deepest rows that may be shown. */
unsigned folds_deepest(const struct folds *f);

/* All of a level and deeper are folded, or, FOLDS_OPEN, none. */
void folds_set(struct folds *f, unsigned depth);

/* The row hides those below it. */
bool folds_hide(const struct folds *f, const struct grid *g, size_t row,
	const char *identity);
void folds_release(struct folds *f);

/* Puts control groups below those that they are in. */
void folds_by_path(struct grid *g);

/* The last part of paths, by level; between layout_init() and layout_fit(). */
void folds_names(struct layout *lay);

/* ---- time.c: keys that move in time ------------------------------------- */

void time_tick(struct tui *t, int direction);
void time_move(struct tui *t, int seconds);
void time_edge(struct tui *t, int end);
void time_pause(struct tui *t, int arg);
void time_newest(struct tui *t, int arg);
void time_note(struct tui *t, int direction);
void time_window(struct tui *t, int direction);
void time_go(struct tui *t, int64_t pos_ns);

/* A window from one instant to another. */
void time_span(struct tui *t, int64_t from_ns, int64_t to_ns);

/* ---- opening.c: the worst moment, and the list of findings -------------- */

/* Searches for a while, before the first screen. */
void opening_begin(struct tui *t);

/* Searches on in the background; true: repaint. */
bool opening_idle(struct tui *t);
bool opening_is_busy(const struct tui *t);

/* Shows what a row of a table of findings is about, as its command would. */
void findings_go(struct tui *t, const struct grid *g, size_t row);

/* A key was pressed: the window stays where it is. */
void opening_stop(struct tui *t);

void findings_menu(struct tui *t, int arg);

/* ---- prompt.c ----------------------------------------------------------- */

enum prompt_kind { ASK_JUMP, ASK_WHERE, ASK_SORT, ASK_COLUMNS, ASK_FILE,
	ASK_METRIC, ASK_BASELINE, ASK_WINDOWS, ASK_VIEW, ASK_SEARCH, ASK_FIND,
	ASK_OPTION };

void prompt_open(struct tui *t, int kind);
void prompt_key(struct tui *t, int key);
const char *prompt_label(const struct tui *t);

/* As the answer to a prompt of that kind. */
int prompt_apply(struct tui *t, size_t kind, const char *text,
	struct gs_err *err);

/* ---- table_keys.c ------------------------------------------------------- */

void row_move(struct tui *t, int by);
void row_page(struct tui *t, int direction);
void row_edge(struct tui *t, int end);
void column_move(struct tui *t, int by);
void sort_step(struct tui *t, int by);
void sort_reverse(struct tui *t, int arg);

/* By a column of the table; by the one it is sorted by: reversed. */
void sort_by(struct tui *t, const struct grid *g, size_t col);
void toggle_active(struct tui *t, int arg);
void toggle_kept(struct tui *t, int arg);
void prompt_table(struct tui *t, int kind);

/* The table that has an order and columns; NULL: the view is fixed. */
const struct grid *table_of(const struct tui *t);

/* ---- colpick.c: columns to choose from -------------------------------------- */

void colpick_open(struct tui *t, int arg);
void colpick_key(struct tui *t, int key);
void colpick_release(struct colpick *p);
void paint_colpick(struct tui *t, struct screen *to, size_t first, size_t end);

/* ---- columns.c: columns from one run to the next --------------------------- */

/* path NULL: none are kept. */
void columns_load(struct tui *t, const char *path);

/* The columns of the current table were chosen. */
void columns_keep(struct tui *t);

/* Those of the view, for a level of a zoom. */
void columns_inherit(struct tui *t, struct level *l);

/* ---- search.c: texts in rows --------------------------------------------- */

void search_next(struct tui *t, int direction);
void copy_row(struct tui *t, int whole);

/* ---- found.c: --find, as a list ------------------------------------------ */

int found_list(struct tui *t, const char *expression, struct gs_err *err);
void found_release(struct found *f);

/* ---- save.c ------------------------------------------------------------- */

/* Writes the window's table to a file that does not exist yet: csv or json
 * by the name's end, else text. */
int save_table(const struct tui *t, const char *path, struct gs_err *err);


/* ---- commands.c --------------------------------------------------------- */

void command_key(struct tui *t, int key);
void menu_key(struct tui *t, int key);
void help_key(struct tui *t, int key);

/* A label of keys, as configured; what they do, where that is another text. */
const char *command_label(const char *label, const char **ret_help);

/* A line of the help: a heading, or a key and what it does. */
bool command_line(size_t i, const char **ret_key, const char **ret_help);

/* ---- paint_strip.c ------------------------------------------------------ */

/* The timeline from a line of the screen on; returns the line below it. */
size_t paint_strip(struct tui *t, struct screen *to, size_t at);

/* The timeline on a screen of that size. */
struct strip strip_of_screen(const struct tui *t, size_t width,
	size_t height);

/* ---- paint_table.c: lines first to end of the screen --------------------- */

void paint_table(struct tui *t, struct screen *to, size_t first, size_t end);
void paint_help(struct tui *t, struct screen *to, size_t first, size_t end);
void paint_menu(struct tui *t, struct screen *to, size_t first, size_t end);

/* ---- colour.c ----------------------------------------------------------- */

/* What a cell means, by the table of thresholds; sum: of its column. */
enum style colour_of(const struct grid_col *col, const struct cell *c,
	double sum);

#endif
