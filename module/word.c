// SPDX-License-Identifier: GPL-2.0
#include "emit.h"

/**
 * ktrace_emit_word - a word of current's memory, of the caller's size
 * @addr: where it is
 * @compat: it has 32 bits
 * @word: gets it
 *
 * Context: guarded; without a fault.
 * Return: false if it cannot be read.
 */
bool ktrace_emit_word(unsigned long addr, bool compat, unsigned long *word)
{
	u32 half;

	if (!compat)
		return ktrace_emit_copy_pointers(word, addr, sizeof(*word));
	if (!ktrace_emit_copy_pointers(&half, addr, sizeof(half)))
		return false;
	*word = half;
	return true;
}
