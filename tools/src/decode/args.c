// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "decode/args.h"

#include "decode/abi.h"
#include "decode/arg_tables.h"
#include "decode/ioctl.h"
#include "decode/name_tables.h"
#include "decode/out.h"
#include "ktrace_format.h"
#include "ktrace_numbers.h"

#define LINUX_SIGNALS 64
#define CSIGNAL	      0xff
#define AT_FDCWD      (-100)

/* How much of its slot does an argument take? */
enum width {
	WIDTH_WORD,
	WIDTH_ID16,
	WIDTH_INT,
	WIDTH_UINT,
	WIDTH_OFF,
	WIDTH_64,
};

static enum width width_of(enum arg_kind kind)
{
	switch (kind) {
	case ARG_OFF:
		return WIDTH_OFF;
	case ARG_OFF64:
	case ARG_HEX64:
	case ARG_DEC64:
		return WIDTH_64;
	case ARG_UID16:
	case ARG_GID16:
		return WIDTH_ID16;
	case ARG_DEC:
	case ARG_INT:
	case ARG_XINT:
	case ARG_FD:
	case ARG_ATFD:
	case ARG_PID:
	case ARG_UID:
	case ARG_GID:
	case ARG_SIGNAL:
	case ARG_ENUM:
	case ARG_ENUM_OPTIONAL:
		return WIDTH_INT;
	case ARG_UINT:
	case ARG_MODE:
	case ARG_UMODE:
	case ARG_IOCTL:
	case ARG_CLONE_FLAGS:
	case ARG_FLAGS:
	case ARG_FLAGS_OPTIONAL:
		return WIDTH_UINT;
	default:
		return WIDTH_WORD;
	}
}

/* What is known of a call, or NULL. */
static const struct call_args *find_call(uint32_t flags, int code)
{
	static const struct call_args_table *const tables[ABI_TABLES] = {
		[ABI_LINUX64] = &args_linux64, [ABI_LINUX32] = &args_linux32,
		[ABI_ARM64] = &args_arm64,     [ABI_ARM32] = &args_arm32,
		[ABI_FREEBSD] = &args_freebsd,
	};
	const struct call_args_table *table = tables[abi_table(flags)];

	if (code < 0 || code >= table->count || table->calls[code].count == 0)
		return NULL;
	return &table->calls[code];
}

static unsigned int slots_of(const struct call *call)
{
	return call->narg < ARGS_KNOWN ? call->narg : ARGS_KNOWN;
}

/* The value in slot @slot; moves on to the next argument's. */
static int64_t take(const struct call *call, enum width width, unsigned int *slot)
{
	int64_t word = call->word[(*slot)++];

	switch (width) {
	case WIDTH_ID16:
		return (uint16_t)word == UINT16_MAX ? -1 : (uint16_t)word;
	case WIDTH_INT:
		return (int32_t)word;
	case WIDTH_UINT:
		return (uint32_t)word;
	case WIDTH_OFF:
		if (!call->ilp32)
			return word;
		return abi_is_linux(call->flags) ? (int64_t)(int32_t)word : (uint32_t)word;
	case WIDTH_64:
		if (!call->ilp32)
			return word;
		word = (uint32_t)word;
		if (*slot < slots_of(call))
			word |= (int64_t)((uint64_t)call->word[(*slot)++] << 32);
		return word;
	default:
		return call->ilp32 ? (uint32_t)word : word;
	}
}

static void decode_variant(const struct call *call, const struct arg_variant *variant,
			   struct args *args)
{
	args->count = 0;
	args->slots = 0;
	while (args->count < variant->count && args->slots < slots_of(call)) {
		const struct arg_spec *spec = &variant->args[args->count];
		struct arg *arg = &args->arg[args->count++];

		arg->name = spec->name;
		arg->kind = spec->kind;
		arg->table = spec->table;
		if (arg->kind == ARG_MODE)
			arg->table = args->linux_abi ? &names_linux_mode : &names_mode;
		arg->word = call->word[args->slots];
		arg->value = take(call, width_of(spec->kind), &args->slots);
	}
}

