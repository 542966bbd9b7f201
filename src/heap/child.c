/* SPDX-License-Identifier: Apache-2.0 */
#include "heap/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPU_S 10 /* to read the description of a large program */
#define WAIT_MS 12000

/* Without the capabilities of this program, and never with more than it has
 * now. */
static void drop_rights(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {
		{ 0 } };
	const struct rlimit cpu = { CPU_S, CPU_S }, core = { 0, 0 };

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	(void)syscall(SYS_capset, &head, none);
	(void)setrlimit(RLIMIT_CPU, &cpu);
	(void)setrlimit(RLIMIT_CORE, &core);
}

static void work(child_fn *fn, void *arg, int to)
{
	struct layout l = { 0 };
	bool good;

	drop_rights();
	fn(arg, &l);
	good = write(to, &l, sizeof(l)) == (ssize_t)sizeof(l);
	_exit(good ? 0 : 1);
}

/* It is written at once or not at all. */
static bool receive(int from, struct layout *ret)
{
	struct pollfd p = { .fd = from, .events = POLLIN };
	struct layout l;

	if (poll(&p, 1, WAIT_MS) <= 0 ||
	    read(from, &l, sizeof(l)) != (ssize_t)sizeof(l))
		return false;
	*ret = l;
	return true;
}

bool child_run(child_fn *fn, void *arg, struct layout *ret)
{
	int pipe_fd[2];
	bool good;
	pid_t pid;

	if (pipe2(pipe_fd, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (pid == 0)
		work(fn, arg, pipe_fd[1]);
	(void)close(pipe_fd[1]); /* so that its end is seen */
	good = pid > 0 && receive(pipe_fd[0], ret);
	(void)close(pipe_fd[0]); /* was only read */
	if (pid > 0) {
		(void)kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return good;
}
