/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd.h - loads libmicrohttpd before the first server.
 *
 * It brings a library for TLS.  Reading and recording need neither: they need not
 * be installed for that, nor be loaded by each command.
 */
#ifndef GS_WEB_MHD_H
#define GS_WEB_MHD_H

#include <microhttpd.h>

#include "base/err.h"

#define MHD_FUNCTIONS(X) \
	X(MHD_start_daemon) X(MHD_stop_daemon) X(MHD_run) \
	X(MHD_get_timeout) X(MHD_get_daemon_info) \
	X(MHD_get_connection_info) X(MHD_lookup_connection_value) \
	X(MHD_get_connection_values) \
	X(MHD_suspend_connection) X(MHD_resume_connection) \
	X(MHD_queue_response) X(MHD_destroy_response) \
	X(MHD_add_response_header) X(MHD_create_response_from_buffer) \
	X(MHD_create_response_from_fd64) \
	X(MHD_basic_auth_get_username_password) \
	X(MHD_queue_basic_auth_fail_response) X(MHD_free)

struct mhd {
#define X(name) __typeof__(name) *name;
	MHD_FUNCTIONS(X)
#undef X
};

/* GS_E_NOTFOUND: it can't be loaded; err says what to install. */
int mhd_load(struct gs_err *err);

/* Its functions, once it is loaded. */
const struct mhd *mhd(void);

#endif
