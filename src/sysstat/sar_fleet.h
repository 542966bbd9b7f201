/*
 * sar_fleet.h - sar's reports of every host, one host below the other, from
 * one reading of the recording.
 */
#ifndef GS_SYSSTAT_SAR_FLEET_H
#define GS_SYSSTAT_SAR_FLEET_H

#include "sysstat/sar.h"

struct sar_fleet;

/* For a resample of one host or of all. */
extern const struct resample_ops sar_fleet_resample;

struct sar_fleet *sar_fleet_new(const struct sar_opt *opt);

/* Averages, and all output that waited for that of the hosts before. */
void sar_fleet_end(struct sar_fleet *f);

/* Reports that were made, and holes between them. */
size_t sar_fleet_reports(const struct sar_fleet *f);
size_t sar_fleet_holes(const struct sar_fleet *f);

/* Of nothing that is wanted anything was recorded: there is no output. */
bool sar_fleet_is_empty(const struct sar_fleet *f);

/* As sar_error(). */
int sar_fleet_error(const struct sar_fleet *f);

void sar_fleet_free(struct sar_fleet *f);

#endif
