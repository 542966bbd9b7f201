/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modules.h - the files that a process executes code of: its program and its
 * libraries, by /proc/PID/maps.
 */
#ifndef GS_HEAP_MODULES_H
#define GS_HEAP_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"

/* More files than these are not looked at. */
#define MODULES_MAX 512u

struct module {
	uint64_t base; /* where the file's first byte is mapped */
	uint64_t inode;
	struct span path; /* into the text; "(deleted)" is a part of it */
	bool code; /* some of it may be executed */
	bool begins; /* base is known */
};

struct modules {
	struct module m[MODULES_MAX];
	size_t n;
};

/* Finds them in the text, which must outlive them. */
void modules_scan(struct span maps, struct modules *ret);

#endif
