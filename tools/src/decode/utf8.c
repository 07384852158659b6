// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/utf8.h"

bool utf8_is_printable(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x80, 0x9f },	    { 0x61c, 0x61c },	  { 0x200b, 0x200b }, { 0x200e, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f },	  { 0xfdd0, 0xfdef }, { 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
	};
	unsigned int i;

	if (c < 0x80)
		return c >= ' ' && c < 0x7f;
	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return false;
	return (c & 0xfffe) != 0xfffe;
}

/*
 * The length that a first byte promises, 0 when it is none; and the bits of the character
 * that are in it.
 */
static size_t first_byte(unsigned char byte, uint32_t *bits)
{
	if (byte < 0x80) {
		*bits = byte;
		return 1;
	}
	if (byte >= 0xc2 && byte <= 0xdf) {
		*bits = byte & 0x1f;
		return 2;
	}
	if (byte >= 0xe0 && byte <= 0xef) {
		*bits = byte & 0x0f;
		return 3;
	}
	if (byte >= 0xf0 && byte <= 0xf4) {
		*bits = byte & 0x07;
		return 4;
	}
	return 0;
}

size_t utf8_decode(const unsigned char *p, size_t len, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t value;
	size_t size = first_byte(p[0], &value), i;

	if (size == 0 || size > len)
		return 0;
	for (i = 1; i < size; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3f);
	}
	if (value < least[size] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*c = value;
	return size;
}

size_t utf8_cut(const char *text, size_t len, size_t max)
{
	if (len <= max)
		return len;
	while (max && ((unsigned char)text[max] & 0xc0) == 0x80)
		max--;
	return max;
}
