/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keys.h - keys as numbers: bytes as themselves, the others above 255.
 */
#ifndef GS_TUI_KEYS_H
#define GS_TUI_KEYS_H

#define TKEY_CTRL(c) ((c) & 0x1f)

enum tkey {
	TKEY_NONE = -1, /* nothing was typed */
	TKEY_TAB = 9,
	TKEY_ENTER = 13,
	TKEY_ESCAPE = 27,
	TKEY_UP = 0x1000,
	TKEY_DOWN,
	TKEY_LEFT,
	TKEY_RIGHT,
	TKEY_HOME,
	TKEY_END,
	TKEY_PAGE_UP,
	TKEY_PAGE_DOWN,
	TKEY_BACK_TAB,
	TKEY_BACKSPACE,
	TKEY_DELETE,
	TKEY_MOUSE, /* it was used: tui_mouse() */
	TKEY_RESIZE, /* the terminal was resized */
	TKEY_F1,
	TKEY_F10 = TKEY_F1 + 9
};

#endif
