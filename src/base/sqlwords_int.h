/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sqlwords_int.h - long lists of sqlwords.c.
 */
#ifndef GS_BASE_SQLWORDS_INT_H
#define GS_BASE_SQLWORDS_INT_H

#include "base/compiler.h"
#include "base/sqlwords.h"

extern const struct wordlist sqlwords_catalog, sqlwords_setting;

#endif
