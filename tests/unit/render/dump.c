/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump.c - a random grid in one format, for agree.py: FORMAT SEED.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "render/render.h"

/* A fixed generator, so that a seed means the same everywhere. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static const struct grid_col cols[] = {
	{ .name = "name", .title = "name", .quantity = Q_TEXT },
	{ .name = "count", .title = "count", .quantity = Q_COUNT },
	{ .name = "id", .title = "id", .quantity = Q_ID },
	{ .name = "number", .title = "number", .quantity = Q_NUMBER },
	{ .name = "rate", .title = "rate", .quantity = Q_RATE },
	{ .name = "percent", .title = "percent", .quantity = Q_PERCENT },
	{ .name = "bytes", .title = "bytes", .quantity = Q_BYTES },
	{ .name = "bytes_rate", .title = "bytes_rate",
	    .quantity = Q_BYTES_RATE },
	{ .name = "seconds", .title = "seconds", .quantity = Q_SECONDS },
	{ .name = "age", .title = "age", .quantity = Q_AGE },
};

static struct cell random_cell(enum quantity q, uint64_t *state)
{
	uint64_t bits = next(state);
	double magnitude = pow(10, (double)(bits >> 8 & 0xff) / 256 * 14 - 2);
	double v = magnitude * (double)(next(state) >> 11) * 0x1p-53;
	struct cell c;

	if (bits % 10 == 0)
		return (struct cell) { 0 };
	if (bits % 10 == 1)
		v = -v;
	if (bits % 10 == 2)
		v = 0;
	c = q == Q_ID || bits % 3 == 0 ? cell_int((int64_t)v) : cell_real(v);
	c.mark = bits >> 32 & 15 ? 0 : bits & 1 << 20 ? '~' : '>';
	return c;
}

static void fill(struct grid *g, uint64_t seed)
{
	size_t i, k;

	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
	for (i = 0; i < 200; i++) {
		struct cell *c = grid_add_row(g)->cell;
		char name[16];

		(void)snprintf(name, sizeof(name), "row%zu", i); /* fits */
		c[0] = cell_text(grid_text(g, name, strlen(name)));
		for (k = 1; k < GS_LEN(cols); k++)
			c[k] = random_cell(cols[k].quantity, &seed);
	}
}

int main(int argc, char **argv)
{
	static const char *const formats[] = { "text", "json", "csv" };
	struct render_options options = { .width = 1000, .utf8 = true };
	struct report report = { .interval_ns = 1 };
	struct grid *g = grid_new("random", NULL);
	struct buf out = BUF_INIT;
	struct render *r;
	unsigned i;

	if (argc != 3)
		return 64;
	for (i = 0; i < GS_LEN(formats); i++) {
		if (strcmp(formats[i], argv[1]) == 0)
			options.format = (enum render_format)i;
	}
	fill(g, strtoull(argv[2], NULL, 10));
	r = render_new(&options, &out);
	render_begin(r, &report);
	render_grid(r, g);
	render_end(r);
	render_free(r);
	grid_free(g);
	if (fwrite(out.ptr, 1, out.len, stdout) != out.len)
		return 2;
	buf_release(&out);
	return fclose(stdout) == 0 ? 0 : 2;
}
