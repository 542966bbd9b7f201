/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_keyfile.c - any bytes as a file of pseudonyms; where the first byte is
 * odd a last line with the right checksum is added.
 */
#include <stdlib.h>

#include "anonymize/keyfile.h"
#include "base/buf.h"
#include "format/frame.h"
#include "fuzz.h"

static size_t count_lines(const struct buf *text)
{
	size_t n = 0, i;

	for (i = 0; i < text->len; i++)
		n += text->ptr[i] == '\n';
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct aliases *a = aliases_new();
	struct buf text = BUF_INIT;
	struct gs_err err = { GS_OK, "" };

	if (size > 0) {
		buf_add(&text, data + 1, size - 1);
		if (data[0] & 1)
			buf_printf(&text, "end %zu %08x\n",
			    count_lines(&text) - (text.len > 0),
			    frame_crc32c(buf_str(&text), text.len));
	}
	if (keyfile_parse("KEY", buf_str(&text), text.len, a, &err) < 0 &&
	    !*err.msg)
		abort();
	aliases_free(a);
	buf_release(&text);
	return 0;
}
