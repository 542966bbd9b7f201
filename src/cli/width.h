/* SPDX-License-Identifier: Apache-2.0 */
/*
 * width.h - how many columns the terminal has.
 */
#ifndef GS_CLI_WIDTH_H
#define GS_CLI_WIDTH_H

#include <stddef.h>

/* Columns of the descriptor's terminal, else COLUMNS, else 80. */
size_t width_of(int fd);

/* The same of stderr, at least 20; 0: it is no terminal. */
size_t width_of_errors(void);

#endif
