// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * STRU, single structures.
 */
#include <ctype.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "ktrace_numbers.h"
#include "name_tables.h"
#include "options.h"
#include "out.h"
#include "reader/layout.h"
#include "records.h"

/* No address is longer. */
#define SOCKADDR_MAX 128

static int64_t get_signed32(const unsigned char *p)
{
	return (int32_t)get32(p);
}

struct timestamp {
	int64_t sec;
	int64_t nsec;
};

struct file_status {
	uint64_t dev, ino, nlink, rdev, mode;
	uint32_t uid, gid, blksize, flags;
	int64_t size, blocks;
	struct timestamp atim, mtim, ctim, birthtim;
};

/* A struct timespec of @word bytes each, or one with the upper half in front. */
static struct timestamp get_timestamp(const unsigned char *p, unsigned int word)
{
	struct timestamp t;

	t.sec = word == 8 ? (int64_t)get64(p) : get_signed32(p);
	t.nsec = word == 8 ? (int64_t)get64(p + 8) : get_signed32(p + 4);
	return t;
}

#define STAT_LEN	  224 /* FreeBSD 12 and later */
#define STAT_LEN_I386	  208
#define STAT_LEN_OLD	  120
#define STAT_LEN_OLD_I386 96

static void get_stat_new(const unsigned char *p, bool i386, struct file_status *st)
{
	st->dev = get64(p);
	st->ino = get64(p + 8);
	st->nlink = get64(p + 16);
	st->mode = get16(p + 24);
	st->uid = get32(p + 28);
	st->gid = get32(p + 32);
	st->rdev = get64(p + 40);
	if (i386) {
		/* Each time has its upper word in front. */
		st->atim = get_timestamp(p + 52, 4);
		st->mtim = get_timestamp(p + 64, 4);
		st->ctim = get_timestamp(p + 76, 4);
		st->birthtim = get_timestamp(p + 88, 4);
		p += 96;
	} else {
		st->atim = get_timestamp(p + 48, 8);
		st->mtim = get_timestamp(p + 64, 8);
		st->ctim = get_timestamp(p + 80, 8);
		st->birthtim = get_timestamp(p + 96, 8);
		p += 112;
	}
	st->size = (int64_t)get64(p);
	st->blocks = (int64_t)get64(p + 8);
	st->blksize = get32(p + 16);
	st->flags = get32(p + 20);
}

static void get_stat_old(const unsigned char *p, bool i386, struct file_status *st)
{
	unsigned int word = i386 ? 4 : 8;

	st->dev = get32(p);
	st->ino = get32(p + 4);
	st->mode = get16(p + 8);
	st->nlink = get16(p + 10);
	st->uid = get32(p + 12);
	st->gid = get32(p + 16);
	st->rdev = get32(p + 20);
	p += 24;
	st->atim = get_timestamp(p, word);
	st->mtim = get_timestamp(p + 2 * word, word);
	st->ctim = get_timestamp(p + 4 * word, word);
	p += 6 * word;
	st->size = (int64_t)get64(p);
	st->blocks = (int64_t)get64(p + 8);
	st->blksize = get32(p + 16);
	st->flags = get32(p + 20);
	st->birthtim = get_timestamp(p + 32, word);
}

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

static void out_quoted_text(const char *text)
{
	out_char('"');
	out_text(text, strlen(text));
	out_char('"');
}

static void out_uid(uint32_t uid)
{
	struct passwd *user = options.resolve ? getpwuid(uid) : NULL;

	if (user)
		out_quoted_text(user->pw_name);
	else
		out_printf("%u", uid);
}

static void out_gid(uint32_t gid)
{
	struct group *group = options.resolve ? getgrgid(gid) : NULL;

	if (group)
		out_quoted_text(group->gr_name);
	else
		out_printf("%u", gid);
}

static void out_timestamp(const char *name, struct timestamp t)
{
	time_t sec = t.sec;
	char text[64];
	struct tm tm;

	out_str(name);
	if (options.resolve && localtime_r(&sec, &tm) &&
	    strftime(text, sizeof(text), "%b %e %T %Y", &tm))
		out_printf("\"%s\"", text);
	else
		out_dec(t.sec);
	if (t.nsec)
		out_printf(".%09lld", (long long)t.nsec);
	out_str(", ");
}

static bool stat_print(const unsigned char *p, size_t len)
{
	struct file_status st;

	switch (len) {
	case STAT_LEN:
	case STAT_LEN_I386:
		get_stat_new(p, len == STAT_LEN_I386, &st);
		break;
	case STAT_LEN_OLD:
	case STAT_LEN_OLD_I386:
		get_stat_old(p, len == STAT_LEN_OLD_I386, &st);
		/* Every file has a type: this length alone proves little. */
		if (st.mode == 0)
			return false;
		break;
	default:
		return false;
	}
	out_printf("struct stat {dev=%llu, ino=%llu, mode=", (unsigned long long)st.dev,
		   (unsigned long long)st.ino);
	if (options.resolve)
		out_mode(st.mode);
	else
		out_printf("0%llo", (unsigned long long)st.mode);
	out_printf(", nlink=%llu, uid=", (unsigned long long)st.nlink);
	out_uid(st.uid);
	out_str(", gid=");
	out_gid(st.gid);
	out_printf(", rdev=%llu, ", (unsigned long long)st.rdev);
	out_timestamp("atime=", st.atim);
	out_timestamp("mtime=", st.mtim);
	out_timestamp("ctime=", st.ctim);
	out_timestamp("birthtime=", st.birthtim);
	out_printf("size=%lld, blksize=%u, blocks=%lld, flags=0x%x }\n", (long long)st.size,
		   st.blksize, (long long)st.blocks, st.flags);
	return true;
}

static bool itimerval_print(const unsigned char *p, size_t len)
{
	unsigned int word = len / 4;
	struct timestamp interval, value;

	if (len != 32 && len != 16)
		return false;
	interval = get_timestamp(p, word);
	value = get_timestamp(p + 2 * word, word);
	out_printf("itimerval { .interval = {%lld, %lld}, .value = {%lld, %lld} }\n",
		   (long long)interval.sec, (long long)interval.nsec, (long long)value.sec,
		   (long long)value.nsec);
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
	if (strcmp(s->name, "sockaddr") == 0) {
		if (s->len > SOCKADDR_MAX || s->len < 2 || s->data[0] != s->len)
			return false;
		sockaddr_print(s->data, s->len, linux_abi);
		return true;
	}
	if (strcmp(s->name, "stat") == 0)
		return stat_print(s->data, s->len);
	if (strcmp(s->name, "itimerval") == 0)
		return itimerval_print(s->data, s->len);
	if (strcmp(s->name, "l_sigset_t") == 0)
		return linux_sigset_print(s->data, s->len);
	switch (linux_struct_print(s, linux_abi)) {
	case STRUCT_PRINTED:
		return true;
	case STRUCT_INVALID:
		return false;
	case STRUCT_UNKNOWN:
		break;
	}
	out_str("unknown structure\n");
	return true;
}

void struct_print(const struct ktrace_record *record, const struct abi *abi)
{
	struct ktrace_record_struct s;

	ktrace_record_get_struct(record, &s);
	if (!s.name || s.len == 0 || !is_name(s.name) || !known_print(&s, abi_is_linux(abi->flags)))
		out_str("invalid record\n");
}
