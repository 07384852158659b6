// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "truss_call.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ktrace.h>

#include "decode/name_tables.h"
#include "decode/out.h"
#include "decode/style.h"
#include "fds.h"
#include "fields.h"
#include "line.h"
#include "options.h"
#include "reader/layout.h"
#include "records.h"
#include "timeline_text.h"

#define MAX_DETAILS 16384 /* bytes, of a call */
#define KEPT	    1024 /* bytes that stay when they are cleared */
#define MAX_BYTES   (16UL << 20) /* of all calls */

static size_t bytes; /* of all */

/* Which arguments records of a type may stand for, by their names. */
struct place {
	unsigned int type;
	const char *structure; /* KTR_STRUCT and KTR_STRUCT_ARRAY */
	const char *args[12];
};

/* In the order in which one that several can have is given away. */
static const struct place places[] = {
	{ KTR_GENIO, NULL, { "buf", "iov", "msg", "msgvec", "msg_ptr", "dirp" } },
	{ KTR_ARGS, NULL, { "argv" } },
	{ KTR_ENVS, NULL, { "envp", "envv" } },
	{ KTR_STRUCT, "stat", { "statbuf", "statxbuf", "sb", "ub", "buf" } },
	{ KTR_STRUCT, "sockaddr", { "addr", "dest_addr", "src_addr", "name", "from", "to" } },
	{ KTR_STRUCT,
	  "timespec",
	  { "request", "remain", "duration", "rem", "rqtp", "rmtp", "tp", "res", "interval",
	    "timeout", "tmo_p", "abs_timeout" } },
	{ KTR_STRUCT, "itimerval", { "new_value", "old_value", "curr_value", "itv", "oitv" } },
	{ KTR_STRUCT, "l_rlimit", { "rlim", "new_limit", "old_limit" } },
	{ KTR_STRUCT, "l_sigaction", { "act", "oldact" } },
	{ KTR_STRUCT, "l_sigset_t", { "set", "oldset", "mask", "sigmask" } },
	{ KTR_STRUCT, "l_timex", { "buf" } },
	{ KTR_STRUCT, "l_utsname", { "buf" } },
	{ KTR_STRUCT, "l_sched_param", { "param" } },
	{ KTR_STRUCT, "l_sched_attr", { "attr" } },
	{ KTR_STRUCT, "l_cap_data", { "datap" } },
	{ KTR_STRUCT, "l_clone_args", { "cl_args" } },
	{ KTR_STRUCT, "l_open_how", { "how" } },
	{ KTR_STRUCT_ARRAY, "pollfd", { "fds" } },
	{ KTR_STRUCT_ARRAY, "l_epoll_event", { "events", "event" } },
	{ KTR_STRUCT_ARRAY, "l_iovec", { "iov", "local_iov", "remote_iov" } },
};

#define PLACES (sizeof(places) / sizeof(places[0]))

enum detail_kind {
	DETAIL_PATH,
	DETAIL_PLACED, /* @place says which arguments it may stand for */
	DETAIL_FILE, /* --fds: behind argument @arg */
	DETAIL_REST,
};

struct detail {
	unsigned char kind;
	bool used; /* it is on the line */
	unsigned char place; /* the number of it in the table */
	unsigned char arg;
	uint32_t len; /* of the text, which comes behind it */
};

static char *text_of(struct detail *detail)
{
	return (char *)(detail + 1);
}

static size_t size_of(const struct detail *detail)
{
	size_t align = __alignof__(struct detail);

	return (sizeof(*detail) + detail->len + align - 1) & ~(align - 1);
}

static struct detail *first_detail(const struct truss_details *details)
{
	return details->len ? (struct detail *)details->p : NULL;
}

static struct detail *next_detail(const struct truss_details *details, struct detail *detail)
{
	char *next = (char *)detail + size_of(detail);

	return next < details->p + details->len ? (struct detail *)next : NULL;
}

void truss_details_free(struct truss_details *details)
{
	bytes -= details->room;
	free(details->p);
	*details = (struct truss_details){ .p = NULL };
}

void truss_details_clear(struct truss_details *details)
{
	if (details->room > KEPT)
		truss_details_free(details);
	details->len = 0;
	details->more = false;
}

