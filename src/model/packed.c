/* SPDX-License-Identifier: Apache-2.0 */
#include "model/packed.h"

#include "base/bytes.h"
#include "base/compiler.h"

/* First the words of presence, then those of cells that are not 0, as most are that
 * nothing happened to.  Of these as many low bytes are kept as each needs; its code,
 * 3 bits, is how many but one.  21 codes are in one word; the words come after the
 * bytes, so that 8 may be read wherever one of them begins. */
#define CODE_BITS 3
#define CODES_PER_WORD 21u
#define CODE_WORDS(n) (((n) + CODES_PER_WORD - 1) / CODES_PER_WORD)

/* The longest packed row. */
#define PACKED_MAX \
	((2 * COL_WORDS_MAX + COLS_MAX + CODE_WORDS(COLS_MAX)) * 8)

struct packed {
	uint32_t refs;
	uint16_t len, cap; /* of bytes */
	unsigned char bytes[];
};

_Static_assert(PACKED_MAX <= UINT16_MAX, "len and cap have no room");

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

/* Those of 64 cells that are not 0. */
static uint64_t not_0(uint64_t present, const uint64_t *val)
{
	uint64_t bits, ret = 0;

	for (bits = present; bits; bits &= bits - 1) {
		unsigned bit = gs_ctz64(bits);

		ret |= (uint64_t)(val[bit] != 0) << bit;
	}
	return ret;
}

/* Returns the bytes written, at most PACKED_MAX; 8 more may be overwritten. */
static size_t put(enum entity_id e, struct cells c, unsigned char *to)
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	size_t n = 2 * words * sizeof(uint64_t), w;
	struct codes codes;

	codes.word[0] = codes.n = codes.bits = 0;
	memcpy(to, c.present, words * sizeof(*c.present));
	for (w = 0; w < words; w++) {
		const uint64_t *val = c.val + w * 64;
		uint64_t bits = not_0(c.present[w], val);

		memcpy(to + (words + w) * sizeof(bits), &bits, sizeof(bits));
		for (; bits; bits &= bits - 1) {
			uint64_t v = gs_zigzag((int64_t)val[gs_ctz64(bits)]);
			unsigned is = (gs_width64(v) - 1) / 8;

			gs_put_le64(to + n, v);
			n += is + 1;
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

/* The values of a packed row that are not 0, one after the other. */
struct values {
	const unsigned char *from, *code;
	uint64_t codes;
	unsigned left; /* of codes */
};

/* Gives the words that say which they are, too. */
static struct values begin_values(const struct packed *p, uint64_t *which,
	size_t words)
{
	size_t n = 0, w;

	memcpy(which, p->bytes + words * sizeof(*which),
	    words * sizeof(*which));
	for (w = 0; w < words; w++)
		n += gs_popcount64(which[w]);
	return (struct values) { p->bytes + 2 * words * sizeof(uint64_t),
		p->bytes + p->len - CODE_WORDS(n) * sizeof(uint64_t), 0, 0 };
}

static inline unsigned next_code(struct values *v)
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

static inline uint64_t next_value(struct values *v)
{
	unsigned is = next_code(v);
	uint64_t ret = gs_get_le64(v->from) & UINT64_MAX >> (56 - 8 * is);

	v->from += is + 1;
	return (uint64_t)gs_unzigzag(ret);
}

void packed_get(enum entity_id e, const struct packed *p, struct cells to)
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	uint64_t which[COL_WORDS_MAX];
	struct values v = begin_values(p, which, words);
	size_t w;

	memset(to.val, 0, entity_get(e)->ncols * sizeof(*to.val));
	memcpy(to.present, p->bytes, words * sizeof(*to.present));
	for (w = 0; w < words; w++) {
		uint64_t bits = which[w], *val = to.val + w * 64;

		for (; bits; bits &= bits - 1)
			val[gs_ctz64(bits)] = next_value(&v);
	}
}

/* In words of which each has 64 columns. */
static bool has_bit(const void *words, unsigned col)
{
	uint64_t bits;

	memcpy(&bits, (const char *)words + col / 64 * sizeof(bits),
	    sizeof(bits));
	return bits >> (col % 64) & 1;
}

/* How many are before col. */
static size_t values_before(const uint64_t *which, unsigned col)
{
	size_t n = gs_popcount64(which[col / 64] &
	    ((UINT64_C(1) << col % 64) - 1)), w;

	for (w = 0; w < col / 64; w++)
		n += gs_popcount64(which[w]);
	return n;
}

bool packed_find(enum entity_id e, const struct packed *p, unsigned col,
	uint64_t *ret)
{
	size_t words = COL_WORDS(entity_get(e)->ncols), n;
	uint64_t which[COL_WORDS_MAX];
	struct values v = begin_values(p, which, words);

	if (!has_bit(p->bytes, col))
		return false;
	*ret = 0;
	if (!has_bit(which, col))
		return true;
	for (n = values_before(which, col); n > 0; n--)
		v.from += next_code(&v) + 1;
	*ret = next_value(&v);
	return true;
}
