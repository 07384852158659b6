// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_rules: what ktrace(2) accepts, and who may do what to whom.
 * The tables are the rules in words; after each, every combination of facts is
 * held to the sentences that the manual page makes about them.
 */
#include <linux/errno.h>
#include <kunit/test.h>

#include "rules.h"
#include "sys/ktrace.h"

#include "rules.c"

static void request(struct kunit *test)
{
	static const struct {
		const char *what;
		s32 ops, points;
		int ret;
		struct ktrace_request req;
	} cases[] = {
		{ "set",
		  KTROP_SET,
		  KTRFAC_SYSCALL | KTRFAC_SYSRET,
		  0,
		  { .op = KTROP_SET, .points = KTRFAC_SYSCALL | KTRFAC_SYSRET } },
		{ "set, descend, v1, inherit",
		  KTROP_SET | KTRFLAG_DESCEND | KTRFLAG_LINUX_V1,
		  KTRFAC_GENIO | KTRFAC_INHERIT,
		  0,
		  { .op = KTROP_SET,
		    .descend = true,
		    .v1 = true,
		    .inherit = true,
		    .points = KTRFAC_GENIO } },
		{ "clear",
		  KTROP_CLEAR,
		  KTRFAC_MASK,
		  0,
		  { .op = KTROP_CLEAR,
		    .points = KTRFAC_MASK & ~(KTRFAC_PROCCTOR | KTRFAC_PROCDTOR) } },
		{ "clear, descend",
		  KTROP_CLEAR | KTRFLAG_DESCEND,
		  KTRFAC_PSIG,
		  0,
		  { .op = KTROP_CLEAR, .descend = true, .points = KTRFAC_PSIG } },
		{ "clearfile without points", KTROP_CLEARFILE, 0, 0, { .op = KTROP_CLEARFILE } },
		{ "a point that nothing records yet",
		  KTROP_SET,
		  1 << 23,
		  0,
		  { .op = KTROP_SET, .points = 1 << 23 } },
		{ "bit 0", KTROP_SET, 1, 0, { .op = KTROP_SET, .points = 1 } },
		{ "points of a process's life are not asked for",
		  KTROP_SET,
		  KTRFAC_PROCCTOR | KTRFAC_PROCDTOR | KTRFAC_NAMEI,
		  0,
		  { .op = KTROP_SET, .points = KTRFAC_NAMEI } },
		{ "ROOT and DROP are ignored",
		  KTROP_SET,
		  (s32)KTRFAC_ROOT | KTRFAC_DROP | KTRFAC_USER,
		  0,
		  { .op = KTROP_SET, .points = KTRFAC_USER } },
		{ "all bits",
		  KTROP_SET,
		  -1,
		  0,
		  { .op = KTROP_SET,
		    .inherit = true,
		    .points = KTRFAC_MASK & ~(KTRFAC_PROCCTOR | KTRFAC_PROCDTOR) } },
		{ "operation 3", 3, KTRFAC_SYSCALL, -EINVAL, {} },
		{ "operation 3, descend", 3 | KTRFLAG_DESCEND, KTRFAC_SYSCALL, -EINVAL, {} },
		{ "flag 8", KTROP_SET | 8, KTRFAC_SYSCALL, -EINVAL, {} },
		{ "flag 0x200", KTROP_CLEAR | 0x200, KTRFAC_SYSCALL, -EINVAL, {} },
		{ "operation -1", -1, KTRFAC_SYSCALL, -EINVAL, {} },
		{ "operation INT_MIN", INT_MIN, KTRFAC_SYSCALL, -EINVAL, {} },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct ktrace_request *want = &cases[i].req;
		struct ktrace_request got;

		memset(&got, 0xff, sizeof(got));
		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_request(cases[i].ops, cases[i].points, &got),
				    cases[i].ret, "%s", cases[i].what);
		if (cases[i].ret)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, got.op, want->op, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.descend, want->descend, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.v1, want->v1, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.inherit, want->inherit, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.points, want->points, "%s", cases[i].what);
	}
}