/* @text is valid until the next out_capture(). */
static void add(struct truss_details *details, struct detail head, const char *text, size_t len)
{
	struct detail *detail;

	head.len = len;
	if (details->len + size_of(&head) > MAX_DETAILS) {
		details->more = true;
		return;
	}
	if (details->len + size_of(&head) > details->room) {
		size_t room = details->room ? details->room * 2 : 256;

		while (room < details->len + size_of(&head))
			room *= 2;
		if (bytes + room - details->room > MAX_BYTES) {
			details->more = true;
			return;
		}
		bytes += room - details->room;
		details->p = realloc(details->p, room);
		if (!details->p)
			die("out of memory");
		details->room = room;
	}
	detail = (struct detail *)(details->p + details->len);
	*detail = head;
	memcpy(text_of(detail), text, len);
	details->len += size_of(&head);
}

bool truss_details_is(unsigned int type)
{
	switch (type) {
	case KTR_NAMEI:
	case KTR_GENIO:
	case KTR_USER:
	case KTR_STRUCT:
	case KTR_STRUCT_ARRAY:
	case KTR_SYSCTL:
	case KTR_CAPFAIL:
	case KTR_ARGS:
	case KTR_ENVS:
	case KTR_EXTERR:
		return true;
	}
	return false;
}

/* Its number in the table, or how many there are. */
static unsigned int find_place(const struct ktrace_record *record)
{
	struct ktrace_record_struct s = { .name = NULL };
	unsigned int i;

	if (record->type == KTR_STRUCT || record->type == KTR_STRUCT_ARRAY)
		ktrace_record_get_struct(record, &s);
	for (i = 0; i < PLACES; i++)
		if (places[i].type == record->type &&
		    (!places[i].structure || (s.name && strcmp(places[i].structure, s.name) == 0)))
			break;
	return i;
}

static void out_string(const void *text, size_t len, size_t most)
{
	style_begin(STYLE_TEXT);
	out_c_string(text, len < most ? len : most);
	style_end();
	if (len > most)
		out_str("...");
}

/* In brackets; the whole of it is cut where a line would be too long. */
static void out_strings(const struct ktrace_record *record)
{
	const char *string;
	size_t at = 0, len, total = 0;

	out_char('[');
	while ((string = ktrace_record_next_string(record, &at, &len)) != NULL) {
		if (total)
			out_str(", ");
		if (total > TIMELINE_TEXT) {
			out_str("...");
			break;
		}
		total += len + 1;
		out_string(string, len, TIMELINE_TEXT);
	}
	out_char(']');
}

static void out_data(const struct ktrace_record *record)
{
	struct ktrace_record_genio io;

	ktrace_record_get_genio(record, &io);
	out_string(io.data, io.len, options.max_data ? (size_t)options.max_data : SIZE_MAX);
}

/* All of it would be longer than all else on the line. */
static bool out_stat(const struct ktrace_record_struct *s, const struct event *event)
{
	struct fields fields;
	unsigned int i;

	if (struct_decode(s, event->abi.flags, &fields) != STRUCT_DECODED)
		return false;
	out_char('{');
	for (i = 0; i < fields.count; i++) {
		const char *name = fields.field[i].name;

		if (strcmp(name, "mode") != 0 && strcmp(name, "size") != 0)
			continue;
		out_str(name);
		out_char('=');
		value_print(&fields.field[i].value);
		out_str(strcmp(name, "mode") == 0 ? ", " : ", ...}");
	}
	return true;
}

/* Of many signals, those that are not among them: ~[ SIGRT0, SIGRT1 ] */
static bool out_sigset(const struct ktrace_record_struct *s, const struct event *event)
{
	uint64_t set;
	int signo;

	if (s->len != sizeof(set))
		return false;
	set = get64(s->data);
	if (__builtin_popcountll(set) <= 32)
		return false;
	set = ~set;
	out_str(set ? "~[ " : "~[ empty");
	while ((signo = value_next_signal(&set)) != 0) {
		names_out_signal(signo, abi_is_linux(event->abi.flags));
		if (set)
			out_str(", ");
	}
	out_str(" ]");
	return true;
}

