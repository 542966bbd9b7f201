/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/metrics_server.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cli/start.h"

int metrics_parse(const char *text, struct metrics_server *to,
	struct gs_err *err)
{
	const char *colon = strrchr(text, ':');
	const char *from = text;
	size_t len = colon ? (size_t)(colon - text) : 0;
	int64_t port;

	if (!colon || units_int(colon + 1, 1, UINT16_MAX, &port, NULL) != 0)
		return gs_fail(err, GS_E_USAGE, "--metrics: expected :PORT or "
		    "ADDR:PORT, got \"%s\"", text);
	if (len > 1 && text[0] == '[' && text[len - 1] == ']') {
		from++;
		len -= 2;
	}
	if (len >= sizeof(to->address))
		return gs_fail(err, GS_E_USAGE, "--metrics: the address is "
		    "too long");
	(void)snprintf(to->address, sizeof(to->address), "%.*s", (int)len,
	    from); /* fits */
	if (len == 0)
		(void)snprintf(to->address, sizeof(to->address), "127.0.0.1");
	to->port = (uint16_t)port;
	return GS_OK;
}

int metrics_server_open(struct metrics_server *m, const char *text,
	struct recorder_options *ro, struct gs_err *err)
{
	struct server_options so = { .address = m->address };
	int r;

	if (!text)
		return GS_OK;
	r = metrics_parse(text, m, err);
	if (r < 0)
		return r;
	m->exporter = exporter_new(ro->interval_ns, cli_version());
	so.port = m->port;
	so.exporter = m->exporter;
	ro->lean = false;
	r = server_open(&so, &m->server, err);
	if (r == GS_OK)
		r = server_start(m->server, err);
	if (r < 0)
		gs_err_prefix(err, "--metrics");
	return r;
}

void metrics_server_close(struct metrics_server *m)
{
	server_close(m->server);
	exporter_free(m->exporter);
	*m = (struct metrics_server) { .exporter = NULL };
}

void metrics_server_tick(struct metrics_server *m, const struct tick *t,
	const struct recorder_status *s)
{
	const struct exporter_counts c = { .ticks = s->ticks,
		.written = s->written, .lost = s->lost,
		.skipped = s->skipped, .late = s->late, .downs = s->downs,
		.bytes = s->bytes, .hosts = s->hosts,
		.hosts_up = s->hosts_up, .processes = s->processes,
		.wall_ns = s->wall_ns };

	if (!m->exporter)
		return;
	exporter_push(m->exporter, t, false, &c);
	server_wake(m->server);
}

void metrics_server_repeat(struct metrics_server *m, const struct tick *t)
{
	if (m->exporter)
		exporter_push(m->exporter, t, true, NULL);
}
