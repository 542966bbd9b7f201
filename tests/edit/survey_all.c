/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survey_all.c - the page of info about the files of a recording, all of which
 * are decoded: survey_all NAME FILE...
 */
#include <stdio.h>

#include "base/gate.h"
#include "replay/survey.h"

int main(int argc, char **argv)
{
	struct buf page = BUF_INIT;
	struct survey s;
	struct gs_err err;
	struct zone zone;

	gate_open();
	if (argc < 3 || zone_parse(&zone, "UTC", &err) < 0)
		return 2;
	if (survey_recording(argv + 2, (size_t)argc - 2, true, &s, &err) < 0) {
		(void)fprintf(stderr, "%s\n", err.msg);
		return 2;
	}
	survey_page(&s, argv[1], &zone, 200, &page);
	(void)fwrite(page.ptr, 1, page.len, stdout);
	buf_release(&page);
	survey_release(&s);
	return 0;
}
