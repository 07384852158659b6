// SPDX-License-Identifier: GPL-2.0
/*
 * Suite ktrace_numbers: errnos, signals and signal codes, from Linux to the
 * file and back.  The left sides below are the names of the kernel's own
 * headers and the right sides FreeBSD's numbers written out, so that the
 * generated tables are compared with neither their generator nor its data.
 */
#include <linux/errno.h>
#include <linux/signal.h>
#include <kunit/test.h>

#include "ktrace_numbers.h"

#define LAST_ERRNO 4095 /* MAX_ERRNO */

/* Every errno that both have, as FreeBSD's <sys/errno.h> numbers them. */
static const struct {
	int linux_errno;
	int file;
} common_errnos[] = {
	{ EPERM, 1 },
	{ ENOENT, 2 },
	{ ESRCH, 3 },
	{ EINTR, 4 },
	{ EIO, 5 },
	{ ENXIO, 6 },
	{ E2BIG, 7 },
	{ ENOEXEC, 8 },
	{ EBADF, 9 },
	{ ECHILD, 10 },
	{ EDEADLK, 11 },
	{ ENOMEM, 12 },
	{ EACCES, 13 },
	{ EFAULT, 14 },
	{ ENOTBLK, 15 },
	{ EBUSY, 16 },
	{ EEXIST, 17 },
	{ EXDEV, 18 },
	{ ENODEV, 19 },
	{ ENOTDIR, 20 },
	{ EISDIR, 21 },
	{ EINVAL, 22 },
	{ ENFILE, 23 },
	{ EMFILE, 24 },
	{ ENOTTY, 25 },
	{ ETXTBSY, 26 },
	{ EFBIG, 27 },
	{ ENOSPC, 28 },
	{ ESPIPE, 29 },
	{ EROFS, 30 },
	{ EMLINK, 31 },
	{ EPIPE, 32 },
	{ EDOM, 33 },
	{ ERANGE, 34 },
	{ EAGAIN, 35 },
	{ EINPROGRESS, 36 },
	{ EALREADY, 37 },
	{ ENOTSOCK, 38 },
	{ EDESTADDRREQ, 39 },
	{ EMSGSIZE, 40 },
	{ EPROTOTYPE, 41 },
	{ ENOPROTOOPT, 42 },
	{ EPROTONOSUPPORT, 43 },
	{ ESOCKTNOSUPPORT, 44 },
	{ EOPNOTSUPP, 45 },
	{ EPFNOSUPPORT, 46 },
	{ EAFNOSUPPORT, 47 },
	{ EADDRINUSE, 48 },
	{ EADDRNOTAVAIL, 49 },
	{ ENETDOWN, 50 },
	{ ENETUNREACH, 51 },
	{ ENETRESET, 52 },
	{ ECONNABORTED, 53 },
	{ ECONNRESET, 54 },
	{ ENOBUFS, 55 },
	{ EISCONN, 56 },
	{ ENOTCONN, 57 },
	{ ESHUTDOWN, 58 },
	{ ETOOMANYREFS, 59 },
	{ ETIMEDOUT, 60 },
	{ ECONNREFUSED, 61 },
	{ ELOOP, 62 },
	{ ENAMETOOLONG, 63 },
	{ EHOSTDOWN, 64 },
	{ EHOSTUNREACH, 65 },
	{ ENOTEMPTY, 66 },
	{ EUSERS, 68 },
	{ EDQUOT, 69 },
	{ ESTALE, 70 },
	{ EREMOTE, 71 },
	{ ENOLCK, 77 },
	{ ENOSYS, 78 },
	{ EIDRM, 82 },
	{ ENOMSG, 83 },
	{ EOVERFLOW, 84 },
	{ ECANCELED, 85 },
	{ EILSEQ, 86 },
	{ ENODATA, 87 },
	{ EBADMSG, 89 },
	{ EMULTIHOP, 90 },
	{ ENOLINK, 91 },
	{ EPROTO, 92 },
	{ ENOTRECOVERABLE, 95 },
	{ EOWNERDEAD, 96 },
	{ EUCLEAN, 97 },
};

