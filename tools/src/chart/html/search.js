// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queries: words that must all match, as the field's tooltip says.
 */

const TIME_UNITS = { ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9 };

/* Splits at spaces outside of quotes: [{ not, key, value }]. */
function parseQuery(text) {
	const words = [];

	for (const match of text.matchAll(/(-?)(?:(\w+):)?(?:"([^"]*)"?|(\S+))/g)) {
		const value = match[3] ?? match[4];

		words.push({ not: match[1] === "-", key: (match[2] || "").toLowerCase(), value: value.toLowerCase(), quoted: match[3] !== undefined });
	}
	return words;
}

/* A word as a function of an event, or null when it says nothing. */
function wordTest(model, word) {
	switch (word.key) {
	case "call":
	case "state":
		return (i) => model.kind[i] === KIND.CALL && model.names[model.name[i]].text === word.value;
	case "lane":
		return (i) => model.threads[model.thread[i]].name.toLowerCase() === word.value;
	case "pid":
		return (i) => String(model.threads[model.thread[i]].pid) === word.value;
	case "tid":
		return (i) => String(model.threads[model.thread[i]].tid) === word.value;
	case "class": {
		const n = model.words.classes.findIndex((cls) => cls.id === word.value), bit = n < 0 ? 0 : 1 << n;

		return (i) => model.kind[i] === KIND.CALL && (model.names[model.name[i]].mask & bit) !== 0;
	}
	case "errno":
		if (/^\d+$/.test(word.value))
			return (i) => model.error[i] === Number(word.value);
		return textTest(model, `(${word.value})`);
	}
	if (!word.key && !word.quoted) {
		const slower = /^([<>])([\d.]+)(ns|us|µs|ms|s)$/.exec(word.value);

		if (slower) {
			const limit = Number(slower[2]) * TIME_UNITS[slower[3]];

			return slower[1] === ">" ? (i) => model.kind[i] !== KIND.MARK && model.duration[i] > limit
				: (i) => model.kind[i] !== KIND.MARK && model.duration[i] < limit;
		}
		if (word.value === "error")
			return (i) => model.error[i] !== 0;
	}
	return textTest(model, word.key ? word.key + ":" + word.value : word.value);
}

/* Strings are far fewer than events: look at each of them once. */
function textTest(model, text) {
	if (!text)
		return null;
	const found = Uint8Array.from(model.strings, (s) => s.toLowerCase().includes(text));
	const names = model.names.map((name) => name.text.toLowerCase().includes(text));
	const marks = MARKS.map((name) => name.includes(text));
	const threads = model.threads.map((thread) => [thread.name, thread.process.command].some((s) => s.toLowerCase().includes(text)));

	return (i) => {
		if (found[model.args[i]] || found[model.result[i]] || found[model.detail[i]] || threads[model.thread[i]])
			return true;
		if (model.kind[i] === KIND.CALL || model.flags[i] & FLAG_NAMED)
			return names[model.name[i]];
		return model.kind[i] === KIND.MARK && marks[model.name[i]];
	};
}

/*
 * What matches, as { matches: an element for each event, list: the events in
 * order of time, before: see matchesOf() }; null when the query is empty.
 */
function runQuery(model, text) {
	const tests = [];

	for (const word of parseQuery(text)) {
		const test = wordTest(model, word);

		if (test)
			tests.push(word.not ? (i) => !test(i) : test);
	}
	if (!tests.length)
		return null;
	const matches = new Uint8Array(model.count), list = [];

	for (let i = 0; i < model.count; i++) {
		if (tests.every((test) => test(i))) {
			matches[i] = 1;
			list.push(i);
		}
	}
	return { matches, list: model.sorted(list), before: new Map() };
}
