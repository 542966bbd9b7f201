/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_cluster.h - sar's reports of every host, one host below the other, from
 * one reading of the recording.
 */
#ifndef GS_SAR_SAR_CLUSTER_H
#define GS_SAR_SAR_CLUSTER_H

#include "sar/sar.h"

struct sar_cluster;

/* For a resample of one host or of all. */
extern const struct resample_ops sar_cluster_resample;

struct sar_cluster *sar_cluster_new(const struct sar_opt *opt);

/* Averages, and all output that waited for that of the hosts before. */
void sar_cluster_end(struct sar_cluster *f);

/* Reports that were made, and holes between them. */
size_t sar_cluster_reports(const struct sar_cluster *f);
size_t sar_cluster_holes(const struct sar_cluster *f);

/* Of nothing that is wanted anything was recorded: there is no output. */
bool sar_cluster_is_empty(const struct sar_cluster *f);

/* As sar_error(). */
int sar_cluster_error(const struct sar_cluster *f);

void sar_cluster_free(struct sar_cluster *f);

#endif