/* Every one that Linux has alone: 1000 + its number. */
static const int linux_errnos[] = {
	ECHRNG,	     EL2NSYNC,	   EL3HLT,    EL3RST,	 ELNRNG,      EUNATCH,	ENOCSI,
	EL2HLT,	     EBADE,	   EBADR,     EXFULL,	 ENOANO,      EBADRQC,	EBADSLT,
	EBFONT,	     ENOSTR,	   ETIME,     ENOSR,	 ENONET,      ENOPKG,	EADV,
	ESRMNT,	     ECOMM,	   EDOTDOT,   ENOTUNIQ,	 EBADFD,      EREMCHG,	ELIBACC,
	ELIBBAD,     ELIBSCN,	   ELIBMAX,   ELIBEXEC,	 ERESTART,    ESTRPIPE, ENOTNAM,
	ENAVAIL,     EISNAM,	   EREMOTEIO, ENOMEDIUM, EMEDIUMTYPE, ENOKEY,	EKEYEXPIRED,
	EKEYREVOKED, EKEYREJECTED, ERFKILL,   EHWPOISON,
};

/* FreeBSD's own, which no Linux process can get. */
static const int freebsd_errnos[] = {
	67 /* EPROCLIM */,	72 /* EBADRPC */,      73 /* ERPCMISMATCH */, 74 /* EPROGUNAVAIL */,
	75 /* EPROGMISMATCH */, 76 /* EPROCUNAVAIL */, 79 /* EFTYPE */,	      80 /* EAUTH */,
	81 /* ENEEDAUTH */,	88 /* EDOOFUS */,      93 /* ENOTCAPABLE */,  94 /* ECAPMODE */,
};

static void errno_common(struct kunit *test)
{
	u32 i;

	KUNIT_EXPECT_EQ(test, ktrace_file_errno(0), 0);
	for (i = 0; i < ARRAY_SIZE(common_errnos); i++) {
		int e = common_errnos[i].linux_errno;

		KUNIT_EXPECT_EQ_MSG(test, ktrace_file_errno(e), common_errnos[i].file, "Linux %d",
				    e);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_errno(common_errnos[i].file), e,
				    "FreeBSD %d", common_errnos[i].file);
	}
}

static void errno_linux(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(linux_errnos); i++) {
		int e = linux_errnos[i];

		KUNIT_EXPECT_EQ_MSG(test, ktrace_file_errno(e), 1000 + e, "Linux %d", e);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_errno(1000 + e), e, "file %d", 1000 + e);
	}
	/* With those of both, and the two numbers that were never used, that is all of them. */
	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(linux_errnos) + ARRAY_SIZE(common_errnos) + 2,
			(size_t)EHWPOISON);
	KUNIT_EXPECT_EQ(test, KTRACE_LINUX_ERRNO_MAX, EHWPOISON);
}

static void errno_freebsd(struct kunit *test)
{
	int e;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(freebsd_errnos); i++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_errno(freebsd_errnos[i]), 0, "FreeBSD %d",
				    freebsd_errnos[i]);
	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(freebsd_errnos) + ARRAY_SIZE(common_errnos), (size_t)97);
	/* Numbers of nobody, ERESTART and EJUSTRETURN among them. */
	for (e = -300; e <= 0; e++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_errno(e), 0, "%d", e);
	for (e = 98; e < 1000; e++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_errno(e), 0, "%d", e);
	KUNIT_EXPECT_EQ(test, ktrace_linux_errno(INT_MIN), 0);
}

