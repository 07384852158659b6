// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"use strict";
/*
 * What the lanes show, by enum html_kind, and what the page says about it.  Bit
 * n of an event's classes is classes[n], and --ID its colour; the class that
 * gives an event its colour is the first one in order: that which says most
 * about it.  texts are of elements of the page.
 */
const WORDS = [
	{
		areProcesses: true, one: "call", many: "calls", title: "Call", lanes: "processes", record: "record", records: "records",
		classes: [
			{ id: "file", title: "files" },
			{ id: "desc", title: "descriptors" },
			{ id: "net", title: "network" },
			{ id: "process", title: "processes" },
			{ id: "memory", title: "memory" },
			{ id: "signal", title: "signals" },
			{ id: "ipc", title: "IPC" },
			{ id: "other", title: "other" },
		],
		order: ["net", "ipc", "memory", "process", "signal", "file", "desc"],
		texts: {},
	},
	{
		areProcesses: false, one: "state", many: "states", title: "State", lanes: "lanes", record: "event", records: "events",
		classes: [
			{ id: "cpu", title: "threads on CPUs" },
			{ id: "running", title: "running" },
			{ id: "runnable", title: "waiting for a CPU" },
			{ id: "asleep", title: "asleep" },
			{ id: "blocked", title: "blocked" },
			{ id: "idle", title: "idle" },
			{ id: "other", title: "other" },
		],
		order: ["cpu", "running", "runnable", "asleep", "blocked", "idle"],
		texts: {
			"tab-calls": "States", "tab-processes": "Lanes", "search-words": "state:running class:asleep lane:\"CPU 0\" >1ms \"two words\" -not",
			"search-places": "states, attributes, texts of events and names of lanes", "step-key": "select the previous or next state of the lane",
		},
	},
];
