/*
 * veil.h - takes out of a recording what is nobody else's business, and tells
 * what it still says.
 *
 * Of the texts of queries the literals are masked; of command lines only
 * those of database servers stay, and of these the program, the directory
 * and the port; titles of their processes stay as they are.  Columns that
 * nobody has classified (textkind.h) are left out.  No figure changes.
 *
 * On request pseudonyms stand for all names (anon.h), in texts, the header and
 * events; then settings that an extension made up are left out, and the words
 * of marks, unless these shall be kept.
 */
#ifndef GS_EDIT_VEIL_H
#define GS_EDIT_VEIL_H

#include "base/buf.h"
#include "base/scan.h"
#include "edit/anon.h"
#include "edit/textkind.h"
#include "model/header.h"
#include "model/tick.h"
#include "model/title.h"

/* Texts of a kind that are kept to be shown. */
#define VEIL_FIRST_MAX 3

struct veil;

/* With a (not owned; NULL: names stay) marks_stay as they are written. */
struct veil *veil_new(struct anon *a, bool marks_stay);
void veil_free(struct veil *v);

/* What to write for the text of a cell; false: nothing, it is left out.
 * *ret is valid until the next call. */
bool veil_text(struct veil *v, enum entity_id e, unsigned col,
	struct span text, struct span *ret);

/* The same for the title of a process that was taken apart with what else is
 * known; t points into text.  TITLE_NONE: it is taken apart alone. */
bool veil_title(struct veil *v, struct span text, const struct title *t,
	struct span *ret);

void veil_header(struct veil *v, struct header *h);

/* The text to write for that of an event; as of veil_text(). */
struct span veil_event(struct veil *v, const struct event *e,
	struct span text);

/* What went through: how many different texts of a kind, and the first of
 * them, as "a, b, c". */
size_t veil_count(const struct veil *v, enum text_kind kind);
const char *veil_first(const struct veil *v, enum text_kind kind);

/* Remarks of users that have their words, and settings of the server. */
size_t veil_marks(const struct veil *v);
size_t veil_settings(const struct veil *v);

#endif
