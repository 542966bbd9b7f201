/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/term.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "tui/keys.h"
#include "tui/looks.h"

#define ESCAPE_MS 25 /* wait for the rest of a key's code after Esc */
#define IDLE_MS 250 /* polling period for new ticks */

struct term {
	struct tui *tui;
	SCREEN *screen;
	struct screen draw;
	bool colour;
	bool busy;
	bool painted;
	bool pressed; /* a button */
	struct sigaction stop_before; /* of SIGTSTP */
};

/* ---- styles -------------------------------------------------------------- */

/* Colours are legible on black and on white: no blue of 16, no bright yellow;
 * what is dim is grey, or, in a terminal without greys, dimmed. */
static struct {
	short colour; /* of 8; -1: as it is */
	short rich; /* of 256; chosen: colour is the user's */
	attr_t with; /* where there are colours */
	attr_t without;
	bool chosen;
} looks[STYLE_COUNT] = {
	[STYLE_PLAIN] = { -1, -1, A_NORMAL, A_NORMAL, false },
	[STYLE_BAR] = { -1, -1, A_REVERSE, A_REVERSE, false },
	[STYLE_HEAD] = { -1, -1, A_BOLD, A_BOLD, false },
	[STYLE_SORTED] = { COLOR_CYAN, 32, A_BOLD | A_UNDERLINE,
	    A_BOLD | A_UNDERLINE, false },
	[STYLE_TITLE] = { COLOR_CYAN, 32, A_BOLD, A_BOLD, false },
	[STYLE_STRONG] = { -1, -1, A_BOLD, A_BOLD, false },
	[STYLE_DIM] = { -1, 244, A_DIM, A_DIM, false },
	[STYLE_WATCH] = { COLOR_YELLOW, 172, A_NORMAL, A_BOLD, false },
	[STYLE_BAD] = { COLOR_RED, 160, A_BOLD, A_BOLD, false },
	[STYLE_NOTE] = { COLOR_CYAN, 32, A_NORMAL, A_NORMAL, false },
	[STYLE_HERE] = { COLOR_GREEN, 34, A_BOLD, A_BOLD, false },
	[STYLE_ERROR] = { COLOR_RED, 160, A_BOLD, A_BOLD, false },
	/* cpu, user; io, system; lwlock, iowait; others, steal; locks */
	[STYLE_PART] = { COLOR_GREEN, 34, A_NORMAL, A_NORMAL, false },
	[STYLE_PART + 1] = { COLOR_CYAN, 38, A_NORMAL, A_NORMAL, false },
	[STYLE_PART + 2] = { COLOR_MAGENTA, 133, A_NORMAL, A_NORMAL, false },
	[STYLE_PART + 3] = { COLOR_YELLOW, 178, A_NORMAL, A_NORMAL, false },
	[STYLE_PART_LAST] = { COLOR_RED, 160, A_NORMAL, A_NORMAL, false },
};

static const struct {
	const char *name;
	enum style style;
} styles[] = {
	{ "watch", STYLE_WATCH },
	{ "bad", STYLE_BAD },
	{ "strong", STYLE_STRONG },
	{ "dim", STYLE_DIM },
	{ "title", STYLE_TITLE },
	{ "note", STYLE_NOTE },
	{ "here", STYLE_HERE },
};

/* -1: the terminal's own. */
static const struct {
	const char *name;
	short colour;
} colours[] = {
	{ "default", -1 },
	{ "black", COLOR_BLACK },
	{ "red", COLOR_RED },
	{ "green", COLOR_GREEN },
	{ "yellow", COLOR_YELLOW },
	{ "blue", COLOR_BLUE },
	{ "magenta", COLOR_MAGENTA },
	{ "cyan", COLOR_CYAN },
	{ "white", COLOR_WHITE },
};

