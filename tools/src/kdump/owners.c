// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Users and groups by name.  Names are asked for once: the answer may come from
 * another machine, and a trace has the same few owners many times.
 */
#include "owners.h"

#include <grp.h>
#include <pwd.h>
#include <string.h>

#include "decode/cache.h"
#include "options.h"

#define MAX_OWNERS 4096
#define MAX_NAME   64 /* useradd(8) allows 32; a longer one is a number */

struct owner {
	struct cache_entry entry;
	char name[MAX_NAME]; /* "": none */
};

static struct cache owners = CACHE(struct owner, MAX_OWNERS);

enum kind {
	KIND_USER,
	KIND_GROUP,
};

static const char *look_up(enum kind kind, uint32_t id)
{
	struct passwd *user = kind == KIND_USER ? getpwuid(id) : NULL;
	struct group *group = kind == KIND_GROUP ? getgrgid(id) : NULL;

	if (user)
		return user->pw_name;
	return group ? group->gr_name : NULL;
}

static const struct owner *get_owner(enum kind kind, uint32_t id)
{
	struct owner *owner = cache_find(&owners, kind, id);
	const char *name;

	if (owner)
		return owner;
	owner = cache_get(&owners, kind, id);
	name = look_up(kind, id);
	if (name && strlen(name) < sizeof(owner->name))
		strcpy(owner->name, name);
	return owner;
}

static const char *owner_name(enum kind kind, uint32_t id)
{
	const struct owner *owner = options.resolve ? get_owner(kind, id) : NULL;

	return owner && owner->name[0] ? owner->name : NULL;
}

const char *owners_user(uint32_t uid)
{
	return owner_name(KIND_USER, uid);
}

const char *owners_group(uint32_t gid)
{
	return owner_name(KIND_GROUP, gid);
}
