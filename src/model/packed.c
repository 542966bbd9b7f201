/* SPDX-License-Identifier: Apache-2.0 */
#include "model/packed.h"

#include "base/bytes.h"
#include "base/compiler.h"

/* Of a value as many low bytes are kept as it needs; its code, 3 bits, says how
 * many.  21 codes are in one word; the words come after the bytes, so that 8
 * may be read wherever one of them begins. */
static const unsigned char len_of[] = { 0, 1, 2, 3, 4, 5, 6, 8 };
#define CODE_BITS 3
#define CODES_PER_WORD 21u
#define CODE_WORDS(n) (((n) + CODES_PER_WORD - 1) / CODES_PER_WORD)

/* The longest packed row. */
#define PACKED_MAX ((COL_WORDS_MAX + COLS_MAX + CODE_WORDS(COLS_MAX)) * 8)

struct packed {
	uint32_t refs;
	uint16_t len, cap; /* of bytes */
	unsigned char bytes[];
};

_Static_assert(PACKED_MAX <= UINT16_MAX, "len and cap have no room");

static unsigned code_of(uint64_t v)
{
	unsigned bytes = (gs_width64(v | 1) + 7) / 8;

	return v == 0 ? 0 : GS_MIN(bytes, 7u);
}

/* Codes that are written. */
struct codes {
	uint64_t word[CODE_WORDS(COLS_MAX) + 1];
	size_t n; /* full words */
	unsigned bits; /* of the next one */
};

static void add_code(struct codes *c, unsigned is)
{
	c->word[c->n] |= (uint64_t)is << c->bits;
	c->bits += CODE_BITS;
	if (c->bits == CODES_PER_WORD * CODE_BITS) {
		c->word[++c->n] = 0;
		c->bits = 0;
	}
}

/* Returns the bytes written, at most PACKED_MAX; 8 more may be overwritten. */
static size_t put(enum entity_id e, struct cells c, unsigned char *to)
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	size_t n = words * sizeof(uint64_t), w;
	struct codes codes;

	codes.word[0] = codes.n = codes.bits = 0;
	for (w = 0; w < words; w++) {
		uint64_t bits = c.present[w];

		memcpy(to + w * sizeof(bits), &bits, sizeof(bits));
		for (; bits; bits &= bits - 1) {
			uint64_t v = gs_zigzag(
			    (int64_t)c.val[w * 64 + gs_ctz64(bits)]);
			unsigned is = code_of(v);

			gs_put_le64(to + n, v);
			n += len_of[is];
			add_code(&codes, is);
		}
	}
	codes.n += codes.bits > 0;
	memcpy(to + n, codes.word, codes.n * sizeof(*codes.word));
	return n + codes.n * sizeof(*codes.word);
}

static struct packed *with_room(size_t len)
{
	/* what the allocator would round up to anyway */
	size_t cap = len | 15;
	struct packed *p = gs_malloc(sizeof(*p) + cap);

	p->refs = 1;
	p->cap = (uint16_t)cap;
	return p;
}

void packed_keep(enum entity_id e, struct cells c, struct packed **p)
{
	unsigned char bytes[PACKED_MAX + 8];
	size_t len = put(e, c, bytes);
	struct packed *was = *p;

	if (was && was->len == len && memcmp(was->bytes, bytes, len) == 0)
		return;
	if (!was || was->refs > 1 || len > was->cap) {
		packed_drop(was);
		*p = with_room(len);
	}
	(*p)->len = (uint16_t)len;
	memcpy((*p)->bytes, bytes, len);
}

struct packed *packed_hold(struct packed *p)
{
	p->refs++;
	return p;
}

void packed_drop(struct packed *p)
{
	if (p && --p->refs == 0)
		free(p);
}

/* The values of a packed row, one after the other. */
struct values {
	const unsigned char *from, *code;
	uint64_t codes;
	unsigned left; /* of codes */
};

/* Gives the words of presence, too. */
static struct values begin_values(const struct packed *p,
	uint64_t *present, size_t words)
{
	size_t n = 0, w;

	for (w = 0; w < words; w++) {
		memcpy(&present[w], p->bytes + w * sizeof(*present),
		    sizeof(*present));
		n += gs_popcount64(present[w]);
	}
	return (struct values) { p->bytes + words * sizeof(uint64_t),
		p->bytes + p->len - CODE_WORDS(n) * sizeof(uint64_t), 0, 0 };
}

static unsigned next_code(struct values *v)
{
	unsigned is;

	if (v->left == 0) {
		memcpy(&v->codes, v->code, sizeof(v->codes));
		v->code += sizeof(v->codes);
		v->left = CODES_PER_WORD;
	}
	is = v->codes & 7;
	v->codes >>= CODE_BITS;
	v->left--;
	return is;
}

static uint64_t next_value(struct values *v)
{
	static const uint64_t mask[] = { 0, 0xff, 0xffff, 0xffffff,
		UINT32_MAX, UINT64_C(0xffffffffff), UINT64_C(0xffffffffffff),
		UINT64_MAX };
	unsigned is = next_code(v);
	uint64_t ret = gs_get_le64(v->from) & mask[is];

	v->from += len_of[is];
	return (uint64_t)gs_unzigzag(ret);
}

void packed_get(enum entity_id e, const struct packed *p, struct cells to)
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	struct values v;
	size_t w;

	memset(to.val, 0, entity_get(e)->ncols * sizeof(*to.val));
	v = begin_values(p, to.present, words);
	for (w = 0; w < words; w++) {
		uint64_t bits = to.present[w];

		for (; bits; bits &= bits - 1)
			to.val[w * 64 + gs_ctz64(bits)] = next_value(&v);
	}
}

/* Present columns before col. */
static size_t values_before(const uint64_t *present, unsigned col)
{
	size_t n = gs_popcount64(present[col / 64] &
	    ((UINT64_C(1) << col % 64) - 1)), w;

	for (w = 0; w < col / 64; w++)
		n += gs_popcount64(present[w]);
	return n;
}

bool packed_find(enum entity_id e, const struct packed *p, unsigned col,
	uint64_t *ret)
{
	size_t words = COL_WORDS(entity_get(e)->ncols), n;
	uint64_t present[COL_WORDS_MAX];
	struct values v;

	v = begin_values(p, present, words);
	if (!(present[col / 64] >> (col % 64) & 1))
		return false;
	for (n = values_before(present, col); n > 0; n--)
		v.from += len_of[next_code(&v)];
	*ret = next_value(&v);
	return true;
}
