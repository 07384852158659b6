/* SPDX-License-Identifier: GPL-2.0 */
/* user: how much ring memory each uid has. */
#ifndef KTRACE_USER_H
#define KTRACE_USER_H

#include <linux/uidgid.h>

struct cred;
struct ktrace_user;

kuid_t ktrace_user_payer(const struct cred *cred);
struct ktrace_user *ktrace_user_charge(kuid_t uid, u64 bytes, u64 max);
void ktrace_user_charge_more(struct ktrace_user *user, u64 bytes);
void ktrace_user_uncharge(struct ktrace_user *user, u64 bytes);
void ktrace_user_put(struct ktrace_user *user);

#endif /* KTRACE_USER_H */
