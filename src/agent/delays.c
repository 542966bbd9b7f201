/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/delays.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"

/* Answers take 2 KiB of the socket's memory each. */
#define SOCKET_BYTES (128 * 1024)

/* A request about one process or thread. */
struct request_msg {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	struct nlattr attr;
	uint32_t id;
};

/* A request for the number of the family. */
struct family_msg {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	struct nlattr attr;
	char name[sizeof(TASKSTATS_GENL_NAME) + 2]; /* a multiple of 4 */
};

_Static_assert(sizeof(struct family_msg) % 4 == 0, "padded");

void delays_init(struct delays_link *l)
{
	*l = (struct delays_link) { .fd = -1, .state = DELAYS_UNTRIED };
}

static void hang_up(struct delays_link *l, enum delays_state state)
{
	if (l->fd >= 0)
		(void)close(l->fd); /* nothing is pending */
	free(l->buf);
	l->fd = -1;
	l->buf = NULL;
	l->n_ahead = 0;
	l->state = state;
}

void delays_release(struct delays_link *l)
{
	hang_up(l, DELAYS_NONE);
}

/* ---- messages ---------------------------------------------------------- */

static struct request_msg request_of(struct delays_link *l, uint32_t id,
	uint16_t kind)
{
	return (struct request_msg) {
		.head = { .nlmsg_len = sizeof(struct request_msg),
			.nlmsg_type = l->family,
			.nlmsg_flags = NLM_F_REQUEST,
			.nlmsg_seq = ++l->seq },
		.genl = { .cmd = TASKSTATS_CMD_GET,
			.version = TASKSTATS_GENL_VERSION },
		.attr = { .nla_len = sizeof(struct nlattr) + sizeof(uint32_t),
			.nla_type = kind },
		.id = id,
	};
}

static bool send_all(const struct delays_link *l, const void *msg, size_t len)
{
	return send(l->fd, msg, len, 0) == (ssize_t)len;
}

/* The kernel answers before send() returns, so that nothing is waited for. */
static ssize_t receive(const struct delays_link *l)
{
	return recv(l->fd, l->buf, DELAYS_ANSWER, MSG_DONTWAIT);
}

/* 0 or errno, as the other functions that find out. */
static int find_family(struct delays_link *l)
{
	struct family_msg m = {
		.head = { .nlmsg_len = sizeof(m),
			.nlmsg_type = GENL_ID_CTRL,
			.nlmsg_flags = NLM_F_REQUEST },
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.attr = { .nla_len = sizeof(struct nlattr) + sizeof(TASKSTATS_GENL_NAME),
			.nla_type = CTRL_ATTR_FAMILY_NAME },
		.name = TASKSTATS_GENL_NAME,
	};
	ssize_t n;

	if (!send_all(l, &m, sizeof(m)))
		return errno;
	n = receive(l);
	if (n < 0)
		return errno;
	return taskstats_family(span_of(l->buf, (size_t)n), &l->family);
}

static void count_error(struct delays_link *l, int error)
{
	if (error == EPERM)
		l->eperm++;
	else if (error == ESRCH)
		l->esrch++;
	else
		l->other++;
}

/* An answer to the request of that number; false: an error, which is counted,
 * or not an answer to it. */
static bool take(struct delays_link *l, struct span msg, uint32_t seq,
	struct delays *ret)
{
	struct taskstats_reply r;

	if (!taskstats_reply(msg, l->family, &r) || r.seq != seq) {
		l->other++;
		return false;
	}
	if (r.error != 0) {
		count_error(l, r.error);
		return false;
	}
	if (!taskstats_scan(r.stats, ret)) {
		l->other++;
		return false;
	}
	l->ok++;
	l->version = ret->version;
	l->cpu |= ret->of[DELAY_CPU].has && ret->of[DELAY_CPU].count > 0;
	l->irq |= ret->of[DELAY_IRQ].has && ret->of[DELAY_IRQ].count > 0;
	return true;
}

/* Drops answers that nobody waits for. */
static void drain(const struct delays_link *l)
{
	while (receive(l) > 0)
		;
}

