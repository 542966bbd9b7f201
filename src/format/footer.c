#include "format/footer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"

bool footer_is_whole(const void *p, size_t len)
{
	struct frame_entry *e = NULL;
	size_t n;

	if (frame_footer_get(p, len, UINT64_MAX / 2, &e, &n, NULL) < 0)
		return false;
	free(e);
	return true;
}

static bool read_at(const struct source *s, void *to, size_t len,
	uint64_t off)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(s->fd, (char *)to + got, len - got,
		    (off_t)(off + got));

		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

/* Length of the footer that ends at end, by its own tail; 0: none. */
static size_t length_before(const struct source *s, uint64_t end)
{
	unsigned char tail[12];
	uint32_t len;

	if (end < FRAME_FOOTER_MIN ||
	    !read_at(s, tail, sizeof(tail), end - sizeof(tail)) ||
	    memcmp(tail + 8, "GPSE", 4) != 0)
		return 0;
	len = gs_get_le32(tail);
	return len >= FRAME_FOOTER_MIN && len <= end && len <= FOOTER_LEN_MAX
	    ? len : 0;
}

/* Loads the footer that ends at end.  *ret_start is where its part of the
 * file starts. */
static int load_part(const struct source *s, uint64_t end,
	struct frame_entry **ret, size_t *ret_n, uint64_t *ret_start)
{
	size_t len = length_before(s, end);
	uint64_t at = end - len;
	uint64_t covered;
	char *p;
	int r;

	if (len == 0)
		return GS_E_FORMAT;
	p = gs_malloc(len);
	r = read_at(s, p, len, at)
	    ? frame_footer_get(p, len, at, ret, ret_n, NULL) : GS_E_IO;
	free(p);
	if (r < 0)
		return r;
	covered = *ret_n == 0 ? 0 : (*ret)[*ret_n - 1].offset +
	    FRAME_INDEX_LEN + (*ret)[*ret_n - 1].comp_len;
	*ret_start = at - covered;
	return GS_OK;
}

bool footer_ends(const struct source *s)
{
	struct frame_entry *e = NULL;
	uint64_t start;
	size_t n;
	int64_t size = source_size(s);

	if (size < 0 || load_part(s, (uint64_t)size, &e, &n, &start) < 0)
		return false;
	free(e);
	return true;
}

int footer_load(const struct source *s, struct frame_entry **ret,
	size_t *ret_n)
{
	int64_t size = source_size(s);
	uint64_t end = size < 0 ? 0 : (uint64_t)size;
	struct frame_entry *all = NULL;
	size_t n_all = 0;

	if (end == 0)
		return GS_E_FORMAT;
	while (end > 0) {
		struct frame_entry *e = NULL;
		size_t n = 0, i;
		uint64_t start = 0;

		if (load_part(s, end, &e, &n, &start) < 0) {
			free(all);
			return GS_E_FORMAT;
		}
		for (i = 0; i < n; i++)
			e[i].offset += start;
		e = gs_realloc(e, (n + n_all) * sizeof(*e));
		if (n_all)
			memcpy(e + n, all, n_all * sizeof(*e));
		free(all);
		all = e;
		n_all += n;
		end = start;
	}
	*ret = all;
	*ret_n = n_all;
	return GS_OK;
}
