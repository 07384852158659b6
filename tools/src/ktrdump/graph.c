// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "graph.h"

#include <string.h>

/* What is left to read. */
struct rest {
	const char *p;
	size_t len;
};

static void skip(struct rest *rest, size_t len)
{
	rest->p += len;
	rest->len -= len;
}

static bool take(struct rest *rest, const char *text)
{
	size_t len = strlen(text);

	if (rest->len < len || memcmp(rest->p, text, len) != 0)
		return false;
	skip(rest, len);
	return true;
}

/* Up to @end, which is skipped; it has to have a character at least if @is_needed. */
static bool take_until(struct rest *rest, char end, bool is_needed, struct bytes *taken)
{
	const char *found = memchr(rest->p, end, rest->len);

	if (!found || (is_needed && found == rest->p))
		return false;
	*taken = (struct bytes){ rest->p, found - rest->p };
	skip(rest, taken->len + 1);
	return true;
}

static bool take_quoted(struct rest *rest, struct bytes *taken)
{
	return take(rest, "\"") && take_until(rest, '"', false, taken);
}

static bool take_value(struct rest *rest, struct bytes *value)
{
	struct rest before = *rest;

	if (take_quoted(rest, value) && take(rest, ", "))
		return true;
	*rest = before;
	return take_until(rest, ',', true, value) && take(rest, " ");
}

static bool find_type(const struct bytes *name, enum graph_type *type)
{
	static const char *const names[] = {
		[GRAPH_STATE] = "state", [GRAPH_COUNTER] = "counter", [GRAPH_POINT] = "point",
		[GRAPH_START] = "start", [GRAPH_STOP] = "stop",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (name->len == strlen(names[i]) && memcmp(name->p, names[i], name->len) == 0) {
			*type = i;
			return true;
		}
	}
	return false;
}

bool graph_parse(const char *text, size_t len, struct graph_text *graph)
{
	struct rest rest = { text, len };
	struct bytes type;

	if (!take(&rest, "KTRGRAPH group:") || !take_quoted(&rest, &graph->group) ||
	    !take(&rest, ", id:") || !take_quoted(&rest, &graph->id) || !take(&rest, ", "))
		return false;
	if (!take_until(&rest, ':', true, &type) || !find_type(&type, &graph->type))
		return false;
	if (!take_value(&rest, &graph->value) || !take(&rest, "attributes: "))
		return false;
	graph->attributes = (struct bytes){ rest.p, rest.len };
	return true;
}