/* Of all 32 bits of ops only six values of four bits are known. */
static void request_every_op(struct kunit *test)
{
	struct ktrace_request req;
	u32 ok = 0;
	s32 ops;
	int bit;

	for (ops = 0; ops < 0x1000; ops++) {
		bool known = !(ops & ~0x107) && (ops & 3) != 3;

		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_request(ops, KTRFAC_USER, &req),
				    known ? 0 : -EINVAL, "ops %#x", ops);
		ok += known;
	}
	KUNIT_EXPECT_EQ(test, ok, 3U * 4);
	for (bit = 0; bit < 32; bit++)
		if (!(0x107 & 1U << bit))
			KUNIT_EXPECT_EQ_MSG(
				test, ktrace_rules_request((s32)(1U << bit), KTRFAC_USER, &req),
				-EINVAL, "bit %d", bit);
}

/* No points is EINVAL, except for CLEARFILE; KTRFAC_ROOT and KTRFAC_DROP are none. */
static void points(struct kunit *test)
{
	static const struct {
		const char *what;
		s32 points;
		int ret;
	} cases[] = {
		{ "none", 0, -EINVAL },
		{ "ROOT", (s32)KTRFAC_ROOT, -EINVAL },
		{ "DROP", KTRFAC_DROP, -EINVAL },
		{ "ROOT, DROP", (s32)KTRFAC_ROOT | KTRFAC_DROP, -EINVAL },
		{ "INHERIT", KTRFAC_INHERIT, 0 },
		{ "INHERIT, ROOT", (s32)KTRFAC_ROOT | KTRFAC_INHERIT, 0 },
		{ "SYSCALL", KTRFAC_SYSCALL, 0 },
		{ "bit 0", 1, 0 },
		{ "bit 23", 1 << 23, 0 },
		{ "PROCCTOR", KTRFAC_PROCCTOR, 0 },
		{ "all", -1, 0 },
	};
	static const int ops[] = { KTROP_SET, KTROP_CLEAR, KTROP_CLEARFILE };
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (j = 0; j < ARRAY_SIZE(ops); j++) {
			struct ktrace_request req;
			int want = ops[j] == KTROP_CLEARFILE ? 0 : cases[i].ret;

			KUNIT_ASSERT_EQ(test, ktrace_rules_request(ops[j], cases[i].points, &req),
					0);
			KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_points(&req, cases[i].points), want,
					    "%s, operation %d", cases[i].what, ops[j]);
		}
	}
}

/* CLEAR takes what it names; when no point is left that anybody set, all goes. */
static void cleared(struct kunit *test)
{
	enum { LIFE = KTRFAC_PROCCTOR | KTRFAC_PROCDTOR };
	static const struct {
		const char *what;
		u32 have;
		s32 clear;
		u32 left;
	} cases[] = {
		{ "one of two", KTRFAC_SYSCALL | KTRFAC_NAMEI | LIFE, KTRFAC_SYSCALL,
		  KTRFAC_NAMEI | LIFE },
		{ "the last", KTRFAC_NAMEI | LIFE, KTRFAC_NAMEI, 0 },
		{ "the last; INHERIT traces nothing", KTRFAC_NAMEI | LIFE | KTRFAC_INHERIT,
		  KTRFAC_NAMEI, 0 },
		{ "INHERIT only", KTRFAC_NAMEI | LIFE | KTRFAC_INHERIT, KTRFAC_INHERIT,
		  KTRFAC_NAMEI | LIFE },
		{ "INHERIT stays", KTRFAC_NAMEI | KTRFAC_USER | LIFE | KTRFAC_INHERIT, KTRFAC_NAMEI,
		  KTRFAC_USER | LIFE | KTRFAC_INHERIT },
		{ "INHERIT and one", KTRFAC_NAMEI | KTRFAC_USER | LIFE | KTRFAC_INHERIT,
		  KTRFAC_NAMEI | KTRFAC_INHERIT, KTRFAC_USER | LIFE },
		{ "what was not set", KTRFAC_USER | LIFE, KTRFAC_GENIO, KTRFAC_USER | LIFE },
		{ "PROCCTOR and PROCDTOR stay", KTRFAC_USER | LIFE, LIFE, KTRFAC_USER | LIFE },
		{ "everything", KTRFAC_MASK | KTRFAC_INHERIT, KTRFAC_MASK, 0 },
		{ "every bit", KTRFAC_MASK | KTRFAC_INHERIT, -1, 0 },
		{ "ROOT names nothing", KTRFAC_USER | LIFE, (s32)KTRFAC_ROOT | KTRFAC_GENIO,
		  KTRFAC_USER | LIFE },
	};
	u32 i;
	int bit;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ktrace_request req;

		KUNIT_ASSERT_EQ(test, ktrace_rules_request(KTROP_CLEAR, cases[i].clear, &req), 0);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_cleared(cases[i].have, &req), cases[i].left,
				    "%s", cases[i].what);
	}
	/* Each point alone keeps a trace alive, and is the last one of it. */
	for (bit = 0; bit < 24; bit++) {
		struct ktrace_request req;
		u32 point = 1U << bit;

		if (point & LIFE)
			continue;
		ktrace_rules_request(KTROP_CLEAR, point, &req);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_cleared(point | LIFE, &req), 0U, "bit %d",
				    bit);
		ktrace_rules_request(KTROP_CLEAR, KTRFAC_MASK & ~point, &req);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_cleared(KTRFAC_MASK, &req), point | LIFE,
				    "bit %d", bit);
	}
}