/* In fewer words than text has for it, if it is one of those for which there are. */
static bool out_briefly(const struct event *event)
{
	struct ktrace_record_struct s;

	ktrace_record_get_struct(event->record, &s);
	if (s.name && strcmp(s.name, "stat") == 0)
		return out_stat(&s, event);
	return s.name && strcmp(s.name, "l_sigset_t") == 0 && out_sigset(&s, event);
}

void truss_out_line(const char *text, size_t len)
{
	const char *end = text + len, *newline;

	for (; text < end; text = newline) {
		newline = memchr(text, '\n', end - text);
		if (!newline)
			newline = end;
		out_mem(text, newline - text);
		if (newline == end)
			return;
		out_char(' ');
		while (newline < end && strchr("\n\t ", *newline))
			newline++;
	}
}

void truss_out_label(unsigned int type)
{
	const char *label = line_label(type);

	out_mem(label, strcspn(label, " "));
	out_char(' ');
}

/* From its first bracket on: without its name. */
static void out_structure(const char *text, size_t len, bool array)
{
	size_t at;

	for (at = 0; at < len && text[at] != '{' && (array || text[at] != '['); at++)
		;
	if (at == len)
		at = 0;
	truss_out_line(text + at, len - at);
}

/* What text would say of it, after its label. */
static size_t copy_line(const struct event *event, char line[TIMELINE_TEXT])
{
	const char *text;
	size_t len;

	text = timeline_capture_record(event, false, &len);
	memcpy(line, text, len);
	return len;
}

static void out_rest(const struct event *event)
{
	char line[TIMELINE_TEXT];
	size_t len = copy_line(event, line);

	out_capture_some(TIMELINE_TEXT);
	truss_out_label(event->record->type);
	truss_out_line(line, len);
}

static void out_placed(const struct event *event)
{
	const struct ktrace_record *record = event->record;
	char line[TIMELINE_TEXT];
	size_t len = 0;

	if (record->type == KTR_STRUCT || record->type == KTR_STRUCT_ARRAY)
		len = copy_line(event, line);
	out_capture_some(TIMELINE_TEXT);
	if (record->type == KTR_NAMEI)
		out_string(record->data, ktrace_record_text_len(record), TIMELINE_TEXT);
	else if (record->type == KTR_GENIO)
		out_data(record);
	else if (record->type == KTR_ARGS || record->type == KTR_ENVS)
		out_strings(record);
	else if (record->type == KTR_STRUCT_ARRAY || !out_briefly(event))
		out_structure(line, len, record->type == KTR_STRUCT_ARRAY);
}

static bool has_path(const struct truss_details *details, const char *text, size_t len)
{
	struct detail *detail;

	for (detail = first_detail(details); detail; detail = next_detail(details, detail))
		if (detail->kind == DETAIL_PATH && detail->len == len &&
		    memcmp(text_of(detail), text, len) == 0)
			return true;
	return false;
}

void truss_details_add(struct truss_details *details, const struct event *event)
{
	unsigned int type = event->record->type, place = find_place(event->record);
	struct detail head = { .kind = DETAIL_PLACED, .place = place };
	const char *text;
	size_t len;

	if (type == KTR_GENIO && options.no_data)
		return;
	if (type == KTR_NAMEI)
		head.kind = DETAIL_PATH;
	else if (place == PLACES)
		head.kind = DETAIL_REST;
	if (head.kind == DETAIL_REST)
		out_rest(event);
	else
		out_placed(event);
	text = out_captured(&len);
	if (head.kind == DETAIL_PATH && event->call && call_is_exec(event->call) &&
	    has_path(details, text, len))
		return; /* security modules look the program up again */
	add(details, head, text, len);
}

void truss_details_add_files(struct truss_details *details, const struct call *call)
{
	struct args args;
	const char *text;
	unsigned int i;
	size_t len;

	args_decode(call, &args);
	for (i = 0; i < args.count; i++) {
		if (args.arg[i].kind != ARG_FD && args.arg[i].kind != ARG_ATFD)
			continue;
		out_capture_some(TIMELINE_TEXT);
		fds_out_arg(&args.arg[i]);
		text = out_captured(&len);
		if (len)
			add(details, (struct detail){ .kind = DETAIL_FILE, .arg = i }, text, len);
	}
}

static bool is_pointer(const struct arg *arg)
{
	return (arg->kind == ARG_PTR || arg->kind == ARG_XPTR) && arg->value;
}

