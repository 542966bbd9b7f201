/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sanitizer.h - whether this build has the address sanitizer, which checks for
 * leaks at exit: from a separate process, by ptrace() and /proc; or the thread
 * sanitizer, whose memory is as large as the other's.
 */
#ifndef GS_SANDBOX_SANITIZER_H
#define GS_SANDBOX_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

#endif
