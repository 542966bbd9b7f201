/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/keys.h"
#include "procfs/pid.h"

/*
 * /proc/<pid>/smaps_rollup, since 4.14 (Pss_* since 5.4, Pss_Dirty since 6.0); smaps, since
 * 2.6.14: a header per mapping, then lines like these.
 *
 *   7ffc8b5e1000-7ffc8b602000 rw-p 00000000 00:00 0      [stack]
 *   Size:                132 kB
 *   Pss:                  40 kB
 *   Referenced:           40 kB
 */
#define P(key, SYM) KEY_ROW(key, KEY_SET, COL(PROCESS, SYM))

static const struct key_row rollup[] = {
	P("AnonHugePages", ANON_HUGE),
	P("Anonymous", ANONYMOUS),
	P("FilePmdMapped", FILE_HUGE),
	P("KSM", KSM),
	P("LazyFree", LAZY_FREE),
	P("Locked", PSS_LOCKED),
	P("Private_Clean", PRIVATE_CLEAN),
	P("Private_Dirty", PRIVATE_DIRTY),
	P("Private_Hugetlb", PRIVATE_HUGETLB),
	P("Pss", PSS),
	P("Pss_Anon", PSS_ANON),
	P("Pss_Dirty", PSS_DIRTY),
	P("Pss_File", PSS_FILE),
	P("Pss_Shmem", PSS_SHMEM),
	P("Referenced", REFERENCED),
	P("Rss", SMAPS_RSS),
	P("Shared_Clean", SHARED_CLEAN),
	P("Shared_Dirty", SHARED_DIRTY),
	P("Shared_Hugetlb", SHARED_HUGETLB),
	P("ShmemPmdMapped", SHMEM_HUGE),
	P("Swap", SMAPS_SWAP),
	P("SwapPss", SWAP_PSS),
};

static const struct key_row stack[] = {
	P("Referenced", STACK_REF),
	P("Size", STACK_SIZE),
};

void pid_smaps_rollup_scan(struct span text, struct cells c)
{
	keys_scan(text, ':', rollup, GS_LEN(rollup), c, NULL);
}

/* A header's first word is a range of addresses; a value's ends with ':'. */
static bool is_header(struct span line)
{
	struct span word;

	return scan_word(&line, &word) && word.end[-1] != ':';
}

static bool ends_with(struct span line, const char *text)
{
	size_t n = strlen(text);

	return span_len(line) >= n && memcmp(line.end - n, text, n) == 0;
}

void pid_smaps_stack_scan(struct span text, struct cells c)
{
	struct span line, key;

	do {
		if (!scan_line(&text, &line))
			return;
	} while (!is_header(line) || !ends_with(line, " [stack]"));
	while (scan_line(&text, &line) && !is_header(line)) {
		const struct key_row *row;

		if (!scan_until(&line, ':', &key))
			continue;
		row = key_find(stack, GS_LEN(stack), key);
		if (row)
			key_store(row, line, c, NULL);
	}
}