static int set_colour(enum style style, const char *name, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < GS_LEN(colours); i++) {
		if (strcmp(name, colours[i].name) != 0)
			continue;
		looks[style].colour = colours[i].colour;
		looks[style].chosen = true;
		return GS_OK;
	}
	return gs_fail(err, GS_E_USAGE, "\"%s\": expected default, black, "
	    "red, green, yellow, blue, magenta, cyan or white", name);
}

int looks_set_colour(const char *style, const char *colour,
	struct gs_err *err)
{
	size_t i;

	for (i = 0; i < GS_LEN(styles); i++) {
		if (strcmp(style, styles[i].name) == 0)
			return set_colour(styles[i].style, colour, err);
	}
	return gs_fail(err, GS_E_USAGE, "expected watch, bad, strong, dim, "
	    "title, note or here");
}

static short colour_of_style(size_t style)
{
	return COLORS >= 256 && !looks[style].chosen ? looks[style].rich
	                                             : looks[style].colour;
}

static bool no_mouse;

int looks_set_mouse(const char *value, struct gs_err *err)
{
	if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
		return gs_fail(err, GS_E_USAGE, "\"%s\": expected on or off",
		    value);
	no_mouse = strcmp(value, "off") == 0;
	return GS_OK;
}

static attr_t attr_of(const struct term *t, enum style style, bool selected)
{
	attr_t a = t->colour ? looks[style].with : looks[style].without;

	if (t->colour && colour_of_style(style) >= 0) {
		a |= (attr_t)COLOR_PAIR(style + 1);
		a &= ~(attr_t)A_DIM; /* its colour is */
	}
	return selected ? a | A_REVERSE : a;
}

static void set_colours(struct term *t, bool colour)
{
	short i;

	t->colour = colour && has_colors() && start_color() != ERR;
	if (!t->colour)
		return;
	(void)use_default_colors(); /* else black */
	for (i = 0; i < STYLE_COUNT; i++)
		(void)init_pair((short)(i + 1), colour_of_style((size_t)i), -1);
}

/* ---- stops --------------------------------------------------------------- */

/* curses ignores SIGTSTP while it draws, which drops one that is pending, and
 * ends the screen wherever another finds the program.  With a handler that is
 * there before it, it does neither. */
static volatile sig_atomic_t stop_asked;

static void on_stop(int sig)
{
	(void)sig;
	stop_asked = 1;
}

/* A shell without job control ignores it, and so do its programs. */
static void handle_stop(struct term *t)
{
	struct sigaction sa = { .sa_handler = on_stop };

	stop_asked = 0;
	(void)sigaction(SIGTSTP, NULL, &t->stop_before);
	if (t->stop_before.sa_handler != SIG_IGN)
		(void)sigaction(SIGTSTP, &sa, NULL);
}

/* Stops, and returns when the shell lets it go on.  Modes that were set
 * meanwhile are the shell's from now on. */
static void stop(struct term *t)
{
	struct sigaction ours;

	(void)def_prog_mode();
	(void)endwin();
	(void)sigaction(SIGTSTP, &t->stop_before, &ours);
	(void)raise(SIGTSTP);
	stop_asked = 0;
	(void)sigaction(SIGTSTP, &ours, NULL);
	(void)def_shell_mode();
	(void)reset_prog_mode();
	(void)clearok(stdscr, TRUE);
	t->painted = false;
}

/* ---- opening and closing ------------------------------------------------ */

int term_open(struct tui *tui, bool colour, struct term **ret,
	struct gs_err *err)
{
	struct term *t = gs_calloc(1, sizeof(*t));

	t->tui = tui;
	handle_stop(t);
	/* they would go before the terminal's own size, also when it changes */
	(void)unsetenv("COLUMNS");
	(void)unsetenv("LINES");
	t->screen = newterm(NULL, stdout, stdin);
	if (!t->screen) {
		const char *name = getenv("TERM");

		(void)sigaction(SIGTSTP, &t->stop_before, NULL);
		free(t);
		return gs_fail(err, GS_E_NOTFOUND, "the terminal \"%s\" is "
		    "not known: -f text prints tables", name ? name : "");
	}
	(void)set_term(t->screen);
	(void)cbreak();
	(void)noecho();
	(void)nonl();
	(void)keypad(stdscr, TRUE);
	(void)set_escdelay(ESCAPE_MS);
	if (!no_mouse) {
		(void)mouseinterval(0); /* no clicks: presses and releases */
		(void)mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED |
		    BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	}
	set_colours(t, colour);
	(void)curs_set(0); /* some can't */
	t->busy = true;
	*ret = t;
	return GS_OK;
}

