// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, socket addresses.
 */
#include <arpa/inet.h>
#include <string.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "ktrace_format.h"
#include "fields.h"

/* Linux families that FreeBSD lacks, as they are in a Linux process's records. */
#define FAMILY_PACKET (KTRACE_AF_LINUX + 17)
#define FAMILY_VSOCK  (KTRACE_AF_LINUX + 40)

/* Least sa_len of each. */
#define LEN_INET	16
#define LEN_INET6	28
#define LEN_INET6_LINUX 24 /* without the scope */
#define LEN_NETLINK	12
#define LEN_PACKET	12 /* without an address */
#define LEN_VSOCK	12

#define PACKET_ADDR 12 /* its offset */

static unsigned int get16_network(const unsigned char *p)
{
	return p[0] << 8 | p[1];
}

/*
 * A path ends at its first NUL.  Linux has abstract names, too: they begin
 * with a NUL, and every byte that follows is part of the name.
 */
static void add_local(const unsigned char *p, size_t len, bool linux_abi, struct fields *fields)
{
	static const struct fields_style path_style = { "", "", NULL, "" };
	static const struct fields_style abstract_style = { "@", "", NULL, "" };

	if (linux_abi && len > 2 && p[2] == '\0') {
		fields->style = &abstract_style;
		fields_add(fields, "abstract", value_bytes(VALUE_TEXT, p + 3, len - 3));
	} else {
		fields->style = &path_style;
		fields_add(fields, "path",
			   value_bytes(VALUE_TEXT, p + 2, strnlen((const char *)p + 2, len - 2)));
	}
}

static void add_internet(int family, const unsigned char *address, unsigned int port,
			 struct fields *fields)
{
	static const struct fields_style inet_style = { "", ":", NULL, "" };
	static const struct fields_style inet6_style = { "[", "]:", NULL, "" };

	fields->style = family == AF_INET ? &inet_style : &inet6_style;
	inet_ntop(family, address, fields->address, sizeof(fields->address));
	fields_add(fields, "address",
		   value_bytes(VALUE_TEXT, (const unsigned char *)fields->address,
			       strlen(fields->address)));
	fields_add(fields, "port", value_of(VALUE_UINT, port));
}

static void add_netlink(const unsigned char *p, struct fields *fields)
{
	static const struct fields_style style = { "netlink[", ", ", "=", "]" };

	fields->style = &style;
	fields_add(fields, "pid", value_u32(p + 4));
	fields_add(fields, "groups", value_of(VALUE_HEX_0X, get32(p + 8)));
}

static void add_packet(const unsigned char *p, size_t len, struct fields *fields)
{
	static const struct fields_style style = { "packet[", ", ", "=", "]" };
	size_t addr_len = p[11];

	if (addr_len > len - PACKET_ADDR)
		addr_len = len - PACKET_ADDR;
	fields->style = &style;
	fields_add(fields, "protocol", value_of(VALUE_HEX_0X4, get16_network(p + 2)));
	fields_add(fields, "ifindex", value_s32(p + 4));
	fields_add(fields, "hatype", value_of(VALUE_UINT, get16(p + 8)));
	fields_add(fields, "pkttype", value_of(VALUE_UINT, p[10]));
	fields_add(fields, "addr", value_bytes(VALUE_HWADDR, p + PACKET_ADDR, addr_len));
}

static void add_vsock(const unsigned char *p, struct fields *fields)
{
	static const struct fields_style style = { "vsock[", ", ", "=", "]" };

	fields->style = &style;
	fields_add(fields, "cid", value_u32(p + 8));
	fields_add(fields, "port", value_u32(p + 4));
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
		return linux_abi ? LEN_INET6_LINUX : LEN_INET6;
	case KTRACE_AF_NETLINK:
		return LEN_NETLINK;
	case FAMILY_PACKET:
		return linux_abi ? LEN_PACKET : 0;
	case FAMILY_VSOCK:
		return linux_abi ? LEN_VSOCK : 0;
	}
	return 0;
}

static void add_address(unsigned int family, const unsigned char *p, size_t len, bool linux_abi,
			struct fields *fields)
{
	switch (family) {
	case KTRACE_AF_UNIX:
		add_local(p, len, linux_abi, fields);
		break;
	case KTRACE_AF_INET:
		add_internet(AF_INET, p + 4, get16_network(p + 2), fields);
		break;
	case KTRACE_AF_INET6:
		add_internet(AF_INET6, p + 8, get16_network(p + 2), fields);
		break;
	case KTRACE_AF_NETLINK:
		add_netlink(p, fields);
		break;
	case FAMILY_PACKET:
		add_packet(p, len, fields);
		break;
	case FAMILY_VSOCK:
		add_vsock(p, fields);
		break;
	}
}

static void out_family(const struct value *value)
{
	out_printf("<invalid=%u>", (unsigned int)value->number);
}

void sockaddr_decode(const unsigned char *p, size_t len, bool linux_abi, struct fields *fields)
{
	unsigned int family = len >= 2 ? p[1] : 0;
	size_t least = least_len(family, linux_abi);
	struct value value = value_of(VALUE_NAMED, family);

	value.symbol = family_name(family, linux_abi);
	value.print = out_family;
	fields->problem = NULL;
	fields->count = 0;
	fields_add(fields, "family", value);
	if (least == 0)
		fields->problem = "unknown address family";
	else if (len < least)
		fields->problem = "invalid";
	else
		add_address(family, p, len, linux_abi, fields);
}

void sockaddr_print(const struct fields *fields)
{
	out_str("struct sockaddr { ");
	value_print(&fields->field[0].value);
	out_str(", ");
	if (fields->problem)
		out_str(fields->problem);
	else
		fields_print(fields, 1);
	out_str(" }");
}