static bool ask(struct delays_link *l, uint32_t id, uint16_t kind,
	struct delays *ret)
{
	struct request_msg m = request_of(l, id, kind);
	ssize_t n;

	if (!send_all(l, &m, sizeof(m))) {
		l->other++;
		return false;
	}
	n = receive(l);
	if (n <= 0) {
		l->other++;
		return false;
	}
	if (take(l, span_of(l->buf, (size_t)n), m.head.nlmsg_seq, ret))
		return true;
	drain(l);
	return false;
}

/* ---- whether the kernel answers ---------------------------------------- */

static int dial(struct delays_link *l)
{
	struct sockaddr_nl own = { .nl_family = AF_NETLINK };
	int bytes = SOCKET_BYTES;

	l->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (l->fd < 0)
		return errno;
	l->buf = gs_calloc(DELAYS_AHEAD, DELAYS_ANSWER);
	/* without it, fewer answers fit: those that are lost are counted */
	(void)setsockopt(l->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (bind(l->fd, (struct sockaddr *)&own, sizeof(own)) < 0)
		return errno;
	return 0;
}

/* Uses CAP_NET_ADMIN if the program's file permits it.  The file does not make
 * it effective: then the program could not even be started where the capability
 * is forbidden, as in a service. */
static void use_capability(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	const uint32_t bit = UINT32_C(1) << CAP_NET_ADMIN;

	if (syscall(SYS_capget, &head, data) < 0 ||
	    !(data[0].permitted & ~data[0].effective & bit))
		return;
	data[0].effective |= bit;
	(void)syscall(SYS_capset, &head, data); /* the answer will tell */
}

static void find_out(struct delays_link *l)
{
	struct delays d;

	l->self = (uint32_t)getpid();
	use_capability();
	l->no_socket = dial(l);
	if (l->no_socket == 0)
		l->no_family = find_family(l);
	if (l->no_socket != 0 || l->no_family != 0)
		hang_up(l, DELAYS_NONE);
	else if (ask(l, l->self, TASKSTATS_CMD_ATTR_TGID, &d))
		l->state = DELAYS_WORK;
	else
		hang_up(l, l->eperm > 0 ? DELAYS_REFUSED : DELAYS_NONE);
}

void delays_begin(struct delays_link *l, const struct scan *sc,
	int64_t boot_ns)
{
	if (sc->stat_opt.delayacct != 1)
		l->on_ns = 0;
	else if (l->on_ns == 0)
		l->on_ns = boot_ns;
	l->ok = l->eperm = l->esrch = l->other = 0;
	l->no_socket = l->no_family = 0;
	l->n_ahead = 0;
	if (l->state == DELAYS_UNTRIED && sc->root->own_pids)
		find_out(l);
}

/* ---- processes --------------------------------------------------------- */

/* Answers come in the order of requests; one that was lost is noticed by the
 * number of the next. */
static void receive_ahead(struct delays_link *l, uint32_t first)
{
	struct mmsghdr m[DELAYS_AHEAD];
	struct iovec iov[DELAYS_AHEAD];
	size_t i;
	int n;

	memset(m, 0, sizeof(m));
	for (i = 0; i < l->n_ahead; i++) {
		iov[i] = (struct iovec) { l->buf + i * DELAYS_ANSWER,
			DELAYS_ANSWER };
		m[i].msg_hdr.msg_iov = &iov[i];
		m[i].msg_hdr.msg_iovlen = 1;
	}
	n = recvmmsg(l->fd, m, (unsigned)l->n_ahead, MSG_DONTWAIT, NULL);
	for (i = 0; n > 0 && i < (size_t)n; i++)
		l->ahead[i].good = take(l, span_of(l->buf + i * DELAYS_ANSWER,
		    m[i].msg_len), first + (uint32_t)i, &l->ahead[i].delays);
	if (n < (int)l->n_ahead)
		drain(l);
}

/* What others are told of the agent's own CPU time is late. */
static bool main_may_do(const struct delays_link *l, const struct proc *p)
{
	return p->open && p->threads == 1 && !p->had_threads &&
	    p->pid != l->self;
}

void delays_ask_ahead(struct delays_link *l, struct proc *const *p, size_t n)
{
	struct request_msg m[DELAYS_AHEAD];
	uint32_t first = l->seq + 1;

	for (l->n_ahead = 0; l->n_ahead < n; l->n_ahead++) {
		const struct proc *one = p[l->n_ahead];
		bool of_main = main_may_do(l, one);

		m[l->n_ahead] = request_of(l, one->pid, of_main
			? TASKSTATS_CMD_ATTR_PID : TASKSTATS_CMD_ATTR_TGID);
		l->ahead[l->n_ahead] = (struct delays_answer) {
			.pid = one->pid, .of_main = of_main };
	}
	if (n > 0 && send_all(l, m, n * sizeof(m[0])))
		receive_ahead(l, first);
}

static const struct delays_answer *find_ahead(const struct delays_link *l,
	uint32_t pid)
{
	size_t i;

	for (i = 0; i < l->n_ahead; i++) {
		if (l->ahead[i].pid == pid && l->ahead[i].good)
			return &l->ahead[i];
	}
	return NULL;
}

const struct delays *delays_of_main(const struct delays_link *l,
	const struct proc *p)
{
	const struct delays_answer *a = find_ahead(l, p->pid);

	return a && a->of_main && a->delays.run_ns > 0 &&
	    a->delays.of[DELAY_CPU].count > 0 ? &a->delays : NULL;
}

/* No thread but the main one has ever run: its CPU time is that of the process.
 * If it is less, another one has, and the process is asked for from now on.  If it
 * is more, it ran in the meantime, and the clock tells if it is read again. */
static bool is_of_all(struct proc *p, const struct delays *main, uint64_t clock)
{
	p->had_threads |= main->run_ns < clock;
	return main->run_ns == clock ||
	    (main->run_ns > clock && main->run_ns == proc_clock(p->pid));
}

static bool get(struct delays_link *l, struct proc *p, uint64_t clock,
	bool one_thread, struct delays *ret)
{
	const struct delays_answer *a = find_ahead(l, p->pid);

	if (a && (!a->of_main ||
	    (one_thread && is_of_all(p, &a->delays, clock)))) {
		*ret = a->delays;
		return true;
	}
	return ask(l, p->pid, TASKSTATS_CMD_ATTR_TGID, ret);
}

static struct taskstats_opt opt_of(const struct delays_link *l,
	const struct scan *sc, const struct proc *p, bool peaks)
{
	return (struct taskstats_opt) {
		.delayacct = sc->stat_opt.delayacct,
		.cpu = l->cpu,
		.irq = l->irq,
		.young = l->on_ns > 0 &&
		    p->start > (uint64_t)l->on_ns / sc->tick_ns,
		.peaks = peaks,
	};
}

bool delays_of_process(struct delays_link *l, const struct scan *sc,
	struct proc *p, uint64_t clock, bool one_thread, struct cells c,
	struct delays *ret)
{
	struct taskstats_opt opt = opt_of(l, sc, p, one_thread);

	if (l->state != DELAYS_WORK ||
	    !get(l, p, clock, one_thread, ret))
		return false;
	taskstats_set(ret, &opt, c);
	return true;
}

void delays_of_thread(struct delays_link *l, const struct scan *sc,
	const struct proc *p, uint32_t tid, struct cells c)
{
	struct taskstats_opt opt = opt_of(l, sc, p, true);
	struct delays d;

	if (l->state == DELAYS_WORK &&
	    ask(l, tid, TASKSTATS_CMD_ATTR_PID, &d))
		taskstats_set(&d, &opt, c);
}

void delays_forget(struct delays_link *l, uint32_t pid)
{
	size_t i;

	for (i = 0; i < l->n_ahead; i++)
		l->ahead[i].good &= l->ahead[i].pid != pid;
}

void delays_fix_blkio(struct cells c)
{
	uint64_t v;

	if (cells_has(c, COL(PROCESS, DELAY_CPU)) &&
	    !cells_has(c, COL(PROCESS, DELAY_BLKIO)) &&
	    cells_get(c, COL(PROCESS, BLKIO_DELAY), &v) && v == 0)
		cells_unset(c, COL(PROCESS, BLKIO_DELAY));
}
