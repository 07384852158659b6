// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MAX_DEPTH 32

/* The character at @p, and its length; 0 if it is not UTF-8. */
static size_t decode(const unsigned char *p, size_t len, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = p[0] < 0x80     ? 1 :
		      p[0] >> 5 == 6  ? 2 :
		      p[0] >> 4 == 14 ? 3 :
		      p[0] >> 3 == 30 ? 4 :
					0;
	size_t i;

	if (size == 0 || size > len)
		return 0;
	*c = size == 1 ? p[0] : p[0] & (0x7f >> size);
	for (i = 1; i < size; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	return *c < least[size] || *c > 0x10ffff || *c >> 11 == 0x1b ? 0 : size;
}

static bool is_forbidden(uint32_t c)
{
	if (c < 0x20)
		return c != '\t' && c != '\n';
	return (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200b || c == 0x200e ||
	       c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
	       (c >= 0xfdd0 && c <= 0xfdef) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c & 0xfffe) == 0xfffe || (c >= 0xe0000 && c <= 0xe007f);
}

const char *check_text(const char *p, size_t len, size_t *at)
{
	size_t size;
	uint32_t c;

	for (*at = 0; *at < len; *at += size) {
		size = decode((const unsigned char *)p + *at, len - *at, &c);
		if (size == 0)
			return "not UTF-8";
		if (is_forbidden(c))
			return "a control character";
	}
	return len && p[len - 1] != '\n' ? "the last line does not end" : NULL;
}

struct json {
	const char *p;
	size_t at;
	size_t len;
	const char *problem;
};

static int peek(const struct json *j)
{
	return j->at < j->len ? (unsigned char)j->p[j->at] : -1;
}

static bool fail(struct json *j, const char *problem)
{
	j->problem = problem;
	return false;
}

static void skip_space(struct json *j)
{
	while (peek(j) == ' ' || peek(j) == '\t' || peek(j) == '\n' || peek(j) == '\r')
		j->at++;
}

static bool accept(struct json *j, char c)
{
	if (peek(j) != c)
		return false;
	j->at++;
	return true;
}

static bool escape(struct json *j)
{
	int i, c = peek(j);

	j->at++;
	if (c != 'u')
		return c > 0 && strchr("\"\\/bfnrt", c) ? true : fail(j, "a bad escape");
	for (i = 0; i < 4; i++, j->at++)
		if (peek(j) <= 0 || !strchr("0123456789abcdefABCDEF", peek(j)))
			return fail(j, "a bad \\u escape");
	return true;
}

static bool string(struct json *j)
{
	if (!accept(j, '"'))
		return fail(j, "a string is missing");
	while (!accept(j, '"')) {
		if (peek(j) < 0x20)
			return fail(j, "a string with a control character, or without an end");
		if (accept(j, '\\')) {
			if (!escape(j))
				return false;
		} else {
			j->at++;
		}
	}
	return true;
}

static bool digits(struct json *j)
{
	if (peek(j) < '0' || peek(j) > '9')
		return fail(j, "a bad number");
	while (peek(j) >= '0' && peek(j) <= '9')
		j->at++;
	return true;
}

static bool number(struct json *j)
{
	accept(j, '-');
	if (!accept(j, '0') && !digits(j))
		return false;
	if (peek(j) >= '0' && peek(j) <= '9')
		return fail(j, "a number with leading zeros");
	if (accept(j, '.') && !digits(j))
		return false;
	if (accept(j, 'e') || accept(j, 'E')) {
		if (!accept(j, '+'))
			accept(j, '-');
		return digits(j);
	}
	return true;
}

static bool word(struct json *j, const char *text)
{
	if (j->len - j->at < strlen(text) || memcmp(j->p + j->at, text, strlen(text)) != 0)
		return fail(j, "no JSON value");
	j->at += strlen(text);
	return true;
}

static bool value(struct json *j, int depth);

static bool members(struct json *j, char end, int depth)
{
	j->at++;
	skip_space(j);
	if (accept(j, end))
		return true;
	do {
		skip_space(j);
		if (end == '}') {
			if (!string(j))
				return false;
			skip_space(j);
			if (!accept(j, ':'))
				return fail(j, "no colon");
		}
		if (!value(j, depth + 1))
			return false;
	} while (accept(j, ','));
	return accept(j, end) ? true : fail(j, "an array or object does not end");
}

static bool value(struct json *j, int depth)
{
	bool good;

	if (depth > MAX_DEPTH)
		return fail(j, "too deep");
	skip_space(j);
	switch (peek(j)) {
	case '{':
		good = members(j, '}', depth);
		break;
	case '[':
		good = members(j, ']', depth);
		break;
	case '"':
		good = string(j);
		break;
	case 't':
		good = word(j, "true");
		break;
	case 'f':
		good = word(j, "false");
		break;
	case 'n':
		good = word(j, "null");
		break;
	default:
		good = number(j);
	}
	skip_space(j);
	return good;
}

const char *check_json(const char *p, size_t len, size_t *at)
{
	struct json j = { .p = p, .len = len };

	if (value(&j, 0) && j.at != len)
		fail(&j, "more than one value");
	*at = j.at;
	return j.problem;
}

const char *check_json_lines(const char *p, size_t len, size_t *at)
{
	size_t start = 0;

	while (start < len) {
		const char *end = memchr(p + start, '\n', len - start);
		size_t size = end ? (size_t)(end - p) - start : len - start;
		const char *problem = check_json(p + start, size, at);

		*at += start;
		if (problem)
			return problem;
		if (p[start] != '{')
			return "a line that is no object";
		start += size + 1;
	}
	return NULL;
}
