// SPDX-License-Identifier: GPL-2.0
#include <linux/kdebug.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/security.h>

#include "../compat.h"
#include "crash.h"
#include "message.h"
#include "record.h"
#include "sys/ktr.h"
#include "walk.h"

unsigned int ktr_crash_entries;
module_param_named(crash, ktr_crash_entries, uint, 0444);
MODULE_PARM_DESC(crash, "debug.ktr.crash at first: events to the console in a crash (0)");

/* What a dump works with: of who walks. */
static struct ktr_slot slot;
static char line[KTR_MESSAGE_SIZE];
/* Time of the last event that was printed: a panic that follows an oops goes on from there. */
static u64 printed;

/*
 * Of the newest, those that were not printed: the oldest first, so that the
 * newest is what the console ends with.
 */
static void dump(unsigned int entries, bool last)
{
	bool begun = false;
	unsigned int n = 0;

	if (!entries || !ktr_walk_begin(last))
		return;
	while (n < entries && ktr_walk_back(&slot))
		n++;
	while (ktr_walk_forward(&slot)) {
		if (slot.entry.timestamp <= printed)
			continue;
		printed = slot.entry.timestamp;
		if (!begun)
			pr_emerg("ktr: the newest events:\n");
		begun = true;
		ktr_message_line(&ktr_pool, &slot, KTR_WITH_TIME | KTR_WITH_PLACE, line,
				 sizeof(line));
		pr_emerg("ktr: %s\n", line);
	}
	ktr_walk_end();
}

static int died(struct notifier_block *block, unsigned long what, void *args)
{
	if (what == DIE_OOPS)
		dump(READ_ONCE(ktr_crash_entries), false);
	return NOTIFY_DONE;
}

/*
 * Nothing is recorded any more: what led here stays, for a dump of the memory,
 * too.  The other CPUs are stopped, and one may have been in the middle of a dump.
 */
static int panicked(struct notifier_block *block, unsigned long what, void *args)
{
	WRITE_ONCE(ktr_mask, 0);
	dump(READ_ONCE(ktr_crash_entries), true);
	return NOTIFY_DONE;
}

static struct notifier_block die_block = { .notifier_call = died };
static struct notifier_block panic_block = { .notifier_call = panicked };

/**
 * ktr_crash_set - so many events go to the console in a crash from now on
 * @entries: 0: none
 *
 * Return: 0, -EPERM (lockdown): nothing has changed.
 */
int ktr_crash_set(unsigned int entries)
{
	/* After an oops, the log has what nobody may see. */
	int err = entries ? security_locked_down(LOCKDOWN_TRACEFS) : 0;

	if (!err)
		WRITE_ONCE(ktr_crash_entries, entries);
	return err;
}

/** ktr_crash_init - Context: module init.  Return: 0 or -errno. */
int ktr_crash_init(void)
{
	int err = ktr_crash_set(ktr_crash_entries);

	if (!err)
		err = register_die_notifier(&die_block);
	if (err)
		return err;
	err = atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	if (err)
		unregister_die_notifier(&die_block);
	return err;
}

/** ktr_crash_exit - undo ktr_crash_init() */
void ktr_crash_exit(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &panic_block);
	unregister_die_notifier(&die_block);
}
