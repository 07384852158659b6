// SPDX-License-Identifier: GPL-2.0
/* ktr.ko: BSD's ktr(4) for Linux. */
#include <linux/module.h>

#include "alq.h"
#include "anchor.h"
#include "control.h"
#include "crash.h"
#include "debugger.h"
#include "dev.h"
#include "events.h"
#include "formats.h"
#include "ktrace_version.h"
#include "sysctl.h"

static int __init ktr_init(void)
{
	int err;

	err = ktr_anchor_init();
	if (err)
		return err;
	err = ktr_formats_init();
	if (err)
		goto err_anchor;
	err = ktr_events_init();
	if (err)
		goto err_formats;
	err = ktr_control_init();
	if (err)
		goto err_events;
	err = ktr_alq_init();
	if (err)
		goto err_control;
	err = ktr_sysctl_init();
	if (err)
		goto err_alq;
	err = ktr_dev_init();
	if (err)
		goto err_sysctl;
	err = ktr_crash_init();
	if (err)
		goto err_dev;
	err = ktr_debugger_init();
	if (err)
		goto err_crash;
	return 0;

err_crash:
	ktr_crash_exit();
err_dev:
	ktr_dev_exit();
err_sysctl:
	ktr_sysctl_exit();
err_alq:
	ktr_alq_exit();
err_control:
	ktr_control_exit();
err_events:
	ktr_events_exit();
err_formats:
	ktr_formats_exit();
err_anchor:
	ktr_anchor_exit();
	return err;
}

/* Who calls ktr_tracepoint() pins the module, and so does an open device. */
static void __exit ktr_exit(void)
{
	ktr_debugger_exit();
	ktr_crash_exit();
	ktr_dev_exit();
	ktr_sysctl_exit();
	ktr_alq_exit();
	ktr_control_exit();
	ktr_events_exit();
	ktr_formats_exit();
	ktr_anchor_exit();
}

module_init(ktr_init);
module_exit(ktr_exit);

MODULE_DESCRIPTION("BSD ktr: the kernel's events, by class, in a ring of each CPU");
MODULE_AUTHOR("The ktrace for Linux developers");
MODULE_VERSION(KTRACE_VERSION);
MODULE_LICENSE("GPL");
