/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/heapline.h"

#include <inttypes.h>

#define ID_MAX 4194304u /* PID_MAX_LIMIT of the kernel */
#define ERROR_MAX 4095u /* MAX_ERRNO of the kernel */

void heapline_put_request(const struct heap_request *r, struct buf *to)
{
	buf_printf(to, "%" PRIu32 " %" PRIu64 " %d\n", r->pid, r->start,
	    r->named);
}

void heapline_put_answer(const struct heap_answer *a, struct buf *to)
{
	buf_printf(to, "%c %" PRIu32, a->kind, a->pid);
	if (a->kind != 'P')
		buf_printf(to, " %" PRIu32, a->tid);
	buf_printf(to, " %" PRIu64, a->start);
	if (a->kind == 'T')
		buf_printf(to, " %" PRIu64 " %" PRIu64, a->allocated,
		    a->deallocated);
	if (a->kind == 'P')
		buf_printf(to, " %d", a->error);
	buf_add_char(to, '\n');
}

static bool scan_id(struct span *s, uint32_t *ret)
{
	uint64_t v;

	if (!scan_u64(s, &v) || v == 0 || v > ID_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

static bool scan_upto(struct span *s, uint64_t most, uint64_t *ret)
{
	return scan_u64(s, ret) && *ret <= most;
}

bool heapline_request(struct span line, struct heap_request *ret)
{
	struct heap_request r;
	uint64_t named;

	if (!scan_id(&line, &r.pid) || !scan_u64(&line, &r.start) ||
	    !scan_upto(&line, 1, &named) || !span_empty(line))
		return false;
	r.named = named != 0;
	*ret = r;
	return true;
}

bool heapline_answer(struct span line, struct heap_answer *ret)
{
	struct heap_answer a = { .kind = span_empty(line) ? '\0' : *line.ptr };
	uint64_t error = 0;

	if (a.kind != 'T' && a.kind != 'B' && a.kind != 'P')
		return false;
	line.ptr++;
	if (!scan_id(&line, &a.pid) ||
	    (a.kind != 'P' && !scan_id(&line, &a.tid)) ||
	    !scan_u64(&line, &a.start))
		return false;
	if (a.kind == 'T' && (!scan_u64(&line, &a.allocated) ||
	    !scan_u64(&line, &a.deallocated)))
		return false;
	if (a.kind == 'P' && !scan_upto(&line, ERROR_MAX, &error))
		return false;
	a.error = (int)error;
	if (!span_empty(line))
		return false;
	*ret = a;
	return true;
}