/* Every number the kernel can return goes there and back, and no two meet. */
static void errno_bijective(struct kunit *test)
{
	DECLARE_BITMAP(seen, 1000 + LAST_ERRNO + 1) = {};
	int e;

	for (e = 0; e <= LAST_ERRNO; e++) {
		int file = ktrace_file_errno(e);

		KUNIT_ASSERT_GE_MSG(test, file, e ? 1 : 0, "Linux %d", e);
		KUNIT_ASSERT_LE_MSG(test, file, 1000 + LAST_ERRNO, "Linux %d", e);
		KUNIT_EXPECT_FALSE_MSG(test, test_bit(file, seen), "Linux %d: %d is taken", e,
				       file);
		__set_bit(file, seen);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_errno(file), e, "file %d", file);
	}
}

static const struct {
	int linux_sig;
	int file;
} signals[] = {
	{ SIGHUP, 1 },	      { SIGINT, 2 },   { SIGQUIT, 3 },
	{ SIGILL, 4 },	      { SIGTRAP, 5 },  { SIGABRT, 6 },
	{ SIGFPE, 8 },	      { SIGKILL, 9 },  { SIGBUS, 10 },
	{ SIGSEGV, 11 },      { SIGSYS, 12 },  { SIGPIPE, 13 },
	{ SIGALRM, 14 },      { SIGTERM, 15 }, { SIGURG, 16 },
	{ SIGSTOP, 17 },      { SIGTSTP, 18 }, { SIGCONT, 19 },
	{ SIGCHLD, 20 },      { SIGTTIN, 21 }, { SIGTTOU, 22 },
	{ SIGIO, 23 },	      { SIGXCPU, 24 }, { SIGXFSZ, 25 },
	{ SIGVTALRM, 26 },    { SIGPROF, 27 }, { SIGWINCH, 28 },
	{ SIGUSR1, 30 },      { SIGUSR2, 31 }, { SIGSTKFLT, 256 + 16 },
	{ SIGPWR, 256 + 30 }, { 32, 65 },      { 33, 66 },
	{ 34, 67 },	      { 48, 81 },      { 63, 96 },
	{ 64, 97 },
};

static void signal_spots(struct kunit *test)
{
	int sig;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		int linux_sig = signals[i].linux_sig;

		KUNIT_EXPECT_EQ_MSG(test, ktrace_file_signal(linux_sig), signals[i].file,
				    "Linux %d", linux_sig);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_signal(signals[i].file), linux_sig,
				    "file %d", signals[i].file);
	}
	for (sig = 32; sig <= 64; sig++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_file_signal(sig), sig + 33, "Linux %d", sig);
	/* SIGEMT, SIGINFO, SIGTHR, SIGLIBRT, and FreeBSD's last real-time signals. */
	KUNIT_EXPECT_EQ(test, ktrace_linux_signal(7), 0);
	KUNIT_EXPECT_EQ(test, ktrace_linux_signal(29), 0);
	KUNIT_EXPECT_EQ(test, ktrace_linux_signal(32), 0);
	KUNIT_EXPECT_EQ(test, ktrace_linux_signal(33), 0);
	for (sig = 98; sig < 256; sig++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_signal(sig), 0, "file %d", sig);
	for (sig = -200; sig <= 0; sig++)
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_signal(sig), 0, "file %d", sig);
}

static void signal_bijective(struct kunit *test)
{
	DECLARE_BITMAP(seen, 512) = {};
	int sig;

	KUNIT_EXPECT_EQ(test, KTRACE_LINUX_SIGNAL_MAX, _NSIG);
	for (sig = 0; sig < 256; sig++) {
		int file = ktrace_file_signal(sig);

		KUNIT_ASSERT_GE_MSG(test, file, sig ? 1 : 0, "Linux %d", sig);
		KUNIT_ASSERT_LT_MSG(test, file, 512, "Linux %d", sig);
		KUNIT_EXPECT_FALSE_MSG(test, test_bit(file, seen), "Linux %d: %d is taken", sig,
				       file);
		__set_bit(file, seen);
		KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_signal(file), sig, "file %d", file);
	}
}

