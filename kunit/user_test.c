// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_user: how much memory a uid has, that it gets no more, and who pays.
 */
#include <kunit/test.h>

/* Its "user.h" is found beside it; UML has one of its own. */
#include "user.c"

/* Up to the limit and not a byte more, however many sessions; other uids have their own. */
static void limit(struct kunit *test)
{
	kuid_t a = KUIDT_INIT(1000), b = KUIDT_INIT(1001);
	struct ktrace_user *first, *second, *other;

	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(a, 101, 100), ERR_PTR(-ENOMEM));
	KUNIT_EXPECT_TRUE(test, list_empty(&users));
	first = ktrace_user_charge(a, 60, 100);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, first);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(a, 41, 100), ERR_PTR(-ENOMEM));
	second = ktrace_user_charge(a, 40, 100);
	KUNIT_EXPECT_PTR_EQ(test, second, first);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(a, 1, 100), ERR_PTR(-ENOMEM));
	other = ktrace_user_charge(b, 100, 100);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	KUNIT_EXPECT_PTR_NE(test, other, first);

	/* What a session gave back can be had again. */
	ktrace_user_uncharge(first, 60);
	ktrace_user_put(first);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(a, 61, 100), ERR_PTR(-ENOMEM));
	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(a, 60, 100), second);
	/* A lower limit takes nothing away, and gives nothing. */
	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(a, 0, 50), ERR_PTR(-ENOMEM));
	/* A CPU that came online passes it. */
	ktrace_user_charge_more(second, 1000);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(a, 1, 1100), ERR_PTR(-ENOMEM));
	ktrace_user_uncharge(second, 1100);
	ktrace_user_put(second);
	ktrace_user_put(second);
	ktrace_user_uncharge(other, 100);
	ktrace_user_put(other);
	KUNIT_EXPECT_TRUE(test, list_empty(&users));
}

/* The sum does not wrap around. */
static void huge(struct kunit *test)
{
	kuid_t uid = KUIDT_INIT(0);
	struct ktrace_user *u = ktrace_user_charge(uid, 1ULL << 62, ULONG_MAX);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, u);
	KUNIT_EXPECT_PTR_EQ(test, ktrace_user_charge(uid, 1ULL << 62, 1ULL << 62),
			    ERR_PTR(-ENOMEM));
	ktrace_user_uncharge(u, 1ULL << 62);
	ktrace_user_put(u);
	KUNIT_EXPECT_TRUE(test, list_empty(&users));
}

/* Root of a namespace of his own has no more than outside it; who is in a container, his own. */
static void payer(struct kunit *test)
{
	struct user_namespace *own = kunit_kzalloc(test, sizeof(*own), GFP_KERNEL);
	struct user_namespace *inner = kunit_kzalloc(test, sizeof(*inner), GFP_KERNEL);
	struct cred *cred = kunit_kzalloc(test, sizeof(*cred), GFP_KERNEL);

	KUNIT_ASSERT_TRUE(test, own && inner && cred);
	own->parent = &init_user_ns;
	inner->parent = own;
	inner->owner = KUIDT_INIT(100005);
	cred->euid = KUIDT_INIT(100007);
	cred->user_ns = &init_user_ns;
	KUNIT_EXPECT_EQ(test, __kuid_val(ktrace_user_payer(cred)), 100007);
	own->owner = KUIDT_INIT(1000);
	cred->user_ns = own;
	KUNIT_EXPECT_EQ(test, __kuid_val(ktrace_user_payer(cred)), 1000);
	cred->user_ns = inner;
	KUNIT_EXPECT_EQ(test, __kuid_val(ktrace_user_payer(cred)), 1000);
	own->owner = GLOBAL_ROOT_UID;
	KUNIT_EXPECT_EQ(test, __kuid_val(ktrace_user_payer(cred)), 100007);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(limit),
	KUNIT_CASE(huge),
	KUNIT_CASE(payer),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_user",
	.test_cases = cases,
};

kunit_test_suite(suite);