/* symlink(2) does not look up what the link is to say. */
static bool is_text_only(const struct args *args, unsigned int i)
{
	unsigned int j;

	if (strcmp(args->arg[i].name, "target") != 0)
		return false;
	for (j = i + 1; j < args->count; j++)
		if (strcmp(args->arg[j].name, "linkpath") == 0)
			return true;
	return false;
}

typedef struct detail *placed[ARGS_KNOWN];

static void place_path(const struct args *args, struct detail *detail, placed at)
{
	unsigned int i, last = args->count;

	for (i = 0; i < args->count; i++) {
		if (args->arg[i].kind != ARG_PATH || at[i] || is_text_only(args, i))
			continue;
		if (strcmp(args->arg[i].name, "source") != 0)
			break;
		last = i; /* mount(2) looks up where first, and what then */
	}
	if (i == args->count)
		i = last;
	if (i < args->count)
		at[i] = detail;
}

static bool names(const struct place *place, const char *arg)
{
	size_t i;

	for (i = 0; i < sizeof(place->args) / sizeof(place->args[0]) && place->args[i]; i++)
		if (strcmp(place->args[i], arg) == 0)
			return true;
	return false;
}

/* Two arguments with the same memory: only what the call left there is in the trace. */
static bool is_overwritten(const struct place *place, const struct args *args, unsigned int i)
{
	unsigned int j;

	for (j = i + 1; j < args->count; j++)
		if (is_pointer(&args->arg[j]) && args->arg[j].value == args->arg[i].value &&
		    names(place, args->arg[j].name))
			return true;
	return false;
}

static void place_detail(const struct args *args, struct detail *detail, placed at)
{
	const struct place *place = &places[detail->place];
	unsigned int i;

	for (i = 0; i < args->count; i++) {
		bool replaces = at[i] && at[i]->kind == DETAIL_PLACED && detail->place == 0 &&
				at[i]->place != 0;

		/* Data is more than where it was. */
		if ((!at[i] || replaces) && is_pointer(&args->arg[i]) &&
		    names(place, args->arg[i].name) && !is_overwritten(place, args, i)) {
			at[i] = detail;
			return;
		}
	}
}

/* Which detail stands for which argument. */
static void find_places(const struct truss_details *details, const struct args *args, placed at)
{
	struct detail *detail;

	memset(at, 0, sizeof(placed));
	for (detail = first_detail(details); detail; detail = next_detail(details, detail)) {
		if (detail->kind == DETAIL_PATH)
			place_path(args, detail, at);
		else if (detail->kind == DETAIL_PLACED)
			place_detail(args, detail, at);
	}
}

/* May a record that is still to come put it into words? */
static bool is_awaited(const struct args *args, unsigned int i)
{
	const struct arg *arg = &args->arg[i];
	size_t j;

	if (arg->kind == ARG_PATH)
		return !is_text_only(args, i);
	for (j = 0; is_pointer(arg) && j < PLACES; j++)
		if (names(&places[j], arg->name))
			return true;
	return false;
}

static void out_flags(const struct arg *arg)
{
	struct name_bits bits = arg_bits(arg);
	const char *none = bits.value ? NULL : names_find(bits.table, 0);
	uint64_t rest;
	int count;

	if (bits.value == 0) {
		out_str(none ? none : "0");
		return;
	}
	count = names_out_bits(bits.table, bits.value, '|', &rest);
	if (!rest)
		return;
	if (count)
		out_char('|');
	out_hex(rest);
}

/* Numbers in decimal, addresses in hexadecimal, flags by name. */
static void out_arg(const struct args *args, const struct arg *arg)
{
	switch (arg->kind) {
	case ARG_PTR:
	case ARG_XPTR:
	case ARG_PATH:
		if (arg->value)
			arg_out_word(arg->value, args->ilp32, false);
		else
			out_str("NULL");
		break;
	case ARG_FLAGS:
	case ARG_FLAGS_OPTIONAL:
	case ARG_LONG_FLAGS:
	case ARG_LONG_FLAGS_OPTIONAL:
		out_flags(arg);
		break;
	case ARG_MODE:
		out_octal(arg->value);
		break;
	case ARG_INT:
	case ARG_FD:
		out_dec(arg->value);
		break;
	case ARG_SIZE:
	case ARG_OFF:
	case ARG_OFF64:
	case ARG_UINT:
	case ARG_ATFD:
		arg_print(args, arg, true);
		break;
	default:
		arg_print(args, arg, false);
		break;
	}
}

