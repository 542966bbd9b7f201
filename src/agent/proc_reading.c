/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_reading.h"

#include <errno.h>

bool reading_ended(struct reading *r, unsigned file, int status)
{
	struct failures *f = r->sc->failures;

	if (status == -ENOENT && !r->sc->root->procfs)
		return false; /* a captured tree has some of the files */
	if (status == -ENOENT &&
	    !root_exists(r->sc->root, r->dir_fd, "stat"))
		status = -ESRCH;
	failures_note(f, file, status);
	switch (-status) {
	case EACCES:
	case EPERM:
		r->unread |= 1u << file;
		break;
	case ESRCH:
		/* smaps_rollup also fails with ESRCH for a process without
		 * memory */
		r->lost |= file != FILE_SMAPS_ROLLUP;
		break;
	case ENOENT:
		r->f->missing |= 1u << file;
		break;
	}
	return status == 0;
}

bool reading_get(struct reading *r, enum proc_file file, size_t max_bytes,
	struct span *ret)
{
	int status;

	if (r->lost || (r->f->missing >> file & 1))
		return false;
	status = proc_fds_read(&r->f->fds, r->sc->root, r->dir_fd, r->p, file,
	    max_bytes, ret);
	return reading_ended(r, file, status);
}

void reading_keep(struct reading *r, enum metric_source from)
{
	const struct cells was = r->p->was;
	unsigned w;

	for (w = 0; was.val && w < COL_WORDS(NCOLS(PROCESS)); w++) {
		uint64_t bits = was.present[w] & r->f->cols[from][w];

		for (; bits; bits &= bits - 1) {
			unsigned col = w * 64 + gs_ctz64(bits);

			if (metric_is_text(metric_get(ENTITY_PROCESS, col)))
				sent_keep(r->sc->sent, r->now, was, col);
			else
				cells_set(r->now, col, was.val[col]);
		}
	}
}
