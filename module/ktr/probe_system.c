// SPDX-License-Identifier: GPL-2.0
/* KTR_INIT: modules.  KTR_EVH: what drivers are told of.  KTR_GEN: the rest. */
#include <linux/cgroup.h>
#include <linux/module.h>
#include <linux/pm_qos.h>
#include <linux/workqueue.h>
#include <trace/events/cgroup.h>
#include <trace/events/initcall.h>
#include <trace/events/module.h>
#include <trace/events/power.h>
#include <trace/events/workqueue.h>

#include "events.h"

static void probe_load(void *data, struct module *module)
{
	CTR2(KTR_INIT, "module %s: loaded at %p", module->name, module);
}

static void probe_unload(void *data, struct module *module)
{
	CTR1(KTR_INIT, "module %s: unloaded", module->name);
}

static void probe_get(void *data, struct module *module, unsigned long caller)
{
	CTR2(KTR_INIT, "module %s: taken by %p", module->name, caller);
}

static void probe_put(void *data, struct module *module, unsigned long caller)
{
	CTR2(KTR_INIT, "module %s: released by %p", module->name, caller);
}

static void probe_request(void *data, char *name, bool wait, unsigned long caller)
{
	CTR3(KTR_INIT, "module %s: asked for by %p, %s", name, caller,
	     wait ? "who waits" : "who goes on");
}

static void probe_initcall_start(void *data, initcall_t function)
{
	CTR1(KTR_INIT, "initcall %p: begins", function);
}

static void probe_initcall_finish(void *data, initcall_t function, int ret)
{
	CTR2(KTR_INIT, "initcall %p: done, result %d", function, ret);
}

static void probe_suspend(void *data, const char *action, int value, bool start)
{
	CTR3(KTR_EVH, "power: %s %d %s", action, value, start ? "begins" : "ends");
}

static void probe_qos_add(void *data, s32 value)
{
	CTR1(KTR_EVH, "cpu latency: request %d added", value);
}

static void probe_qos_update(void *data, s32 value)
{
	CTR1(KTR_EVH, "cpu latency: request changed to %d", value);
}

static void probe_qos_remove(void *data, s32 value)
{
	CTR1(KTR_EVH, "cpu latency: request %d removed", value);
}

static void probe_wakeup_on(void *data, const char *name, unsigned int state)
{
	CTR2(KTR_EVH, "wakeup source %s: on, state %#x", name, state);
}

static void probe_wakeup_off(void *data, const char *name, unsigned int state)
{
	CTR2(KTR_EVH, "wakeup source %s: off, state %#x", name, state);
}

static void probe_frequency(void *data, unsigned int khz, unsigned int cpu)
{
	CTR2(KTR_EVH, "cpu %u: frequency %u kHz", cpu, khz);
}

static void probe_work_start(void *data, struct work_struct *work)
{
	CTR2(KTR_GEN, "work %p: exec %p", work, work->func);
}

/* The work may be gone by now. */
static void probe_work_end(void *data, struct work_struct *work, work_func_t function)
{
	CTR2(KTR_GEN, "work %p: finished %p", work, function);
}

static void probe_cgroup_mkdir(void *data, struct cgroup *cgroup, const char *path)
{
	CTR1(KTR_GEN, "cgroup %s: made", path);
}

static void probe_cgroup_rmdir(void *data, struct cgroup *cgroup, const char *path)
{
	CTR1(KTR_GEN, "cgroup %s: removed", path);
}

static struct ktr_event events[] = {
	KTR_TRACEPOINT(KTR_INIT, module_load, probe_load),
	KTR_TRACEPOINT(KTR_INIT, module_free, probe_unload),
	KTR_TRACEPOINT(KTR_INIT, module_get, probe_get),
	KTR_TRACEPOINT(KTR_INIT, module_put, probe_put),
	KTR_TRACEPOINT(KTR_INIT, module_request, probe_request),
	KTR_TRACEPOINT(KTR_INIT, initcall_start, probe_initcall_start),
	KTR_TRACEPOINT(KTR_INIT, initcall_finish, probe_initcall_finish),
	KTR_TRACEPOINT(KTR_EVH, suspend_resume, probe_suspend),
	KTR_TRACEPOINT(KTR_EVH, pm_qos_add_request, probe_qos_add),
	KTR_TRACEPOINT(KTR_EVH, pm_qos_update_request, probe_qos_update),
	KTR_TRACEPOINT(KTR_EVH, pm_qos_remove_request, probe_qos_remove),
	KTR_TRACEPOINT(KTR_EVH, wakeup_source_activate, probe_wakeup_on),
	KTR_TRACEPOINT(KTR_EVH, wakeup_source_deactivate, probe_wakeup_off),
	KTR_TRACEPOINT(KTR_EVH, cpu_frequency, probe_frequency),
	KTR_TRACEPOINT(KTR_GEN, workqueue_execute_start, probe_work_start),
	KTR_TRACEPOINT(KTR_GEN, workqueue_execute_end, probe_work_end),
	KTR_TRACEPOINT(KTR_GEN, cgroup_mkdir, probe_cgroup_mkdir),
	KTR_TRACEPOINT(KTR_GEN, cgroup_rmdir, probe_cgroup_rmdir),
};

const struct ktr_events ktr_events_system = { events, ARRAY_SIZE(events) };
