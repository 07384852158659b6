// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, single structures.
 */
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "reader/layout.h"
#include "ktrace_numbers.h"
#include "options.h"
#include "owners.h"
#include "records.h"

/* No address is longer. */
#define SOCKADDR_MAX 128

/* As ls -l has it: "-rw-r--r-- ", with FreeBSD's bits. */
static void out_mode(unsigned int mode)
{
	static const char rwx[] = "rwxrwxrwx";
	char text[12] = "?--------- ";
	int i;

	switch (mode & 0170000) {
	case 0010000:
		text[0] = 'p';
		break;
	case 0020000:
		text[0] = 'c';
		break;
	case 0040000:
		text[0] = 'd';
		break;
	case 0060000:
		text[0] = 'b';
		break;
	case 0100000:
		text[0] = '-';
		break;
	case 0120000:
		text[0] = 'l';
		break;
	case 0140000:
		text[0] = 's';
		break;
	case 0160000:
		text[0] = 'w';
		break;
	}
	for (i = 0; i < 9; i++)
		if (mode & (0400 >> i))
			text[1 + i] = rwx[i];
	if (mode & S_ISUID)
		text[3] = mode & 0100 ? 's' : 'S';
	if (mode & S_ISGID)
		text[6] = mode & 0010 ? 's' : 'S';
	if (mode & S_ISVTX)
		text[9] = mode & 0001 ? 't' : 'T';
	out_str(text);
}

/* -r: the date in the time zone of who reads it; without one, or if it has none, the number. */
static void out_seconds(int64_t seconds)
{
	time_t sec = seconds;
	char text[64];
	struct tm tm;

	if (options.resolve && localtime_r(&sec, &tm) &&
	    strftime(text, sizeof(text), "%b %e %T %Y", &tm))
		out_printf("\"%s\"", text);
	else
		out_dec(seconds);
}

static void out_timestamp(const char *name, struct ktrace_timespec t)
{
	out_str(name);
	out_seconds(t.sec);
	if (t.nsec)
		out_printf(".%09lld", (long long)t.nsec);
	out_str(", ");
}

/* Of a Linux process 0 is not a date: it says that the kernel told none. */
static void out_birthtime(struct ktrace_timespec t, bool linux_abi)
{
	if (linux_abi && t.sec == 0 && t.nsec == 0)
		out_str("birthtime=0, ");
	else
		out_timestamp("birthtime=", t);
}

static bool stat_print(const struct ktrace_record_struct *s, bool linux_abi)
{
	struct ktrace_stat st;

	if (!ktrace_record_get_stat(s, &st))
		return false;
	out_printf("struct stat {dev=%llu, ino=%llu, mode=", (unsigned long long)st.dev,
		   (unsigned long long)st.ino);
	if (options.resolve)
		out_mode(st.mode);
	else
		out_printf("0%o", st.mode);
	out_printf(", nlink=%llu, uid=", (unsigned long long)st.nlink);
	owners_out_uid(st.uid);
	out_str(", gid=");
	owners_out_gid(st.gid);
	out_printf(", rdev=%llu, ", (unsigned long long)st.rdev);
	out_timestamp("atime=", st.atim);
	out_timestamp("mtime=", st.mtim);
	out_timestamp("ctime=", st.ctim);
	out_birthtime(st.birthtim, linux_abi);
	out_printf("size=%lld, blksize=%u, blocks=%lld, flags=0x%x }\n", (long long)st.size,
		   st.blksize, (long long)st.blocks, st.flags);
	return true;
}

static bool itimerval_print(const struct ktrace_record_struct *s)
{
	struct ktrace_itimerval it;

	if (!ktrace_record_get_itimerval(s, &it))
		return false;
	out_printf("itimerval { .interval = {%lld, %lld}, .value = {%lld, %lld} }\n",
		   (long long)it.interval_sec, (long long)it.interval_usec, (long long)it.value_sec,
		   (long long)it.value_usec);
	return true;
}

/* Bit n - 1 is Linux signal n. */
void linux_sigset_out(uint64_t set)
{
	int signo;

	out_str("[ ");
	if (set == 0)
		out_str("empty");
	for (signo = 1; signo <= KTRACE_LINUX_SIGNAL_MAX; signo++) {
		if (!(set & 1ULL << (signo - 1)))
			continue;
		names_out_signal(ktrace_file_signal(signo), true);
		set &= ~(1ULL << (signo - 1));
		if (set)
			out_str(", ");
	}
	out_str(" ]");
}

static bool linux_sigset_print(const unsigned char *p, size_t len)
{
	if (len != 8)
		return false;
	out_str("l_sigset_t ");
	linux_sigset_out(get64(p));
	out_char('\n');
	return true;
}

static bool is_name(const char *name)
{
	for (; *name; name++)
		if (!isalpha((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

static bool known_print(const struct ktrace_record_struct *s, bool linux_abi)
{
	enum struct_result result;

	if (strcmp(s->name, "sockaddr") == 0) {
		if (s->len > SOCKADDR_MAX || s->len < 2 || s->data[0] != s->len)
			return false;
		sockaddr_print(s->data, s->len, linux_abi);
		return true;
	}
	if (strcmp(s->name, "stat") == 0)
		return stat_print(s, linux_abi);
	if (strcmp(s->name, "itimerval") == 0)
		return itimerval_print(s);
	if (strcmp(s->name, "l_sigset_t") == 0)
		return linux_sigset_print(s->data, s->len);
	result = linux_struct_print(s, linux_abi);
	if (result == STRUCT_UNKNOWN)
		result = freebsd_struct_print(s);
	if (result == STRUCT_UNKNOWN)
		out_str("unknown structure\n");
	return result != STRUCT_INVALID;
}

void struct_print(const struct ktrace_record *record, const struct abi *abi)
{
	struct ktrace_record_struct s;

	ktrace_record_get_struct(record, &s);
	if (!s.name || s.len == 0 || !is_name(s.name) || !known_print(&s, abi_is_linux(abi->flags)))
		out_str("invalid record\n");
}
