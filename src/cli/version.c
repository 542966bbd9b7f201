/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/version.h"

const char *cli_version(void)
{
	return GS_VERSION;
}
