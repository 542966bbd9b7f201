/* SPDX-License-Identifier: Apache-2.0 */
/*
 * needs.h - what files and metrics need, from needs.def.
 */
#ifndef GS_METRIC_NEEDS_H
#define GS_METRIC_NEEDS_H

#include "metric/metric.h"

/* The first kernel after 3.10 and its options, as far as they are known: "4.20,
 * PSI"; "": nothing is.  Of a file, and of a metric. */
const char *needs_of_source(enum metric_source source);
const char *needs_of_metric(const struct metric *m);

/* The capability that reads the file for processes of other users; "": none is
 * needed. */
const char *needs_capability(enum metric_source source);

#endif