void term_close(struct term *t)
{
	if (!t)
		return;
	(void)curs_set(1);
	(void)endwin();
	delscreen(t->screen);
	(void)sigaction(SIGTSTP, &t->stop_before, NULL);
	screen_release(&t->draw);
	free(t);
}

/* ---- keys --------------------------------------------------------------- */

static const struct {
	int curses, key;
} keys[] = {
	{ KEY_UP, TKEY_UP },
	{ KEY_DOWN, TKEY_DOWN },
	{ KEY_LEFT, TKEY_LEFT },
	{ KEY_RIGHT, TKEY_RIGHT },
	{ KEY_HOME, TKEY_HOME },
	{ KEY_FIND, TKEY_HOME },
	{ KEY_END, TKEY_END },
	{ KEY_SELECT, TKEY_END },
	{ KEY_PPAGE, TKEY_PAGE_UP },
	{ KEY_NPAGE, TKEY_PAGE_DOWN },
	{ KEY_BTAB, TKEY_BACK_TAB },
	{ KEY_BACKSPACE, TKEY_BACKSPACE },
	{ 0x7f, TKEY_BACKSPACE },
	{ '\b', TKEY_BACKSPACE },
	{ KEY_DC, TKEY_DELETE },
	{ KEY_ENTER, TKEY_ENTER },
	{ KEY_RESIZE, TKEY_RESIZE },
	{ KEY_F(1), TKEY_F1 },
	{ KEY_F(2), TKEY_F1 + 1 },
	{ KEY_F(3), TKEY_F1 + 2 },
	{ KEY_F(4), TKEY_F1 + 3 },
	{ KEY_F(5), TKEY_F1 + 4 },
	{ KEY_F(6), TKEY_F1 + 5 },
	{ KEY_F(7), TKEY_F1 + 6 },
	{ KEY_F(8), TKEY_F1 + 7 },
	{ KEY_F(9), TKEY_F1 + 8 },
	{ KEY_F(10), TKEY_F1 + 9 },
};

/* -1: nothing that matters here. */
static int mouse_is(mmask_t state)
{
	if (state & BUTTON1_PRESSED)
		return MOUSE_PRESS;
	if (state & BUTTON1_RELEASED)
		return MOUSE_RELEASE;
	if (state & BUTTON4_PRESSED)
		return MOUSE_WHEEL_UP;
	return state & BUTTON5_PRESSED ? MOUSE_WHEEL_DOWN : -1;
}

static void take_mouse(struct term *t, const MEVENT *e)
{
	int is = mouse_is(e->bstate);
	struct tui_mouse m;

	if (is < 0 || e->x < 0 || e->y < 0)
		return;
	m.x = (size_t)e->x;
	m.y = (size_t)e->y;
	if (is == MOUSE_RELEASE && !t->pressed) { /* curses kept the last */
		m.what = MOUSE_PRESS;
		tui_mouse(t->tui, &m);
	}
	m.what = (unsigned)is;
	tui_mouse(t->tui, &m);
	t->pressed = is == MOUSE_PRESS;
}

/* Events that came at once: curses has the newest first. */
static void read_mouse(struct term *t)
{
	MEVENT e[8];
	size_t n = 0;

	while (n < GS_LEN(e) && getmouse(&e[n]) == OK)
		n++;
	while (n > 0)
		take_mouse(t, &e[--n]);
}

