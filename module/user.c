// SPDX-License-Identifier: GPL-2.0
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>

#include "user.h"

/**
 * struct ktrace_user - a uid that has sessions
 * @list: of all of them
 * @uid: const
 * @bytes: charged
 * @refs: sessions
 *
 * All under user_lock.  There are as many as there are users who trace: few.
 */
struct ktrace_user {
	struct list_head list;
	kuid_t uid;
	u64 bytes;
	unsigned int refs;
};

static LIST_HEAD(users);
static DEFINE_SPINLOCK(user_lock);

static struct ktrace_user *find_locked(kuid_t uid)
{
	struct ktrace_user *u;

	lockdep_assert_held(&user_lock);
	list_for_each_entry(u, &users, list)
		if (uid_eq(u->uid, uid))
			return u;
	return NULL;
}

/**
 * ktrace_user_payer - in whose name memory is taken
 * @cred: of who needs it
 *
 * In a user namespace, in the name of who made it (the outermost), whatever uids he has
 * there.  In one that root made, a container, each uid has its own.
 *
 * Context: any.
 */
kuid_t ktrace_user_payer(const struct cred *cred)
{
	const struct user_namespace *ns = cred->user_ns;

	if (ns == &init_user_ns)
		return cred->euid;
	while (ns->parent != &init_user_ns)
		ns = ns->parent;
	return uid_eq(ns->owner, GLOBAL_ROOT_UID) ? cred->euid : ns->owner;
}

/**
 * ktrace_user_charge - take memory in a uid's name
 * @uid: whose
 * @bytes: how much
 * @max: what the uid may have in all
 *
 * Context: may sleep.
 * Return: a reference, with @bytes charged to it; -ENOMEM when that would pass
 * @max, or without memory.
 */
struct ktrace_user *ktrace_user_charge(kuid_t uid, u64 bytes, u64 max)
{
	struct ktrace_user *fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	struct ktrace_user *u;

	if (!fresh)
		return ERR_PTR(-ENOMEM);
	fresh->uid = uid;
	spin_lock(&user_lock);
	u = find_locked(uid);
	if ((u ? u->bytes : 0) + bytes > max) {
		u = ERR_PTR(-ENOMEM);
	} else {
		if (!u) {
			u = fresh;
			list_add(&u->list, &users);
			fresh = NULL;
		}
		u->bytes += bytes;
		u->refs++;
	}
	spin_unlock(&user_lock);
	kfree(fresh);
	return u;
}

/** ktrace_user_charge_more - memory that a session must have: a CPU came online */
void ktrace_user_charge_more(struct ktrace_user *user, u64 bytes)
{
	spin_lock(&user_lock);
	user->bytes += bytes;
	spin_unlock(&user_lock);
}

/** ktrace_user_uncharge - give memory back */
void ktrace_user_uncharge(struct ktrace_user *user, u64 bytes)
{
	spin_lock(&user_lock);
	user->bytes -= bytes;
	spin_unlock(&user_lock);
}

/** ktrace_user_put - drop a reference, after all its memory is uncharged */
void ktrace_user_put(struct ktrace_user *user)
{
	bool last;

	spin_lock(&user_lock);
	last = !--user->refs;
	if (last)
		list_del(&user->list);
	spin_unlock(&user_lock);
	if (last)
		kfree(user);
}
