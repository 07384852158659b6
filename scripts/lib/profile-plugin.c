// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A plugin of QEMU (TCG, one CPU) that counts the instructions which the guest executes between two marks: see
 * scripts/profile. A mark is a nop that no compiler makes, nopl N(%rax,%rax,1), where the upper half of N is MARK and
 * the lower half says which run begins, or 0: it ends.
 *
 * counts=PATH gets a line "run N" for each run, and below it "address instructions executions" for each block of the
 * kernel; all blocks of programs together have the address 0.
 *
 * What is used of qemu-plugin.h, which Debian does not install, is declared here: version 1 of the interface.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK   0x6b74
#define KERNEL (UINT64_C(1) << 63)

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
enum { INLINE_ADD_U64, CB_NO_REGS = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int op, void *ptr,
					      uint64_t imm);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*cb)(unsigned int, void *), int flags,
					    void *userdata);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t idx);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc,
			       char **argv);

/* A block, each time that it was translated. */
struct block {
	struct block *next;
	uint64_t address;
	uint64_t instructions;
	uint64_t count;
};

static struct block *blocks;
static uint64_t programs;
static FILE *out;

static void mark(unsigned int cpu, void *number)
{
	unsigned int run = (uintptr_t)number;
	struct block *b;

	if (!run) {
		fprintf(out, "0 1 %" PRIu64 "\n", programs);
		for (b = blocks; b; b = b->next)
			if (b->count)
				fprintf(out, "%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", b->address,
					b->instructions, b->count);
		fflush(out);
		return;
	}
	fprintf(out, "run %u\n", run);
	programs = 0;
	for (b = blocks; b; b = b->next)
		b->count = 0;
}

/* The number of a mark, or -1. */
static int mark_number(const struct qemu_plugin_insn *insn)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x84, 0x00 };
	const uint8_t *p = qemu_plugin_insn_data(insn);

	if (qemu_plugin_insn_size(insn) != 8 || memcmp(p, nop, sizeof(nop)) ||
	    (p[6] | p[7] << 8) != MARK)
		return -1;
	return p[4] | p[5] << 8;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	uint64_t address = qemu_plugin_tb_vaddr(tb);
	size_t n = qemu_plugin_tb_n_insns(tb), i;
	struct block *b;

	if (address & KERNEL) {
		b = calloc(1, sizeof(*b));
		if (!b)
			abort();
		b->address = address;
		b->instructions = n;
		b->next = blocks;
		blocks = b;
		qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64, &b->count, 1);
		return;
	}
	qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64, &programs, n);
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		int number = mark_number(insn);

		if (number >= 0)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, mark, CB_NO_REGS,
							       (void *)(uintptr_t)number);
	}
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (!strncmp(argv[i], "counts=", 7))
			out = fopen(argv[i] + 7, "w");
	if (!out) {
		fprintf(stderr, "profile-plugin: counts=PATH: cannot be written\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
