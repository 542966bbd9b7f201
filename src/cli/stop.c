/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/stop.h"

#include <signal.h>

#include "base/compiler.h"

static volatile sig_atomic_t stop_signal;

bool stop_asked(void)
{
	return stop_signal != 0;
}

static void on_signal(int sig)
{
	stop_signal = sig;
}

void stop_catch(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal }, was;
	size_t i;

	for (i = 0; i < GS_LEN(sigs); i++) {
		if (sigaction(sigs[i], NULL, &was) == 0 &&
		    was.sa_handler != SIG_IGN)
			(void)sigaction(sigs[i], &sa, NULL);
	}
}

void stop_catch_writing(void)
{
	struct sigaction sa = { .sa_handler = SIG_IGN };

	stop_catch();
	(void)sigaction(SIGPIPE, &sa, NULL); /* a failed write reports it */
	(void)sigaction(SIGXFSZ, &sa, NULL);
}
