/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_agent.c - an agent for tests of the recorder: says what it is told to,
 * at the time it is told to.  An argument is the host that it stands for, and
 * its boot id; then NAME_host in the environment goes before NAME:
 *   FAKE_PROCESSES  rows per answer (3)
 *   FAKE_DELAY_MS   before each answer
 *   FAKE_FIRST_MS   before the first answer
 *   FAKE_READ_MS    between the clocks and the counters of the first answer
 *   FAKE_HOG        1: its first process has used a CPU since the boot
 *   FAKE_SLOW_EVERY every so many answers ...
 *   FAKE_SLOW_MS    ... take so long instead
 *   FAKE_DIE_AFTER  answers, then says "out of luck" and exits with 3
 *   FAKE_PROTOCOL   to claim
 *   FAKE_ROLE       why the rows are recorded (process.role; none)
 *   FAKE_NOISE      bytes of title that change with every answer
 *   FAKE_GREETING   said on stdout first, and nothing after it
 *   FAKE_PREAMBLE   1: says the line that gpsnap-agent --preamble says
 *   FAKE_CLOCK_S    its clock is so many seconds ahead
 *   FAKE_BOOT       the boot id
 *   FAKE_UPTIME_S   the host was booted so many seconds before this one
 *   FAKE_SWITCHES   so many more million context switches than this host
 *   FAKE_TALLY      a file that grows by a byte per answer
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/wire.h"
#include "metric/metric.h"
#include "model/tick.h"

static const char *host; /* set once, by main() */

static const char *env_text(const char *name)
{
	char own[128];
	const char *v = NULL;

	(void)snprintf(own, sizeof(own), "%s_%s", name, host ? host : "");
	if (host)
		v = getenv(own);
	return v ? v : getenv(name);
}

static long env(const char *name, long dflt)
{
	const char *v = env_text(name);

	return v ? atol(v) : dflt;
}

static void pause_ms(long ms)
{
	if (ms > 0)
		(void)usleep((useconds_t)ms * 1000);
}

static void put_text(struct answer *a, struct delta *d, unsigned col,
	uint32_t slot, uint32_t id, const char *text, size_t len)
{
	tick_add_text(&a->tick, id, text, len);
	delta_change(d, col, slot, id);
}

static void put_host(struct answer *a, struct block *b)
{
	struct delta *d = &b->ent[ENTITY_HOST];
	const char *boot = env_text("FAKE_BOOT");

	if (!boot)
		boot = host ? host : "boot";
	delta_open_slot(d, 0, OPEN_APPEARED);
	put_text(a, d, COL(HOST, NAME), 0, 1, "fake", 4);
	put_text(a, d, COL(HOST, BOOT_ID), 0, 2, boot, strlen(boot));
	d = &b->ent[ENTITY_AGENT];
	delta_open_slot(d, 0, OPEN_APPEARED);
	put_text(a, d, COL(AGENT, VERSION), 0, 3, "fake", 4);
	delta_change(d, COL(AGENT, QUIET), 0, 1);
}

/* As of one kernel: all that stand for one host tell the same. */
static void put_switches(struct block *b)
{
	static uint64_t told;
	uint64_t now = (uint64_t)b->clock.boot_ns / 1000 +
	    (uint64_t)env("FAKE_SWITCHES", 0) * 1000000;

	delta_change(&b->ent[ENTITY_HOST], COL(HOST, CTXT), 0, now - told);
	delta_change(&b->ent[ENTITY_HOST], COL(HOST, INTR), 0, now - told);
	told = now;
}

/* CPU as of now, which may be later than the clocks of the sample. */
static void put_hog(struct block *b)
{
	static uint64_t told;
	uint64_t now = (uint64_t)gs_clock_boot_ns() / 1000;

	delta_change(&b->ent[ENTITY_PROCESS], COL(PROCESS, CPU), 0, now - told);
	told = now;
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1;
	return *state >> 33;
}

