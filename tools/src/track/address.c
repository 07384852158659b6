// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "ktrace_format.h"

/* Least sa_len */
#define LEN_INET	16
#define LEN_INET6	28
#define LEN_INET6_LINUX 24 /* without the scope */

static unsigned int port_of(const unsigned char *p)
{
	return p[2] << 8 | p[3];
}

static bool local_text(const unsigned char *p, size_t len, bool linux_abi, char *text)
{
	size_t from = 2, at = 0;

	if (linux_abi && len > 2 && p[2] == '\0') {
		text[at++] = '@';
		from++;
	}
	while (from < len && p[from] && at + 1 < ADDRESS_SIZE)
		text[at++] = (char)p[from++];
	text[at] = '\0';
	return at > 0;
}

bool address_text(const unsigned char *p, size_t len, bool linux_abi, char text[ADDRESS_SIZE])
{
	char number[INET6_ADDRSTRLEN];
	unsigned int family = len >= 2 ? p[1] : 0;

	if (family == KTRACE_AF_UNIX)
		return local_text(p, len, linux_abi, text);
	if (family == KTRACE_AF_INET && len >= LEN_INET) {
		inet_ntop(AF_INET, p + 4, number, sizeof(number));
		snprintf(text, ADDRESS_SIZE, "%s:%u", number, port_of(p));
		return true;
	}
	if (family == KTRACE_AF_INET6 && len >= (linux_abi ? LEN_INET6_LINUX : LEN_INET6)) {
		inet_ntop(AF_INET6, p + 8, number, sizeof(number));
		snprintf(text, ADDRESS_SIZE, "[%s]:%u", number, port_of(p));
		return true;
	}
	return false;
}