enum { KTHREAD = 1, SELF = 2, TRACED = 4, BY_ROOT = 8, BY_CALLER = 16, CALLER_ROOT = 32 };

static struct ktrace_target_facts facts(u32 bits)
{
	struct ktrace_target_facts f = {
		.kthread = bits & KTHREAD,
		.self = bits & SELF,
		.traced = bits & TRACED,
		.by_root = bits & BY_ROOT,
		.by_caller = bits & BY_CALLER,
		.caller_root = bits & CALLER_ROOT,
	};

	return f;
}

/* Facts that can hold together. */
static bool possible(u32 bits)
{
	if (bits & (BY_ROOT | BY_CALLER) && !(bits & TRACED))
		return false;
	return !(bits & KTHREAD && bits & (SELF | TRACED));
}

static const char *const verdicts[] = { "no", "yes", "ask" };

static void access(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 bits;
		enum ktrace_verdict set, clear;
	} cases[] = {
		{ "a user, another process", 0, KTRACE_ASK, KTRACE_ASK },
		{ "a user, himself", SELF, KTRACE_YES, KTRACE_YES },
		{ "a user, what he traces", TRACED | BY_CALLER, KTRACE_ASK, KTRACE_YES },
		{ "a user, what another user traces", TRACED, KTRACE_ASK, KTRACE_ASK },
		{ "a user, what root traces", TRACED | BY_ROOT, KTRACE_NO, KTRACE_NO },
		{ "a user, what he set as root once", TRACED | BY_ROOT | BY_CALLER, KTRACE_NO,
		  KTRACE_NO },
		{ "a user, himself, traced by himself", SELF | TRACED | BY_CALLER, KTRACE_YES,
		  KTRACE_YES },
		{ "a user, himself, traced by another user", SELF | TRACED, KTRACE_YES,
		  KTRACE_YES },
		{ "a user, himself, traced by root", SELF | TRACED | BY_ROOT, KTRACE_NO,
		  KTRACE_NO },
		{ "a user, a kernel thread", KTHREAD, KTRACE_NO, KTRACE_NO },
		{ "root, another process", CALLER_ROOT, KTRACE_ASK, KTRACE_ASK },
		{ "root, himself", CALLER_ROOT | SELF, KTRACE_YES, KTRACE_YES },
		{ "root, what root traces", CALLER_ROOT | TRACED | BY_ROOT, KTRACE_ASK,
		  KTRACE_YES },
		{ "root, what a user traces", CALLER_ROOT | TRACED, KTRACE_ASK, KTRACE_YES },
		{ "root, himself, traced by root", CALLER_ROOT | SELF | TRACED | BY_ROOT,
		  KTRACE_YES, KTRACE_YES },
		{ "root, a kernel thread", CALLER_ROOT | KTHREAD, KTRACE_NO, KTRACE_NO },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ktrace_target_facts f = facts(cases[i].bits);

		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_may_set(&f), cases[i].set, "%s: set: %s",
				    cases[i].what, verdicts[ktrace_rules_may_set(&f)]);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_may_clear(&f), cases[i].clear,
				    "%s: clear: %s", cases[i].what,
				    verdicts[ktrace_rules_may_clear(&f)]);
	}
}

