/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_web.h - the program, the style and the body of every page: the files of
 * web/, put together when gpsnap is built (cmake/web.cmake).
 */
#ifndef GS_REPORT_PAGE_WEB_H
#define GS_REPORT_PAGE_WEB_H

#include <stddef.h>

/* page_served_script: of a page that is served. */
extern const char page_script[], page_served_script[], page_style[],
	page_body[];
extern const size_t page_script_len, page_served_script_len, page_style_len,
	page_body_len;
extern const unsigned char page_script_sha256[32],
	page_served_script_sha256[32], page_style_sha256[32];

#endif
