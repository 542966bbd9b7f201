/* SPDX-License-Identifier: Apache-2.0 */
#include "record/loop.h"

#include "base/io.h"

/* Of the loop 6, the ticker, the control socket, an agent's pipes, the file
 * and its lock, and some to spare. */
#define LOOP_DESCRIPTORS 24

int loop_open(uv_loop_t *loop, struct gs_err *err)
{
	int r = io_check_descriptors(LOOP_DESCRIPTORS, err);

	if (r < 0)
		return r;
	r = uv_loop_init(loop);
	return r < 0 ? gs_fail_errno(err, -r, "event loop") : GS_OK;
}
