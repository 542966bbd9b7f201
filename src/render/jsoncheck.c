/* SPDX-License-Identifier: Apache-2.0 */
#include "render/jsoncheck.h"

#include <yajl/yajl_parse.h>

#include "base/mem.h"

bool json_is_whole(const char *p, size_t len)
{
	yajl_handle h = yajl_alloc(NULL, NULL, NULL);
	bool ok;

	if (!h)
		gs_out_of_memory();
	ok = yajl_parse(h, (const unsigned char *)p, len) == yajl_status_ok &&
	    yajl_complete_parse(h) == yajl_status_ok;
	yajl_free(h);
	return ok;
}
