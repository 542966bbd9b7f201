/* SPDX-License-Identifier: Apache-2.0 */
#include "format/headcode.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "format/fields.h"
#include "format/varint.h"
#include "model/tick.h"

/* Metrics in the file that this version does not know. */
static void note_unknown(const Gpsnap__V1__Header *m, struct header *h)
{
	struct buf name = BUF_INIT;
	size_t i, k;

	for (i = 0; i < m->n_entity && h->n_unknown < 1000; i++) {
		const Gpsnap__V1__Entity *en = m->entity[i];
		int e = entity_by_file_id(en->id);

		for (k = 0; k < en->n_metric && h->n_unknown < 1000; k++) {
			if (e >= 0 && metric_by_file_id((enum entity_id)e,
			    en->metric[k]->id))
				continue;
			buf_reset(&name);
			buf_printf(&name, "%.64s.%.64s", en->name,
			    en->metric[k]->name);
			header_add_unknown(h, buf_str(&name));
		}
	}
	buf_release(&name);
}

/* Larger than any index: stands for the first server. */
#define FIRST_SERVER UINT32_MAX

static void read_host(const Gpsnap__V1__Host *m, struct header *h)
{
	size_t i;

	if (!m->catalog) {
		header_add_host(h, m->index, m->name);
		return;
	}
	header_add_catalog(h, m->index, m->name);
	if (header_catalogs(h) == 1 || m->n_setting > HEADER_LIST_MAX)
		return;
	header_set_server_version(h, m->index, m->server_version);
	for (i = 0; i < m->n_setting; i++)
		header_add_setting(h, m->index, m->setting[i]->name,
		    m->setting[i]->value);
}

static void read_header_lists(const Gpsnap__V1__Header *m, struct header *h)
{
	size_t i;

	for (i = 0; i < m->n_host; i++)
		read_host(m->host[i], h);
	for (i = 0; i < m->n_refused; i++)
		header_add_refused(h, m->refused[i]->what,
		    m->refused[i]->why);
	for (i = 0; i < m->n_setting; i++)
		header_add_setting(h, FIRST_SERVER, m->setting[i]->name,
		    m->setting[i]->value);
	header_set_server_version(h, FIRST_SERVER, m->server_version);
}

static void read_origin(const Gpsnap__V1__Header *m, struct header *h)
{
	size_t i;

	h->edited = gs_strdup(m->edited);
	h->thinned_ns = GS_MAX(m->thinned_ns, 0);
	for (i = 0; i < m->n_source; i++) {
		struct header_source s = {
			.started_ns = m->source[i]->started_ns,
			.recorder_host = m->source[i]->recorder_host,
			.clock_ns = m->source[i]->clock_ns,
		};

		if (m->source[i]->recording_id.len != RECORDING_ID_LEN)
			continue;
		memcpy(s.recording_id, m->source[i]->recording_id.data,
		    RECORDING_ID_LEN);
		header_add_source(h, &s);
	}
}

int headcode_read(const Gpsnap__V1__Header *m, struct header **ret,
	struct gs_err *err)
{
	struct header *h;

	if (m->format_version > FORMAT_VERSION ||
	    m->incompatible & ~FEATURE_INCOMPAT_KNOWN)
		return gs_fail(err, GS_E_VERSION,
		    "format %u with features 0x%" PRIx64
		    " needs a newer gpsnap (this one reads format %u)",
		    m->format_version, m->incompatible, FORMAT_VERSION);
	if (m->n_host > TICK_HOSTS_MAX || m->n_refused > HEADER_LIST_MAX ||
	    m->n_setting > HEADER_LIST_MAX || m->n_source > HEADER_LIST_MAX)
		return gs_fail(err, GS_E_FORMAT, "header names %zu hosts, "
		    "%zu refused, %zu settings, %zu sources", m->n_host,
		    m->n_refused, m->n_setting, m->n_source);
	h = header_new();
	h->format_version = m->format_version;
	h->compat = m->compatible;
	h->incompat = m->incompatible & ~FEATURE_DENSE;
	if (m->recording_id.len == sizeof(h->recording_id))
		memcpy(h->recording_id, m->recording_id.data,
		    sizeof(h->recording_id));
	h->file_number = m->file_number;
	h->started_ns = m->started_ns;
	h->interval_ns = m->interval_ns > 0 &&
	    m->interval_ns < -TICK_TIME_MIN_NS ? m->interval_ns : 1;
	h->content = m->content;
	h->program_version = gs_strdup(m->program_version);
	h->options = gs_strdup(m->options);
	h->recorder_host = gs_strdup(m->recorder_host);
	read_header_lists(m, h);
	read_origin(m, h);
	note_unknown(m, h);
	*ret = h;
	return GS_OK;
}

/* s begins with a message of that number: what there is of its body. */
static bool enter(struct span *s, uint64_t number)
{
	uint64_t tag, len;

	if (!varint_read(s, &tag) || tag != (number << 3 | WIRE_BYTES) ||
	    !varint_read(s, &len))
		return false;
	if (len < span_len(*s))
		s->end = s->ptr + len;
	return true;
}

static bool enter_tick(struct span *s)
{
	struct span record;

	if (!enter(s, FIELD_RECORDING_RECORD))
		return false;
	record = *s;
	if (enter(s, FIELD_RECORD_TICK))
		return true;
	*s = record;
	return enter(s, FIELD_RECORD_GROUP) && enter(s, FIELD_GROUP_TICK);
}

bool headcode_find(struct span record, struct span *ret)
{
	struct field f;

	if (!enter_tick(&record))
		return false;
	do {
		if (span_empty(record) || !field_next(&record, &f) ||
		    f.number > FIELD_TICK_HEADER)
			return false;
	} while (f.number != FIELD_TICK_HEADER);
	*ret = f.body;
	return f.wire == WIRE_BYTES;
}