static bool holds(const struct arg_condition *condition, const struct args *args)
{
	const struct arg *arg;
	uint64_t mask = condition->mask ? condition->mask : ~0ULL;
	unsigned int i;

	if (condition->index >= args->count)
		return false;
	arg = &args->arg[condition->index];
	if (width_of(arg->kind) == WIDTH_INT || width_of(arg->kind) == WIDTH_UINT)
		mask &= 0xffffffff;
	for (i = 0; i < condition->count; i++)
		if ((((uint64_t)arg->value ^ (uint64_t)condition->values[i]) & mask) == 0)
			return true;
	return condition->count == 0 && arg->value & mask;
}

static bool applies(const struct arg_variant *variant, const struct args *args)
{
	unsigned int i;

	for (i = 0; i < variant->conditions_count; i++)
		if (!holds(&variant->conditions[i], args))
			return false;
	return true;
}

void args_decode(const struct call *call, struct args *args)
{
	const struct call_args *known = find_call(call->flags, call->code);
	unsigned int i;

	args->count = 0;
	args->slots = 0;
	args->linux_abi = abi_is_linux(call->flags);
	/* FreeBSD's kdump shows the record's words, also those of 32-bit processes. */
	args->ilp32 = args->linux_abi ? call->ilp32 : call->ilp32_record;
	if (!known)
		return;
	/* The last one names all arguments that conditions look at. */
	decode_variant(call, &known->variants[known->count - 1], args);
	for (i = 0; i + 1 < known->count; i++) {
		if (applies(&known->variants[i], args)) {
			decode_variant(call, &known->variants[i], args);
			return;
		}
	}
}

bool arg_is_flags(const struct arg *arg)
{
	switch (arg->kind) {
	case ARG_MODE:
	case ARG_CLONE_FLAGS:
	case ARG_FLAGS:
	case ARG_FLAGS_OPTIONAL:
	case ARG_LONG_FLAGS:
	case ARG_LONG_FLAGS_OPTIONAL:
		return true;
	default:
		return false;
	}
}

struct name_bits arg_bits(const struct arg *arg)
{
	struct name_bits bits = { .table = arg->table, .value = (uint64_t)arg->value };

	if (arg->kind == ARG_CLONE_FLAGS)
		bits.value &= ~(uint64_t)CSIGNAL;
	return bits;
}

const char *arg_value_name(const struct arg *arg)
{
	const char *name;

	switch (arg->kind) {
	case ARG_ATFD:
		return arg->value == AT_FDCWD ? "AT_FDCWD" : NULL;
	case ARG_ENUM:
	case ARG_ENUM_OPTIONAL:
	case ARG_IOCTL:
		/* Tables have values of 2^31 and above as they stand in headers. */
		name = names_find(arg->table, (int32_t)arg->value);
		return name ? name : names_find(arg->table, (uint32_t)arg->value);
	case ARG_LONG_ENUM:
	case ARG_LONG_ENUM_OPTIONAL:
		return names_find(arg->table, arg->value);
	default:
		return NULL;
	}
}

void arg_out_word(int64_t value, bool ilp32, bool decimal)
{
	if (decimal)
		out_dec(ilp32 ? (int32_t)value : value);
	else
		out_hex(ilp32 ? (uint32_t)value : (uint64_t)value);
}

/*
 * An int: descriptors and the like are small, and -1 is what people look for. FreeBSD's
 * kdump has no -1.
 */
static void out_int(const struct args *args, int64_t value, bool decimal)
{
	if (decimal || (value < 0 && args->linux_abi))
		out_dec(value);
	else
		out_hex((uint32_t)value);
}

/* An offset or a length. FreeBSD's kdump has no negative ones. */
static void out_off(const struct args *args, int64_t value, bool ilp32, bool decimal)
{
	if (value < 0 && args->linux_abi)
		out_dec(value);
	else
		arg_out_word(value, ilp32, decimal);
}

static void out_fd(const struct args *args, const struct arg *arg, bool decimal)
{
	if (args->linux_abi)
		out_int(args, arg->value, decimal);
	else
		arg_out_word(arg->word, args->ilp32, decimal);
}

static void out_signal(int64_t signo, bool linux_abi)
{
	if (!linux_abi) {
		names_out_signal(signo, false);
	} else if (signo == 0) {
		out_char('0'); /* none: just look whether one could be sent */
	} else if (signo > 0 && signo <= LINUX_SIGNALS) {
		names_out_signal(ktrace_file_signal(signo), true);
	} else {
		/* names_out_signal() would take it for one of the file's. */
		out_str("SIG ");
		out_dec(signo);
	}
}

