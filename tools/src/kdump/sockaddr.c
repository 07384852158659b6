// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, socket addresses.
 */
#include <arpa/inet.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "ktrace_format.h"
#include "records.h"

/* Linux families that FreeBSD lacks, as they are in a Linux process's records. */
#define FAMILY_PACKET (KTRACE_AF_LINUX + 17)
#define FAMILY_VSOCK  (KTRACE_AF_LINUX + 40)

/* Least sa_len of each. */
#define LEN_INET    16
#define LEN_INET6   28
#define LEN_NETLINK 12
#define LEN_PACKET  12 /* without an address */
#define LEN_VSOCK   12

#define PACKET_ADDR 12 /* its offset */

static unsigned int get16_network(const unsigned char *p)
{
	return p[0] << 8 | p[1];
}

/*
 * A path ends at its first NUL.  Linux has abstract names, too: they begin
 * with a NUL, and every byte that follows is part of the name.
 */
static void out_local(const unsigned char *p, size_t len, bool linux_abi)
{
	if (linux_abi && len > 2 && p[2] == '\0') {
		out_char('@');
		out_text(p + 3, len - 3);
	} else {
		out_text_str(p + 2, len - 2);
	}
}

static void out_inet(const unsigned char *p)
{
	char text[INET_ADDRSTRLEN];

	out_printf("%s:%u", inet_ntop(AF_INET, p + 4, text, sizeof(text)), get16_network(p + 2));
}

static void out_inet6(const unsigned char *p)
{
	char text[INET6_ADDRSTRLEN];

	out_printf("[%s]:%u", inet_ntop(AF_INET6, p + 8, text, sizeof(text)), get16_network(p + 2));
}

static void out_netlink(const unsigned char *p)
{
	out_printf("netlink[pid=%u, groups=0x%x]", get32(p + 4), get32(p + 8));
}

static void out_packet(const unsigned char *p, size_t len)
{
	size_t i, addr_len = p[11];

	if (addr_len > len - PACKET_ADDR)
		addr_len = len - PACKET_ADDR;
	out_printf("packet[protocol=0x%04x, ifindex=%d, hatype=%u, pkttype=%u, addr=",
		   get16_network(p + 2), (int)get32(p + 4), get16(p + 8), p[10]);
	for (i = 0; i < addr_len; i++) {
		if (i)
			out_char(':');
		out_byte(p[PACKET_ADDR + i]);
	}
	out_char(']');
}

static void out_vsock(const unsigned char *p)
{
	out_printf("vsock[cid=%u, port=%u]", get32(p + 8), get32(p + 4));
}

static const char *family_name(unsigned int family, bool linux_abi)
{
	if (linux_abi && family >= KTRACE_AF_LINUX)
		return names_find(&names_linux_sockaddr_family, family - KTRACE_AF_LINUX);
	return names_find(&names_sockaddr_family, family);
}

/* 0: it is not known what such an address looks like. */
static size_t least_len(unsigned int family, bool linux_abi)
{
	switch (family) {
	case KTRACE_AF_UNIX:
		return 2;
	case KTRACE_AF_INET:
		return LEN_INET;
	case KTRACE_AF_INET6:
		return LEN_INET6;
	case KTRACE_AF_NETLINK:
		return LEN_NETLINK;
	case FAMILY_PACKET:
		return linux_abi ? LEN_PACKET : 0;
	case FAMILY_VSOCK:
		return linux_abi ? LEN_VSOCK : 0;
	}
	return 0;
}

static void out_address(unsigned int family, const unsigned char *p, size_t len, bool linux_abi)
{
	switch (family) {
	case KTRACE_AF_UNIX:
		out_local(p, len, linux_abi);
		break;
	case KTRACE_AF_INET:
		out_inet(p);
		break;
	case KTRACE_AF_INET6:
		out_inet6(p);
		break;
	case KTRACE_AF_NETLINK:
		out_netlink(p);
		break;
	case FAMILY_PACKET:
		out_packet(p, len);
		break;
	case FAMILY_VSOCK:
		out_vsock(p);
		break;
	}
}

void sockaddr_print(const unsigned char *p, size_t len, bool linux_abi)
{
	unsigned int family = len >= 2 ? p[1] : 0;
	const char *name = family_name(family, linux_abi);
	size_t least = least_len(family, linux_abi);

	out_str("struct sockaddr { ");
	if (name)
		out_str(name);
	else
		out_printf("<invalid=%u>", family);
	out_str(", ");
	if (least == 0)
		out_str("unknown address family");
	else if (len < least)
		out_str("invalid");
	else
		out_address(family, p, len, linux_abi);
	out_str(" }\n");
}