static void put_processes(struct answer *a, struct block *b, uint64_t seq,
	long rows, long noise)
{
	struct delta *d = &b->ent[ENTITY_PROCESS];
	uint64_t state = seq;
	char *text = gs_malloc((size_t)noise + 1);
	long role = env("FAKE_ROLE", 0);
	long i, k;

	for (i = 0; i < rows; i++) {
		uint32_t slot = (uint32_t)i;

		if (seq == 1) {
			delta_open_slot(d, slot, OPEN_APPEARED);
			delta_change(d, COL(PROCESS, PID), slot,
			    (uint64_t)(100 + i));
			if (role > 0)
				delta_change(d, COL(PROCESS, ROLE), slot,
				    (uint64_t)role);
		}
		delta_change(d, COL(PROCESS, MINFLT), slot, seq + 1);
		if (noise == 0)
			continue;
		for (k = 0; k < noise; k++)
			text[k] = (char)(33 + next_random(&state) % 90);
		put_text(a, d, COL(PROCESS, TITLE), slot,
		    (uint32_t)(10 + i * 2 + (long)(seq & 1)), text,
		    (size_t)noise);
	}
	free(text);
}

static void answer(struct wire_codec *c, const struct request *r,
	struct answer *a, struct buf *out)
{
	struct block *b;

	tick_reset(&a->tick);
	a->has_hello = r->sequence == 1;
	a->hello.protocol = (uint32_t)env("FAKE_PROTOCOL", WIRE_PROTOCOL);
	a->hello.version = "fake";
	b = tick_add_block(&a->tick, 0);
	b->clock = (struct sample_clock) { .sequence = r->sequence,
		.wall_ns = gs_clock_wall_ns() +
		    env("FAKE_CLOCK_S", 0) * GS_NSEC_PER_SEC,
		.mono_ns = gs_clock_mono_ns(),
		.boot_ns = gs_clock_boot_ns() +
		    env("FAKE_UPTIME_S", 0) * GS_NSEC_PER_SEC };
	if (r->sequence == 1) {
		put_host(a, b);
		pause_ms(env("FAKE_READ_MS", 0));
	}
	put_switches(b);
	put_processes(a, b, r->sequence, env("FAKE_PROCESSES", 3),
	    env("FAKE_NOISE", 0));
	if (env("FAKE_HOG", 0))
		put_hog(b);
	buf_reset(out);
	wire_put_answer(c, a, out);
}

static void send_all(const struct buf *b)
{
	size_t at = 0;
	ssize_t n;

	while (at < b->len) {
		n = write(STDOUT_FILENO, b->ptr + at, b->len - at);
		if (n <= 0)
			exit(1);
		at += (size_t)n;
	}
}

/* The next request; false at the end. */
static bool receive(struct wire_codec *c, struct buf *in, struct request *r)
{
	int64_t n;
	ssize_t got;

	for (;;) {
		n = wire_message_len(in->ptr, in->len, NULL);
		if (n < 0)
			exit(2);
		if (n > 0)
			break;
		got = read(STDIN_FILENO, buf_reserve(in, 4096), 4096);
		if (got <= 0)
			return false;
		in->len += (size_t)got;
	}
	if (wire_get_request(c, in->ptr, (size_t)n, r, NULL) < 0)
		exit(2);
	memmove(in->ptr, in->ptr + n, in->len - (size_t)n);
	in->len -= (size_t)n;
	return true;
}

static void keep_tally(void)
{
	const char *path = env_text("FAKE_TALLY");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (!f)
		return;
	(void)fputc('.', f);
	(void)fclose(f);
}

static void greet(void)
{
	if (env_text("FAKE_GREETING"))
		(void)printf("%s", env_text("FAKE_GREETING"));
	if (env("FAKE_PREAMBLE", 0))
		(void)printf("#gpsnap# ready\n");
	(void)fflush(stdout);
}

int main(int argc, char **argv)
{
	struct wire_codec *c = wire_codec_new();
	struct buf in = BUF_INIT, out = BUF_INIT;
	struct answer a = { 0 };
	struct request r;
	long die, every;

	host = argc > 1 ? argv[1] : NULL;
	die = env("FAKE_DIE_AFTER", -1);
	every = env("FAKE_SLOW_EVERY", 0);
	greet();
	while (receive(c, &in, &r)) {
		if (die >= 0 && r.sequence > (uint64_t)die) {
			(void)fputs("out of luck\n", stderr);
			_exit(3);
		}
		if (r.sequence == 1)
			pause_ms(env("FAKE_FIRST_MS", 0));
		pause_ms(every > 0 && r.sequence % (uint64_t)every == 0
			? env("FAKE_SLOW_MS", 0) : env("FAKE_DELAY_MS", 0));
		answer(c, &r, &a, &out);
		send_all(&out);
		keep_tally();
	}
	tick_release(&a.tick);
	wire_codec_free(c);
	buf_release(&in);
	buf_release(&out);
	return 0;
}
