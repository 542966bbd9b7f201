/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - what a fuzz target defines.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Must not crash, leak or read outside data; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
