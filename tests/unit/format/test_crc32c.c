/* SPDX-License-Identifier: Apache-2.0 */
#include "format/crc32c.h"

#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* RFC 3720, B.4. */
static void test_known(void **state)
{
	unsigned char zeros[32] = { 0 }, ones[32];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	assert_int_equal(~crc32c_update(~UINT32_C(0), zeros, 32), 0x8a9136aa);
	assert_int_equal(~crc32c_update(~UINT32_C(0), ones, 32), 0x62a8ab43);
	assert_int_equal(~crc32c_update(~UINT32_C(0), "123456789", 9),
	    0xe3069283);
}

/* Any length from any address, in any parts. */
static void test_by_table(void **state)
{
	unsigned char bytes[300];
	size_t i, from, len;

	(void)state;
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 131 + (i >> 3));
	for (from = 0; from < 9; from++) {
		for (len = 0; from + len <= sizeof(bytes); len++) {
			uint32_t want = crc32c_update_by_table(7, bytes + from,
			    len);

			assert_int_equal(crc32c_update(7, bytes + from, len),
			    want);
			assert_int_equal(crc32c_update(crc32c_update(7,
			    bytes + from, len / 3), bytes + from + len / 3,
			    len - len / 3), want);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_by_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
