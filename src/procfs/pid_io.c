/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/keys.h"
#include "procfs/pid.h"

/*
 * /proc/<pid>/io, since 2.6.20, for the same user and root only:
 *
 *   rchar: 189357864
 *   cancelled_write_bytes: 335872
 */
#define P(key, SYM) KEY_ROW(key, KEY_SET, COL(PROCESS, SYM))

static const struct key_row keys[] = {
	P("cancelled_write_bytes", CANCELLED_WRITE_BYTES),
	P("rchar", RCHAR),
	P("read_bytes", READ_BYTES),
	P("syscr", SYSCR),
	P("syscw", SYSCW),
	P("wchar", WCHAR),
	P("write_bytes", WRITE_BYTES),
};

void pid_io_scan(struct span text, struct cells c)
{
	keys_scan(text, ':', keys, GS_LEN(keys), c, NULL);
}
