/* SPDX-License-Identifier: Apache-2.0 */
/*
 * header.h - the description of a recording, repeated in every key tick.
 */
#ifndef GS_MODEL_HEADER_H
#define GS_MODEL_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/metric.h"
#include "model/pace.h"

#define FORMAT_VERSION 1u

/* Feature bits: a reader may ignore unknown compatible ones and must refuse
 * unknown incompatible ones. */
#define FEATURE_COMPAT_KNOWN UINT64_C(0)
#define FEATURE_INCOMPAT_KNOWN \
	(FEATURE_THINNED | FEATURE_LEFT_OUT | FEATURE_SERVERS | FEATURE_DENSE)
/* Rows end after the cells of their last tick, and have sums. */
#define FEATURE_THINNED UINT64_C(1)
/* Ticks keep the sequence numbers of the source, and say which were left out. */
#define FEATURE_LEFT_OUT UINT64_C(2)
/* Several database servers have a catalog each: a reader that knows only one
 * would mix up their sessions. */
#define FEATURE_SERVERS UINT64_C(4)
/* Columns of the same rows are stored together.  This is about bytes, not about
 * content: the codec sets it, and struct header never has it. */
#define FEATURE_DENSE UINT64_C(8)

/* What the recording contains, so that `info` can report it without reading
 * further. */
enum content_flag {
	CONTENT_TITLES = 1 << 0, /* titles of database processes */
	CONTENT_ARGUMENTS = 1 << 1, /* arguments of other processes */
	CONTENT_ALL = 1 << 2, /* all processes, not a selection */
	CONTENT_QUERY_TEXT = 1 << 3,
	CONTENT_ADDRESSES = 1 << 4 /* client addresses (in titles) */
};

#define RECORDING_ID_LEN 16

/* The most entries of a list that a reader accepts. */
#define HEADER_LIST_MAX 10000

/* A setting of a server that is not at its default. */
struct header_setting {
	char *name;
	char *value;
};

struct header_host {
	uint32_t index;
	char *name; /* as the recorder calls it */
	bool catalog; /* not a host: rows of a database server's catalog */
	/* Of a catalog other than the first; the first one's are in the
	 * header. */
	char *server_version;
	struct header_setting *setting;
	size_t n_setting;
};

/* A collector that could not work, and why. */
struct header_refused {
	char *what;
	char *why;
};

/* A recording that this one was made of. */
struct header_source {
	uint8_t recording_id[RECORDING_ID_LEN];
	int64_t started_ns;
	char *recorder_host;
	int64_t clock_ns; /* how far its recorder's clock was ahead of the first
			   * one's; subtracted from its times */
};

struct header {
	uint32_t format_version;
	uint64_t compat;
	uint64_t incompat;
	uint8_t recording_id[RECORDING_ID_LEN];
	uint32_t file_number; /* within the recording, from 1 */
	int64_t started_ns; /* wall clock at the recording's first tick */
	int64_t interval_ns;
	uint32_t content; /* content_flag bits */
	char *program_version;
	char *options; /* the command line that made it */
	char *recorder_host;
	/* Of the first catalog; the others' are in their header_host. */
	char *server_version; /* as version() says it; "": no database */
	struct header_setting *setting;
	size_t n_setting;
	struct header_host *host;
	size_t n_host;
	struct header_refused *refused;
	size_t n_refused;
	/* Of a file made from others; NULL or "", NULL, 0 if the recorder made
	 * it. */
	char *edited; /* the command line that made it */
	struct header_source *source;
	size_t n_source;
	int64_t thinned_ns; /* as of tick_pace; what happened between the
			     * ticks is here only as sums */
	/* Metrics that the file has and this version does not know, as
	 * "entity.metric"; filled by the decoder. */
	char **unknown;
	size_t n_unknown;
};

/* Of its ticks, for tick_instant(). */
static inline struct tick_pace header_pace(const struct header *h)
{
	return (struct tick_pace) { h->interval_ns, h->thinned_ns };
}

/* The file was derived from others; ticks may have been left out.  NULL: no. */
static inline bool header_is_edited(const struct header *h)
{
	return h && h->edited && h->edited[0] != '\0';
}

struct header *header_new(void);
void header_free(struct header *h);
struct header *header_dup(const struct header *h);
void header_add_host(struct header *h, uint32_t index, const char *name);
void header_remove_host(struct header *h, uint32_t index);

/* Adds a catalog; its index is of the same numbering.  The second one sets
 * FEATURE_SERVERS. */
void header_add_catalog(struct header *h, uint32_t index, const char *name);
size_t header_catalogs(const struct header *h);

/* The same for the server of the catalog with that index, or of the first one
 * if there is no such catalog. */
void header_add_setting(struct header *h, uint32_t catalog, const char *name,
	const char *value);
void header_set_server_version(struct header *h, uint32_t catalog,
	const char *version);

/* Clears the facts of the server, before it is asked again. */
void header_clear_server(struct header *h, uint32_t catalog);

/* The facts of the server of a catalog in the header, as a header_host; texts
 * belong to the header. */
struct header_host header_server(const struct header *h, size_t host);

/* What the server of header_server() is called: its cluster_name, else its port; NULL: it
 * has not said. */
const char *header_server_name(const struct header_host *server);

/* The servers of both have the same versions and settings. */
bool header_same_servers(const struct header *a, const struct header *b);
void header_add_refused(struct header *h, const char *what, const char *why);

/* Adds a copy; recorder_host: NULL is "". */
void header_add_source(struct header *h, const struct header_source *from);
void header_add_unknown(struct header *h, const char *name);

#endif