static void sicode_spots(struct kunit *test)
{
	static const struct {
		int sig; /* 0: any */
		int linux_code;
		int file;
	} cases[] = {
		{ 0, SI_USER, 0x10001 },       { 0, SI_QUEUE, 0x10002 },
		{ 0, SI_TIMER, 0x10003 },      { 0, SI_ASYNCIO, 0x10004 },
		{ 0, SI_MESGQ, 0x10005 },      { 0, SI_KERNEL, 0x10006 },
		{ 0, SI_TKILL, 0x10007 },      { 0, SI_SIGIO, -5 },
		{ 0, SI_DETHREAD, -7 },	       { 0, SI_ASYNCNL, -60 },
		{ SIGFPE, FPE_INTDIV, 2 },     { SIGFPE, FPE_INTOVF, 1 },
		{ SIGFPE, FPE_FLTDIV, 3 },     { SIGFPE, FPE_FLTSUB, 8 },
		{ SIGSEGV, SEGV_MAPERR, 1 },   { SIGSEGV, SEGV_ACCERR, 2 },
		{ SIGSEGV, SEGV_PKUERR, 4 },   { SIGBUS, BUS_ADRALN, 1 },
		{ SIGBUS, BUS_ADRERR, 2 },     { SIGBUS, BUS_OBJERR, 3 },
		{ SIGBUS, BUS_MCEERR_AR, 4 },  { SIGILL, ILL_ILLOPC, 1 },
		{ SIGILL, ILL_BADSTK, 8 },     { SIGTRAP, TRAP_BRKPT, 1 },
		{ SIGTRAP, TRAP_TRACE, 2 },    { SIGTRAP, TRAP_HWBKPT, 4 },
		{ SIGCHLD, CLD_EXITED, 1 },    { SIGCHLD, CLD_KILLED, 2 },
		{ SIGCHLD, CLD_CONTINUED, 6 }, { SIGSYS, SYS_SECCOMP, 1 },
		{ SIGIO, POLL_IN, 1 },	       { SIGIO, POLL_HUP, 6 },
	};
	u32 i;
	int sig;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (sig = 1; sig <= 64; sig++) {
			if (cases[i].sig && cases[i].sig != sig)
				continue;
			KUNIT_EXPECT_EQ_MSG(test, ktrace_file_sicode(sig, cases[i].linux_code),
					    cases[i].file, "signal %d, code %d", sig,
					    cases[i].linux_code);
			KUNIT_EXPECT_EQ_MSG(test, ktrace_linux_sicode(sig, cases[i].file),
					    cases[i].linux_code, "signal %d, file %#x", sig,
					    cases[i].file);
		}
	}
}

/* A program may put any number into si_code: each comes back, and no two meet. */
static void sicode_bijective(struct kunit *test)
{
	u32 back = 0, forth = 0;
	int sig, code;

	for (sig = 0; sig <= 65; sig++) {
		for (code = -0x200; code <= 0x200; code++) {
			static const int bases[] = { 0, 0x10000, -0x10000, INT_MAX - 0x200,
						     INT_MIN + 0x200 };
			u32 i;

			for (i = 0; i < ARRAY_SIZE(bases); i++) {
				int c = bases[i] + code;

				if (ktrace_linux_sicode(sig, ktrace_file_sicode(sig, c)) != c)
					back++;
				if (ktrace_file_sicode(sig, ktrace_linux_sicode(sig, c)) != c)
					forth++;
			}
		}
	}
	KUNIT_EXPECT_EQ(test, back, 0U);
	KUNIT_EXPECT_EQ(test, forth, 0U);
}

/* clang-format off */
static struct kunit_case cases[] = {
	KUNIT_CASE(errno_common),
	KUNIT_CASE(errno_linux),
	KUNIT_CASE(errno_freebsd),
	KUNIT_CASE(errno_bijective),
	KUNIT_CASE(signal_spots),
	KUNIT_CASE(signal_bijective),
	KUNIT_CASE(sicode_spots),
	KUNIT_CASE(sicode_bijective),
	{}
};
/* clang-format on */

static struct kunit_suite suite = {
	.name = "ktrace_numbers",
	.test_cases = cases,
};

kunit_test_suite(suite);
