/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef _TRACK_ADDRESS_H_
#define _TRACK_ADDRESS_H_

#include <stdbool.h>
#include <stddef.h>

/* A path of AF_LOCAL is the longest. */
#define ADDRESS_SIZE 128

/*
 * address_text - a socket address in short: 127.0.0.1:80, [::1]:80, /path, @abstract
 * @p, @len: struct sockaddr of a record
 * @text: any bytes but a NUL
 *
 * Returns false when there is nothing to say of it: no name, or another family.
 */
bool address_text(const unsigned char *p, size_t len, bool linux_abi, char text[ADDRESS_SIZE]);

#endif /* _TRACK_ADDRESS_H_ */