static void out_detail(struct detail *detail)
{
	out_mem(text_of(detail), detail->len);
	detail->used = true;
}

static void out_file(const struct truss_details *details, unsigned int arg)
{
	struct detail *detail;

	for (detail = first_detail(details); detail; detail = next_detail(details, detail))
		if (detail->kind == DETAIL_FILE && detail->arg == arg)
			out_mem(text_of(detail), detail->len);
}

unsigned int truss_out_args(const struct call *call, struct truss_details *details,
			    unsigned int from, bool all)
{
	struct args args = { .slots = 0 };
	bool printed = false;
	unsigned int i, slots;
	placed at;

	if (!options.plain)
		args_decode(call, &args);
	if (details->len)
		find_places(details, &args, at);
	else
		memset(at, 0, sizeof(at));
	for (i = from; i < args.count; i++) {
		if (args.arg[i].kind == ARG_HIDDEN)
			continue;
		if (printed)
			out_str(", ");
		if (!all && !at[i] && is_awaited(&args, i))
			return i;
		printed = true;
		if (at[i])
			out_detail(at[i]);
		else
			out_arg(&args, &args.arg[i]);
		if (details->len)
			out_file(details, i);
	}
	slots = call->narg < ARGS_KNOWN ? call->narg : ARGS_KNOWN;
	for (i = args.slots; i < slots && from <= args.count; i++) {
		if (printed)
			out_str(", ");
		printed = true;
		arg_out_word(call->word[i], call->ilp32, false);
	}
	return TRUSS_ALL_ARGS;
}

/* Calls whose result is an address. */
static bool is_address(const struct event *event, int code)
{
	static const char *const calls[] = { "mmap", "mmap2", "mremap", "brk", "shmat" };
	const char *name = abi_syscall_name(event->abi.call_flags, code);
	size_t i;

	for (i = 0; name && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(name, calls[i]) == 0)
			return true;
	return false;
}

static void out_error(const struct event *event, int error)
{
	bool linux_abi = abi_is_linux(event->abi.call_flags);
	const char *name = ret_error_name(event);
	int number = names_errno_number(error, &linux_abi);

	style_begin(STYLE_ERROR);
	out_str("-1 ");
	if (name)
		out_str(name);
	else
		out_dec(number);
	out_str(" (");
	call_out_errno_text(number, linux_abi);
	out_char(')');
	style_end();
}

void truss_out_result(const struct event *event)
{
	struct ktrace_record_sysret ret;

	ktrace_record_get_sysret(event->record, &ret);
	if (ret.error == KTRACE_ERESTART) {
		out_str("RESTART");
	} else if (ret.error == KTRACE_EJUSTRETURN) {
		out_str(event->call && call_is_exec(event->call) ? "0" : "JUSTRETURN");
	} else if (ret.error) {
		out_error(event, ret.error);
	} else {
		if (ret.retval > 9 && is_address(event, ret.code))
			out_hex(event->record->layout == KTRACE_LAYOUT_ILP32 ?
					(uint32_t)ret.retval :
					(uint64_t)ret.retval);
		else
			out_dec(ret.retval);
		if (options.fds)
			fds_out_result();
	}
	if (options.duration)
		ret_out_duration(event);
}

/* Where the data of a vector was says little beside the data. */
static bool is_vector(const struct detail *detail)
{
	return detail->kind == DETAIL_PLACED && places[detail->place].structure &&
	       strcmp(places[detail->place].structure, "l_iovec") == 0;
}

void truss_out_rest(const struct truss_details *details)
{
	struct detail *detail;
	bool printed = false;

	for (detail = first_detail(details); detail; detail = next_detail(details, detail)) {
		if (detail->used || detail->kind == DETAIL_FILE || is_vector(detail))
			continue;
		out_str(printed ? ", " : " [");
		printed = true;
		out_mem(text_of(detail), detail->len);
	}
	if (details->more)
		out_str(printed ? ", ..." : " [...");
	if (printed || details->more)
		out_char(']');
}
