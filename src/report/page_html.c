/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_html.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/xmltext.h"
#include "report/page_web.h"

static void add_base64(struct buf *to, const unsigned char *p, size_t len)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789+/";
	char *out = buf_reserve(to, (len + 2) / 3 * 4 + 1);
	size_t i, n = 0;

	for (i = 0; i < len; i += 3) {
		uint32_t v = (uint32_t)p[i] << 16 |
		    (i + 1 < len ? (uint32_t)p[i + 1] << 8 : 0) |
		    (i + 2 < len ? p[i + 2] : 0);

		out[n++] = digit[v >> 18];
		out[n++] = digit[v >> 12 & 63];
		out[n++] = i + 1 < len ? digit[v >> 6 & 63] : '=';
		out[n++] = i + 2 < len ? digit[v & 63] : '=';
	}
	to->len += n;
	out[n] = '\0';
}

static int deflated(const struct buf *data, unsigned char **ret, uLong *ret_len,
	struct gs_err *err)
{
	uLong len = compressBound(data->len);
	unsigned char *p = gs_malloc(len);

	if (compress2(p, &len, (const Bytef *)buf_str(data), data->len, 6) !=
	    Z_OK) {
		free(p);
		return gs_fail(err, GS_E_MEMORY, "compressing the page");
	}
	*ret = p;
	*ret_len = len;
	return GS_OK;
}

static void add_hash(struct buf *to, const unsigned char sha256[32])
{
	buf_add_str(to, "'sha256-");
	add_base64(to, sha256, 32);
	buf_add_char(to, '\'');
}

void page_add_policy(struct buf *to, bool served)
{
	buf_add_str(to, "default-src 'none'; base-uri 'none'; "
	    "form-action 'none'; script-src ");
	add_hash(to, served ? page_served_script_sha256 : page_script_sha256);
	buf_add_str(to, "; style-src ");
	add_hash(to, page_style_sha256);
	if (served)
		buf_add_str(to, "; connect-src 'self'");
}

static void add_head(struct buf *to, const char *title, bool served)
{
	buf_add_str(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	page_add_policy(to, served);
	buf_add_str(to, "\">\n<meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<meta name=\"generator\" content=\"gpsnap\">\n<title>");
	xml_add_text(to, title);
	buf_add_str(to, "</title>\n<style>");
	buf_add(to, page_style, page_style_len);
	buf_add_str(to, "</style>\n</head>\n");
}

static int add_data(struct buf *to, const char *id, const struct buf *data,
	struct gs_err *err)
{
	unsigned char *p = NULL;
	uLong len = 0;
	int r = deflated(data, &p, &len, err);

	if (r < 0)
		return r;
	buf_printf(to, "<script type=\"application/octet-stream\" "
	    "id=\"%s\">", id);
	add_base64(to, p, len);
	buf_add_str(to, "</script>\n");
	free(p);
	return GS_OK;
}

static void begin_page(struct buf *to, const char *title, bool served)
{
	add_head(to, title, served);
	buf_add(to, page_body, page_body_len);
}

static void add_script(struct buf *to, const char *p, size_t len)
{
	buf_add_str(to, "<script>");
	buf_add(to, p, len);
	buf_add_str(to, "</script>\n");
}

static void end_page(struct buf *to)
{
	buf_add_str(to, "</body>\n</html>\n");
}

int page_html(const char *title, const struct buf part[PAGE_PARTS],
	struct buf *to, struct gs_err *err)
{
	int r;

	begin_page(to, title, false);
	r = add_data(to, "data", &part[PAGE_FIRST], err);
	if (r < 0)
		return r;
	add_script(to, page_script, page_script_len);
	r = add_data(to, "rest", &part[PAGE_REST], err);
	end_page(to);
	return r;
}

void page_served(const char *title, struct buf *to)
{
	begin_page(to, title, true);
	add_script(to, page_served_script, page_served_script_len);
	end_page(to);
}

static int add_block(const struct buf *data, struct buf *to,
	struct gs_err *err)
{
	unsigned char *p = NULL;
	uLong len = 0;
	int r = deflated(data, &p, &len, err);

	if (r == GS_OK)
		buf_add(to, p, len);
	free(p);
	return r;
}

int page_deflate(const struct buf part[PAGE_PARTS], struct buf *to,
	struct gs_err *err)
{
	size_t start = to->len;
	int r;

	buf_add_le32(to, 0);
	r = add_block(&part[PAGE_FIRST], to, err);
	gs_put_le32(to->ptr + start, (uint32_t)(to->len - start - 4));
	return r == GS_OK ? add_block(&part[PAGE_REST], to, err) : r;
}
