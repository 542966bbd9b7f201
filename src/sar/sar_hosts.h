/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_hosts.h - sar's reports of all hosts as one table: the hosts' rows of one
 * time are below each other.
 */
#ifndef GS_SAR_SAR_HOSTS_H
#define GS_SAR_SAR_HOSTS_H

#include "sar/sar.h"

struct sar_hosts;

/* For a resample of every host. */
extern const struct resample_ops sar_hosts_resample;

struct sar_hosts *sar_hosts_new(const struct sar_opt *opt);

/* The last averages. */
void sar_hosts_end(struct sar_hosts *t);

/* Reports that were made, and holes between them. */
size_t sar_hosts_reports(const struct sar_hosts *t);
size_t sar_hosts_holes(const struct sar_hosts *t);

/* Of nothing that is wanted anything was recorded: there is no output. */
bool sar_hosts_is_empty(const struct sar_hosts *t);

/* As sar_error(). */
int sar_hosts_error(const struct sar_hosts *t);

void sar_hosts_free(struct sar_hosts *t);

#endif