static void access_all(struct kunit *test)
{
	u32 bits, seen = 0;

	for (bits = 0; bits < 64; bits++) {
		struct ktrace_target_facts f = facts(bits);
		enum ktrace_verdict set = ktrace_rules_may_set(&f);
		enum ktrace_verdict clear = ktrace_rules_may_clear(&f);

		if (!possible(bits))
			continue;
		seen++;
		/* Never a kernel thread. */
		if (bits & KTHREAD) {
			KUNIT_EXPECT_EQ_MSG(test, set, KTRACE_NO, "facts %#x", bits);
			KUNIT_EXPECT_EQ_MSG(test, clear, KTRACE_NO, "facts %#x", bits);
			continue;
		}
		/* What root set, only root changes; nothing else is refused outright. */
		if (bits & BY_ROOT && !(bits & CALLER_ROOT)) {
			KUNIT_EXPECT_EQ_MSG(test, set, KTRACE_NO, "facts %#x", bits);
			KUNIT_EXPECT_EQ_MSG(test, clear, KTRACE_NO, "facts %#x", bits);
			continue;
		}
		KUNIT_EXPECT_NE_MSG(test, set, KTRACE_NO, "facts %#x", bits);
		KUNIT_EXPECT_NE_MSG(test, clear, KTRACE_NO, "facts %#x", bits);
		/* One's own process always; any other only as the kernel says. */
		KUNIT_EXPECT_EQ_MSG(test, set, bits & SELF ? KTRACE_YES : KTRACE_ASK, "facts %#x",
				    bits);
		/* The one who set it, and root, need not ask to end it. */
		if (bits & (SELF | BY_CALLER) || (bits & TRACED && bits & CALLER_ROOT))
			KUNIT_EXPECT_EQ_MSG(test, clear, KTRACE_YES, "facts %#x", bits);
		else
			KUNIT_EXPECT_EQ_MSG(test, clear, KTRACE_ASK, "facts %#x", bits);
	}
	KUNIT_EXPECT_EQ(test, seen, 22U);
}

enum { SECUREEXEC = 1, DUMPABLE = 2, SAME_IDS = 4, CAPS_SUBSET = 8, TRACER_ROOT = 16 };

static void exec(struct kunit *test)
{
	static const struct {
		const char *what;
		u32 bits;
		bool goes_on;
	} cases[] = {
		{ "a plain program", DUMPABLE | SAME_IDS | CAPS_SUBSET, true },
		{ "set-user-ID", SECUREEXEC | CAPS_SUBSET, false },
		{ "set-user-ID to the tracer himself",
		  SECUREEXEC | DUMPABLE | SAME_IDS | CAPS_SUBSET, false },
		{ "a program that its user cannot read", SAME_IDS | CAPS_SUBSET, false },
		{ "the process changed its ids before", DUMPABLE | CAPS_SUBSET, false },
		{ "file capabilities", DUMPABLE | SAME_IDS, false },
		{ "root traces anything", SECUREEXEC | TRACER_ROOT, true },
		{ "root traces a plain program", DUMPABLE | SAME_IDS | CAPS_SUBSET | TRACER_ROOT,
		  true },
	};
	u32 i, going = 0;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct ktrace_exec_facts f = {
			.secureexec = cases[i].bits & SECUREEXEC,
			.dumpable = cases[i].bits & DUMPABLE,
			.same_ids = cases[i].bits & SAME_IDS,
			.caps_subset = cases[i].bits & CAPS_SUBSET,
			.tracer_root = cases[i].bits & TRACER_ROOT,
		};

		KUNIT_EXPECT_EQ_MSG(test, ktrace_rules_exec_goes_on(&f), cases[i].goes_on, "%s",
				    cases[i].what);
	}
	/* Without CAP_SYS_PTRACE there is one way to go on. */
	for (i = 0; i < 32; i++) {
		struct ktrace_exec_facts f = {
			.secureexec = i & SECUREEXEC,
			.dumpable = i & DUMPABLE,
			.same_ids = i & SAME_IDS,
			.caps_subset = i & CAPS_SUBSET,
			.tracer_root = i & TRACER_ROOT,
		};
		bool goes_on = ktrace_rules_exec_goes_on(&f);

		if (i & TRACER_ROOT)
			KUNIT_EXPECT_TRUE_MSG(test, goes_on, "facts %#x", i);
		else
			going += goes_on;
	}
	KUNIT_EXPECT_EQ(test, going, 1U);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(request),
	KUNIT_CASE(request_every_op),
	KUNIT_CASE(points),
	KUNIT_CASE(cleared),
	KUNIT_CASE(access),
	KUNIT_CASE(access_all),
	KUNIT_CASE(exec),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_rules",
	.test_cases = cases,
};

kunit_test_suite(suite);
