/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_view.h - the tables that findings look at: views, tick by tick.
 */
#ifndef GS_VIEW_FINDINGS_VIEW_H
#define GS_VIEW_FINDINGS_VIEW_H

#include "findings/findings.h"

extern const struct findings_from findings_views;

#endif