static int read_key(struct term *t, int wait_ms)
{
	int c, saved = errno;
	size_t i;

	timeout(wait_ms);
	errno = 0;
	c = getch();
	if (c == ERR && errno == EINTR)
		return TKEY_NONE;
	errno = saved;
	if (c == KEY_MOUSE) {
		read_mouse(t);
		return TKEY_MOUSE; /* handled */
	}
	for (i = 0; i < GS_LEN(keys); i++) {
		if (keys[i].curses == c)
			return keys[i].key;
	}
	return c == ERR || c > 255 ? TKEY_NONE : c;
}

bool term_is_waiting(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return stop_asked || poll(&p, 1, 0) > 0;
}

/* ---- showing ------------------------------------------------------------ */

static void show_line(const struct term *t, int y, const struct line *l)
{
	const char *p = buf_str(&l->text);
	size_t i;

	(void)move(y, 0);
	for (i = 0; i < l->n_run; i++) {
		(void)attrset((int)attr_of(t, l->run[i].style, l->selected));
		(void)addnstr(p, (int)l->run[i].len);
		p += l->run[i].len;
	}
	(void)attrset(A_NORMAL);
	if (l->width < t->draw.width)
		(void)clrtoeol();
}

/* To the terminal's clipboard, by OSC 52; terminals that do not know it, or do
 * not allow it, ignore it. */
static void copy(const struct term *t)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789+/";
	struct buf b = BUF_INIT, out = BUF_INIT;
	size_t i, k;

	if (!tui_take_copy(t->tui, &b))
		return;
	buf_add_str(&out, "\033]52;c;");
	for (i = 0; i < b.len; i += 3) {
		unsigned v = 0;

		for (k = 0; k < 3; k++)
			v = v << 8 | (i + k < b.len ? (unsigned char)b.ptr[i + k]
			                            : 0u);
		for (k = 0; k < 4; k++)
			buf_add_char(&out, i + k > b.len ? '='
			    : digits[v >> (18 - 6 * k) & 63]);
	}
	buf_add_char(&out, '\a');
	(void)fwrite(out.ptr, 1, out.len, stdout); /* as curses writes */
	(void)fflush(stdout);
	buf_release(&b);
	buf_release(&out);
}

static void show(struct term *t)
{
	size_t i;

	tui_paint(t->tui, &t->draw, (size_t)COLS, (size_t)LINES);
	for (i = 0; i < t->draw.height; i++)
		show_line(t, (int)i, &t->draw.line[i]);
	(void)curs_set(t->draw.cursor);
	if (t->draw.cursor)
		(void)move((int)t->draw.cursor_line, (int)t->draw.cursor_col);
	(void)refresh();
	t->painted = true;
	copy(t);
}

bool term_poll(struct term *t, int wait_ms)
{
	bool any = false;
	int key;

	if (stop_asked)
		stop(t);
	if (!t->painted)
		show(t); /* keys are about what is on the screen */
	key = read_key(t, wait_ms);
	while (key != TKEY_NONE) {
		any = true;
		if (key == TKEY_CTRL('l') || key == TKEY_RESIZE)
			(void)clearok(stdscr, TRUE);
		tui_key(t->tui, key);
		key = read_key(t, 0);
	}
	if (tui_is_over(t->tui))
		return false;
	if (any)
		show(t);
	if (tui_idle(t->tui, gs_clock_mono_ns(), &t->busy) &&
	    !term_is_waiting())
		show(t);
	return true;
}

/* ---- event loop ---------------------------------------------------------- */

static volatile sig_atomic_t ended_by;

static void on_end(int sig)
{
	ended_by = sig;
}

void term_run(struct term *t, int *ret_signal)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction sa = { .sa_handler = on_end };
	size_t i;

	ended_by = 0;
	for (i = 0; i < GS_LEN(ends); i++)
		(void)sigaction(ends[i], &sa, NULL); /* of a valid signal */
	while (!ended_by && term_poll(t, t->busy ? 0 : IDLE_MS))
		;
	*ret_signal = ended_by;
}
