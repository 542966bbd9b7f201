/* SPDX-License-Identifier: Apache-2.0 */
#include "record/quota.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

#define DAY_S 86400.0

void quota_init(struct quota *q, uint64_t keep_bytes)
{
	double keep = keep_bytes > 0 ? (double)keep_bytes : QUOTA_KEEP_BYTES;

	*q = (struct quota) { .per_second = keep * QUOTA_DAY_SHARE / DAY_S };
	q->burst = GS_MAX(keep * QUOTA_BURST_SHARE, QUOTA_BURST_MIN);
}

void quota_release(struct quota *q)
{
	free(q->rate);
	*q = (struct quota) { 0 };
}

static int by_size(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return a < b ? -1 : a > b;
}

static bool counts(const struct host_conn *s)
{
	return host_conn_is_up(s) && s->announced;
}

/* Bytes per second of hosts that answer: the lower median, which a few of them
 * can't raise. */
static double median(struct quota *q, const struct host_set *f)
{
	size_t n = 0, i;

	GS_GROW(q->rate, &q->rate_cap, host_set_count(f) + 1);
	for (i = 0; i < host_set_count(f); i++) {
		if (counts(host_set_host_conn(f, i)))
			q->rate[n++] = host_set_host_conn(f, i)->written_per_s;
	}
	if (n < 2)
		return 0;
	qsort(q->rate, n, sizeof(*q->rate), by_size);
	return q->rate[(n - 1) / 2];
}

static void charge_host_conn(struct quota *q, struct host_conn *s, double bytes,
	double passed_s, int64_t now_ns)
{
	double part = passed_s / (passed_s + QUOTA_SPAN_S);

	if (s->written.burst == 0)
		s->written = allowance_of(q->burst, q->per_second, now_ns);
	allowance_charge(&s->written, bytes, now_ns);
	if (passed_s > 0)
		s->written_per_s += (bytes / passed_s - s->written_per_s) *
		    part;
}

void quota_charge(struct quota *q, struct host_set *f,
    const struct tick_encoder *m, size_t bytes, int64_t now_ns)
{
	double passed_s = q->charged_ns
	    ? (double)(now_ns - q->charged_ns) / GS_NSEC_PER_SEC : 0;
	double all = (double)encoder_base_bytes(m, ENCODER_ALL_HOSTS),
	       per_second;
	size_t i, up;

	if (bytes == 0 || all <= 0 || host_set_hosts(f, &up) < 2)
		return;
	q->charged_ns = now_ns;
	for (i = 0; i < host_set_count(f); i++) {
		struct host_conn *s = host_set_host_conn(f, i);
		size_t base_bytes = encoder_base_bytes(m, s->index);

		charge_host_conn(q, s, (double)bytes * (double)base_bytes / all,
		    passed_s, now_ns);
	}
	per_second = GS_MAX(q->per_second, QUOTA_TIMES * median(q, f));
	for (i = 0; i < host_set_count(f); i++)
		host_set_host_conn(f, i)->written.per_second = per_second;
}

enum quota_verdict quota_judge(const struct quota *q, struct host_conn *s,
	int64_t now_ns)
{
	if (s->written.burst == 0 ||
	    allowance_wait_ns(&s->written, now_ns) == 0)
		return QUOTA_FINE;
	return s->written.left < -q->burst ? QUOTA_GIVE_UP : QUOTA_WAIT;
}
