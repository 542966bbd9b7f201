/* SPDX-License-Identifier: Apache-2.0 */
#include "record/self.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"

bool self_is_loopback(const char *name)
{
	return strcasecmp(name, "localhost") == 0 ||
	    strcmp(name, "::1") == 0 || strncmp(name, "127.", 4) == 0;
}

static bool has_address(const struct sockaddr *sa, const char *name)
{
	char text[INET6_ADDRSTRLEN];
	const void *raw;

	if (sa->sa_family == AF_INET)
		raw = &((const struct sockaddr_in *)(const void *)sa)
		           ->sin_addr;
	else if (sa->sa_family == AF_INET6)
		raw = &((const struct sockaddr_in6 *)(const void *)sa)
		           ->sin6_addr;
	else
		return false;
	return inet_ntop(sa->sa_family, raw, text, sizeof(text)) &&
	    strcasecmp(text, name) == 0;
}

bool self_is(const char *name, const char *nodename)
{
	struct ifaddrs *all, *a;
	bool found = false;

	if (self_is_loopback(name) || strcasecmp(name, nodename) == 0)
		return true;
	if (getifaddrs(&all) < 0)
		return false;
	for (a = all; a && !found; a = a->ifa_next)
		found = a->ifa_addr && has_address(a->ifa_addr, name);
	freeifaddrs(all);
	return found;
}