static void out_mode(const struct arg *arg)
{
	out_octal(arg->value);
	if (arg->value != 0)
		names_out_set(arg->table, arg->value);
}

static void out_clone_flags(const struct args *args, const struct arg *arg)
{
	struct name_bits bits = arg_bits(arg);
	int64_t signo = arg->value & CSIGNAL;
	const char *name;
	bool second = false;

	out_hex(arg->value);
	if (arg->value == 0)
		return;
	out_char('<');
	while ((name = names_next_bit(&bits)) != NULL) {
		if (second)
			out_char('|');
		second = true;
		out_str(name);
	}
	if (signo) {
		if (second)
			out_char('|');
		out_signal(signo, args->linux_abi);
	}
	out_char('>');
}

static void out_enum(const struct args *args, const struct arg *arg, bool optional, bool decimal)
{
	const char *name = arg_value_name(arg);
	bool word = width_of(arg->kind) == WIDTH_WORD;

	if (name) {
		out_str(name);
	} else if (!optional) {
		uint64_t value = word ? (uint64_t)arg->value : (uint32_t)arg->value;

		out_printf(decimal ? "<invalid=%lld>" : "<invalid=%#llx>", (long long)value);
	} else if (word) {
		arg_out_word(arg->value, args->ilp32, decimal);
	} else {
		out_int(args, arg->value, decimal);
	}
}

static void out_ioctl(const struct arg *arg, bool decimal)
{
	const char *name = arg_value_name(arg);

	if (name)
		out_str(name);
	else if (decimal)
		arg_out_word(arg->value, true, true);
	else
		ioctl_out_parts(arg->value);
}

void arg_print(const struct args *args, const struct arg *arg, bool decimal)
{
	switch (arg->kind) {
	case ARG_HEX:
	case ARG_PTR:
	case ARG_PATH:
	case ARG_SIZE:
		arg_out_word(arg->value, args->ilp32, decimal);
		break;
	case ARG_OFF:
		out_off(args, arg->value, args->ilp32, decimal);
		break;
	case ARG_OFF64:
		out_off(args, arg->value, false, decimal);
		break;
	case ARG_HEX64:
		arg_out_word(arg->value, false, decimal);
		break;
	case ARG_UINT:
		arg_out_word(arg->value, true, decimal);
		break;
	case ARG_INT:
		out_int(args, arg->value, decimal);
		break;
	case ARG_XINT:
		out_printf(decimal ? "%d" : "0x%x", (int)arg->value);
		break;
	case ARG_XPTR:
		out_printf("0x%llx", (unsigned long long)arg->value);
		break;
	case ARG_FD:
		out_fd(args, arg, decimal);
		break;
	case ARG_ATFD:
		if (arg->value == AT_FDCWD)
			out_str("AT_FDCWD");
		else
			out_int(args, arg->value, decimal);
		break;
	case ARG_DEC64:
	case ARG_DEC:
	case ARG_PID:
	case ARG_UID:
	case ARG_GID:
	case ARG_UID16:
	case ARG_GID16:
		out_dec(arg->value);
		break;
	case ARG_MODE:
		out_mode(arg);
		break;
	case ARG_UMODE:
		out_octal(arg->value);
		break;
	case ARG_SIGNAL:
		out_signal(arg->value, args->linux_abi);
		break;
	case ARG_CLONE_FLAGS:
		out_clone_flags(args, arg);
		break;
	case ARG_FLAGS:
	case ARG_LONG_FLAGS:
		names_out_flags(arg->table, arg->value, false);
		break;
	case ARG_FLAGS_OPTIONAL:
	case ARG_LONG_FLAGS_OPTIONAL:
		names_out_flags(arg->table, arg->value, true);
		break;
	case ARG_IOCTL:
		out_ioctl(arg, decimal);
		break;
	case ARG_ENUM_OPTIONAL:
	case ARG_LONG_ENUM_OPTIONAL:
		out_enum(args, arg, true, decimal);
		break;
	case ARG_ENUM:
	case ARG_LONG_ENUM:
		out_enum(args, arg, false, decimal);
		break;
	case ARG_HIDDEN:
		break;
	}
}
