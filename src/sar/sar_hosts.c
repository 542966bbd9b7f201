/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_hosts.c - the reports of all hosts as one table.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "sar/sar_int.h"
#include "sysstat/stamp.h"

#define NAME_WIDTH_MIN 9

struct sar_hosts {
	struct sar *sar; /* pages; its own data are not used */
	struct sar_sites sites;
	size_t cap;
};

static void *hosts_new(const struct sar_opt *opt)
{
	struct sar_hosts *t = gs_calloc(1, sizeof(*t));

	t->sar = sar_new(opt);
	t->sites.width = NAME_WIDTH_MIN;
	return t;
}

static void hosts_free(void *run)
{
	struct sar_hosts *t = run;
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->sites.n; i++) {
		free(t->sites.site[i]->name);
		sar_data_release(&t->sites.site[i]->data);
		free(t->sites.site[i]);
	}
	free(t->sites.site);
	sar_free(t->sar);
	free(t);
}

static struct sar_site *site_of(struct sar_hosts *t, const struct host *h)
{
	struct sar_sites *all = &t->sites;
	struct sar_site *site;
	size_t i;

	for (i = 0; i < all->n; i++) {
		if (all->site[i]->host == h->index)
			return all->site[i];
	}
	site = gs_calloc(1, sizeof(*site));
	site->host = h->index;
	site->name = host_shown(h);
	sar_data_init(&site->data, false);
	all->width = (int)GS_MAX((size_t)all->width, strlen(site->name));
	GS_GROW(all->site, &t->cap, all->n + 1);
	all->site[all->n++] = site;
	return site;
}

static bool is_enough(const struct sar *s)
{
	return s->opt.count > 0 && s->n_reports >= s->opt.count;
}

/* ---- what comes between ---------------------------------------------- */

/* The host restarts; the others continue. */
static void restart_site(struct sar_hosts *t, struct sar_site *site,
	int64_t wall_ns, const char *what)
{
	char text[512];

	(void)snprintf(text, sizeof(text), "%.250s: %.200s", site->name, what);
	sar_text_line(t->sar, wall_ns, PAINT_RESTART, text);
	sar_data_clear(&site->data);
}

static void restart(void *self, const struct world *w, const struct host *h)
{
	struct sar_hosts *t = self;
	struct sar_site *site = site_of(t, h);
	char text[RESTART_MAX];

	banner_restart(w, h, text);
	if (site->last_ns != 0)
		restart_site(t, site, h->clock.wall_ns, text);
}

static void check_gap(struct sar_hosts *t, struct sar_site *site,
	const struct host *h)
{
	char to[STAMP_MAX], text[STAMP_MAX + 64];

	if (h->gap && !h->rebooted && site->data.samples > 0) {
		t->sar->n_holes++;
		stamp_time(&t->sar->opt.stamp, h->clock.wall_ns, to);
		(void)snprintf(text, sizeof(text), "HOLE until %s: the host "
		    "did not answer", to);
		restart_site(t, site, site->last_ns, text);
	}
	site->last_ns = h->clock.wall_ns;
}

/* The samples before still count for the average. */
static void lost(void *self, const struct host *h)
{
	struct sar_hosts *t = self;
	const struct sar_site *site = site_of(t, h);
	char text[512];

	if (site->data.samples == 0 || is_enough(t->sar))
		return;
	t->sar->n_holes++;
	(void)snprintf(text, sizeof(text), "%.250s: HOLE until the end: the "
	    "host did not answer", site->name);
	sar_text_line(t->sar, site->last_ns, PAINT_RESTART, text);
}

static void end_stretch(struct sar_hosts *t)
{
	size_t i;

	if (t->sar->n_stretch > 0)
		sar_text_report(t->sar, &t->sites, true);
	sar_flush_pages(t->sar, true);
	t->sar->n_stretch = 0;
	for (i = 0; i < t->sites.n; i++)
		sar_data_clear(&t->sites.site[i]->data);
}

static void hole(void *self, const struct resample_hole *hole)
{
	struct sar_hosts *t = self;

	end_stretch(t);
	sar_resample.hole(t->sar, hole);
}

static void mark(void *self, int64_t wall_ns, struct span text)
{
	struct sar_hosts *t = self;

	sar_resample.mark(t->sar, wall_ns, text);
}

/* ---- samples --------------------------------------------------------- */

static bool tick(void *self, const struct world *w, const struct host *h,
	bool is_sample)
{
	struct sar_hosts *t = self;
	struct sar_site *site = site_of(t, h);

	check_gap(t, site, h);
	if (!is_sample)
		return true;
	sar_data_apply(&site->data, w, h);
	site->fresh = true;
	return true;
}

/* Those that did not answer yet included. */
static size_t count_hosts(const struct world *w)
{
	size_t n = 0, i;

	for (i = 0; i < world_hosts(w); i++)
		n += world_is_host(world_host(w, i));
	return n;
}

static void begin(struct sar_hosts *t, const struct world *w, int64_t wall_ns)
{
	size_t n = count_hosts(w);
	char date[STAMP_MAX];
	struct buf line = BUF_INIT;

	stamp_date(&t->sar->opt.stamp, wall_ns, date);
	buf_printf(&line, "%zu host%s \t%s\n", n, n == 1 ? "" : "s", date);
	t->sar->begun = true;
	spool_add(&t->sar->page[0].spool, line.ptr, line.len);
	buf_release(&line);
}

/* A host without an earlier sample has no row yet. */
static bool find_fresh(struct sar_hosts *t)
{
	bool any = false;
	size_t i;

	for (i = 0; i < t->sites.n; i++) {
		struct sar_site *site = t->sites.site[i];

		site->fresh &= site->data.samples > 1;
		any |= site->fresh;
	}
	return any;
}

static void step(struct sar_hosts *t)
{
	size_t i;

	for (i = 0; i < t->sites.n; i++) {
		struct sar_site *site = t->sites.site[i];

		if (site->fresh || site->data.samples == 1)
			sar_data_step(&site->data);
		site->fresh = false;
	}
}

static bool all_hosts(void *self, const struct world *w, int64_t wall_ns,
	bool is_sample)
{
	struct sar_hosts *t = self;
	struct sar *s = t->sar;

	if (!is_sample)
		return true;
	t->sites.before_ns = t->sites.now_ns;
	t->sites.now_ns = wall_ns;
	if (!s->begun)
		begin(t, w, wall_ns);
	if (find_fresh(t)) {
		sar_text_report(s, &t->sites, false);
		s->n_reports++;
		s->n_stretch++;
		sar_flush_pages(s, false);
	}
	step(t);
	return !s->stopped && !is_enough(s);
}

static const struct resample_ops resample = { .tick = tick,
	.restart = restart, .hole = hole, .lost = lost,
	.all_hosts = all_hosts, .mark = mark };

static uint64_t missing_of(const struct sar *s)
{
	return sar_missing(s->opt.activities, sar_seen(s), s->opt.choice);
}

static struct sar_result hosts_end(void *run)
{
	struct sar_hosts *t = run;
	const struct sar *s = t->sar;
	bool empty = missing_of(s) == s->opt.activities;

	if (!empty)
		end_stretch(t);
	if (!s->stopped && s->n_reports > 0)
		sar_report_missing(missing_of(s), s->opt.choice, NULL,
		    s->opt.notice, s->opt.arg);
	return (struct sar_result) { s->n_reports, s->n_holes, empty,
		s->error };
}

const struct sar_layout sar_host_table = { &resample, hosts_new, hosts_end,
	hosts_free };
