/* SPDX-License-Identifier: Apache-2.0
 * sanitizers.c - how the sanitizers of a build with GS_SANITIZE behave.  Their
 * runtime asks these functions at the start of each program; ASAN_OPTIONS and
 * UBSAN_OPTIONS of the environment come after them. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* exitcode: what a sanitizer ends is not taken for exit status 1, "there are gaps".
 * quarantine_size_mb: what is freed waits in 1 MiB, not in 256, for who still reads
 * it: pages that are touched for the first time take a third of the time where a page
 * fault is slow.
 * intercept_tls_get_addr: the search for leaks takes a library's thread-local memory
 * that stands 16 bytes into a page for one of glibc 2.19 with a header before it, and
 * follows what is there: one of 256 runs ended with "LeakSanitizer has encountered a
 * fatal error".
 * malloc_context_size: a report says by which stack memory is used, but not by which it
 * was allocated or freed: to keep these takes a seventh of the time of a short command.
 * A leak needs them: ASAN_OPTIONS=malloc_context_size=30. */
const char *__asan_default_options(void)
{
	return "exitcode=99:quarantine_size_mb=1:intercept_tls_get_addr=0:"
	    "malloc_context_size=1";
}

const char *__ubsan_default_options(void)
{
	return "exitcode=99";
}
