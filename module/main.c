// SPDX-License-Identifier: GPL-2.0
/* ktrace.ko: BSD's ktrace(2) for Linux. */
#include <linux/module.h>

#include "access.h"
#include "detach.h"
#include "dev.h"
#include "hooks.h"
#include "ktrace_version.h"
#include "session.h"
#include "settings.h"
#include "wchan.h"

static int __init ktrace_init(void)
{
	int err;

	err = ktrace_access_init();
	if (err)
		return err;
	err = ktrace_session_init(ktrace_detach_failed);
	if (err)
		goto err_access;
	err = ktrace_wchan_init();
	if (err)
		goto err_session;
	err = ktrace_hooks_init();
	if (err)
		goto err_wchan;
	err = ktrace_settings_init(ktrace_hooks_exclusive);
	if (err)
		goto err_hooks;
	err = ktrace_dev_init();
	if (err)
		goto err_settings;
	return 0;

err_settings:
	ktrace_settings_exit();
err_hooks:
	ktrace_hooks_exit();
err_wchan:
	ktrace_wchan_exit();
err_session:
	ktrace_session_exit();
err_access:
	ktrace_access_exit();
	return err;
}

/* Nothing is traced: every session pins the module. */
static void __exit ktrace_exit(void)
{
	ktrace_dev_exit();
	ktrace_settings_exit();
	ktrace_hooks_exit();
	ktrace_wchan_exit();
	ktrace_session_exit();
	ktrace_access_exit();
}

module_init(ktrace_init);
module_exit(ktrace_exit);

MODULE_DESCRIPTION("BSD ktrace: users record what their own processes do");
MODULE_AUTHOR("The ktrace for Linux developers");
MODULE_VERSION(KTRACE_VERSION);
MODULE_LICENSE("GPL");
