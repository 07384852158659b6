// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The trace: html_stream.c writes it as numbers and strings in base64, here it becomes
 * typed arrays, an element for each event.  html_stream.h has the format.
 *
 * Text of the trace is put into the page as textContent or onto a canvas, and
 * never as markup.
 */

const OP = { END: 0, STRING: 1, CALL_NAME: 2, THREAD: 3, RENAME: 4, CALL: 5, SLEEP: 6, MARK: 7, FORK: 8, COMMAND: 9, EXIT: 10, KIND: 11, POINT: 12, COUNTER: 13, NOTE: 14 };

/* A state is a KIND.CALL, too. */
const KIND = { CALL: 0, SLEEP: 1, MARK: 2, COUNTER: 3 };

/* As enum timeline_mark has them. */
const MARKS = ["signal", "fault", "user", "capability", "exec", "lost", "other"];

const FLAG_UNFINISHED = 1;
const FLAG_NAMED = 2; /* a mark whose name is one of names */
const NO_THREAD = 0xffffffff;

/* A typed array that grows. */
class Column {
	constructor(type) {
		this.data = new type(1 << 12);
		this.length = 0;
	}

	push(value) {
		if (this.length === this.data.length) {
			const larger = new this.data.constructor(this.length * 2);

			larger.set(this.data);
			this.data = larger;
		}
		this.data[this.length++] = value;
	}

	done() {
		return this.data.subarray(0, this.length);
	}
}

/* Numbers of 7 bits a byte, lowest first, across the chunks that the page has. */
class Stream {
	constructor(chunks) {
		this.chunks = chunks;
		this.next = 0;
		this.bytes = new Uint8Array(0);
		this.at = 0;
		this.decoder = new TextDecoder();
	}

	/* Each chunk begins with an operation. */
	more() {
		while (this.at >= this.bytes.length) {
			if (this.next >= this.chunks.length)
				return false;
			const chunk = this.chunks[this.next++], base64 = chunk.textContent;
			/* A file that is cut off ends anywhere. */
			const text = atob(base64.slice(0, base64.length - base64.length % 4));

			chunk.remove();
			this.bytes = new Uint8Array(text.length);
			for (let i = 0; i < text.length; i++)
				this.bytes[i] = text.charCodeAt(i);
			this.at = 0;
		}
		return true;
	}

	byte() {
		if (this.at >= this.bytes.length)
			throw new RangeError("the data end too early");
		return this.bytes[this.at++];
	}

	number() {
		let value = 0, scale = 1, byte;

		do {
			byte = this.byte();
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte & 128);
		return value;
	}

	signed() {
		const value = this.number();

		return value % 2 ? -(value + 1) / 2 : value / 2;
	}

	text() {
		const length = this.number(), end = this.at + length;

		if (end > this.bytes.length)
			throw new RangeError("the data end too early");
		const text = this.decoder.decode(this.bytes.subarray(this.at, end));

		this.at = end;
		return text;
	}
}

/* For each event of the list, and for its end: how many before it are counted. */
function countBefore(list, isCounted) {
	const before = new Uint32Array(list.length + 1);

	for (let n = 0; n < list.length; n++)
		before[n + 1] = before[n] + (isCounted(list[n]) ? 1 : 0);
	return before;
}

class Model {
	constructor() {
		[this.words] = WORDS;
		this.strings = [""]; /* string 0 is none */
		this.names = []; /* of calls: { text, mask: classes, cls: the main one } */
		this.values = []; /* of counters */
		this.threads = [];
		this.processes = [];
		this.byPid = new Map(); /* the latest process of that number */
		this.complete = false;
		this.records = 0;
		this.note = ""; /* what is left out */
		this.wall = 0; /* of time 0, in s since 1970 */
		this.wallFraction = 0; /* and ns */
	}

	/* One pass over the chunks: elements whose text is base64. */
	read(chunks) {
		const stream = new Stream(chunks);

		this.columns = {
			thread: new Column(Uint32Array), start: new Column(Float64Array), duration: new Column(Float64Array),
			kind: new Column(Uint8Array), flags: new Column(Uint8Array), name: new Column(Uint32Array),
			args: new Column(Uint32Array), result: new Column(Uint32Array), error: new Column(Uint16Array),
			detail: new Column(Uint32Array),
		};
		this.time = 0;
		try {
			while (!this.complete && stream.more())
				this.operation(stream, stream.byte());
		} catch (error) {
			if (!(error instanceof RangeError))
				throw error;
		}
		for (const [name, column] of Object.entries(this.columns))
			this[name] = column.done();
		this.count = this.thread.length;
		delete this.columns;
		this.build();
	}

	operation(stream, op) {
		switch (op) {
		case OP.STRING:
			this.strings.push(stream.text());
			break;
		case OP.CALL_NAME:
			this.addName(stream);
			break;
		case OP.THREAD:
			this.addThread(stream);
			break;
		case OP.RENAME:
			this.rename(this.threads[stream.number()], this.strings[stream.number()]);
			break;
		case OP.CALL:
			this.add(stream, KIND.CALL);
			break;
		case OP.SLEEP:
			this.add(stream, KIND.SLEEP);
			break;
		case OP.MARK:
			this.add(stream, KIND.MARK);
			break;
		case OP.POINT:
			this.add(stream, KIND.MARK, FLAG_NAMED);
			break;
		case OP.COUNTER:
			this.addCounter(stream);
			break;
		case OP.FORK:
			this.fork(stream);
			break;
		case OP.COMMAND:
			this.threads[stream.number()].process.command = this.strings[stream.number()];
			break;
		case OP.EXIT:
			this.exit(this.threads[stream.number()], this.moment(stream));
			break;
		case OP.KIND:
			this.setWords(stream.number());
			break;
		case OP.NOTE:
			this.note = stream.text();
			break;
		case OP.END:
			this.records = stream.number();
			this.wall = stream.signed();
			this.wallFraction = stream.number();
			this.complete = true;
			break;
		default:
			throw new RangeError("unknown operation");
		}
	}

	setWords(kind) {
		if (!WORDS[kind])
			throw new RangeError("unknown kind");
		this.words = WORDS[kind];
	}

	/* The one that gives its colour. */
	mainClass(mask) {
		const { classes, order } = this.words;
		const id = order.find((name) => mask & 1 << classes.findIndex((cls) => cls.id === name));

		return classes.findIndex((cls) => cls.id === (id || "other"));
	}

	/* Times are differences from the one before in the stream. */
	moment(stream) {
		this.time += stream.signed();
		return this.time;
	}

	addName(stream) {
		const mask = stream.number() || 1 << this.words.classes.length - 1;

		this.names.push({ mask, cls: this.mainClass(mask), text: stream.text() });
	}

	addThread(stream) {
		const pid = stream.signed(), tid = stream.signed(), name = this.strings[stream.number()];
		const start = this.moment(stream);
		let process = this.byPid.get(pid);

		if (!process || process.ended) {
			process = { pid, name, start, end: start, ended: false, parent: null, children: [], threads: [], command: "" };
			this.byPid.set(pid, process);
			this.processes.push(process);
		}
		const thread = { index: this.threads.length, pid, tid, name, process, start, end: start };

		process.threads.push(thread);
		this.threads.push(thread);
	}

	rename(thread, name) {
		thread.name = name;
		if (thread === thread.process.threads[0])
			thread.process.name = name;
	}

	/* The parent's record may come after the child's first ones. */
	fork(stream) {
		const parent = this.threads[stream.number()].process, child = this.threads[stream.number()].process;

		for (let p = parent; p; p = p.parent)
			if (p === child)
				return;
		if (child.parent)
			return;
		child.parent = parent;
		parent.children.push(child);
	}

	exit(thread, time) {
		thread.process.ended = true;
		thread.process.end = Math.max(thread.process.end, time);
	}

	/* A value from one time to another. */
	addCounter(stream) {
		const columns = this.columns, thread = stream.number(), start = this.moment(stream), duration = stream.number();

		for (const column of Object.values(columns))
			column.push(0);
		const i = columns.thread.length - 1;

		columns.thread.data[i] = thread;
		columns.start.data[i] = start;
		columns.kind.data[i] = KIND.COUNTER;
		columns.duration.data[i] = duration;
		columns.name.data[i] = this.values.push(stream.signed()) - 1;
	}

	add(stream, kind, flags = 0) {
		const columns = this.columns, thread = stream.number(), start = this.moment(stream);

		columns.thread.push(thread);
		columns.start.push(start);
		columns.kind.push(kind);
		columns.duration.push(kind === KIND.MARK ? 0 : stream.number());
		columns.flags.push(kind === KIND.MARK ? flags : stream.number());
		columns.name.push(kind === KIND.SLEEP ? 0 : stream.number());
		columns.args.push(stream.number());
		columns.result.push(kind === KIND.CALL ? stream.number() : 0);
		columns.error.push(kind === KIND.CALL ? stream.number() : 0);
		columns.detail.push(kind === KIND.CALL ? stream.number() : 0);
	}

	/* What drawing needs: for each thread its calls in order, its sleeps and its marks, and sums up to each. */
	build() {
		const lists = this.threads.map(() => [[], [], [], []]);

		this.first = Infinity;
		this.last = -Infinity;
		for (let i = 0; i < this.count; i++) {
			const thread = this.threads[this.thread[i]], end = this.start[i] + this.duration[i];

			lists[this.thread[i]][this.kind[i]].push(i);
			thread.start = Math.min(thread.start, this.start[i]);
			thread.end = Math.max(thread.end, end);
			this.first = Math.min(this.first, this.start[i]);
			this.last = Math.max(this.last, end);
		}
		if (this.first > this.last)
			this.first = this.last = 0;
		if (this.last === this.first)
			this.last = this.first + 1000;
		for (const thread of this.threads) {
			const process = thread.process;

			[thread.calls, thread.sleeps, thread.marks, thread.counters] = lists[thread.index].map((list) => this.sorted(list));
			thread.errors = countBefore(thread.calls, (i) => this.error[i]);
			process.start = Math.min(process.start, thread.start);
			process.end = Math.max(process.end, thread.end);
		}
		this.mostOf = this.words.areProcesses ? null : this.mostByProcess();
		this.order();
	}

	sorted(list) {
		const { start } = this;
		const indexes = Uint32Array.from(list);

		for (let i = 1; i < indexes.length; i++)
			if (start[indexes[i]] < start[indexes[i - 1]])
				return indexes.sort((a, b) => start[a] - start[b] || a - b);
		return indexes;
	}

	/* The largest value of a group of counters: they have the same scale. */
	mostByProcess() {
		const most = new Map();

		for (let i = 0; i < this.count; i++) {
			if (this.kind[i] !== KIND.COUNTER)
				continue;
			const { process } = this.threads[this.thread[i]];

			most.set(process, Math.max(most.get(process) || 1, this.valueOf(i)));
		}
		return most;
	}

	/* Groups as they are numbered, by name in each. */
	orderGroups() {
		const byName = new Intl.Collator("en", { numeric: true }).compare;

		this.tree = [...this.processes].sort((a, b) => a.pid - b.pid);
		for (const group of this.tree) {
			group.depth = 0;
			group.name = group.command;
			group.threads.sort((a, b) => byName(a.name, b.name) || a.index - b.index);
		}
	}

	/* Parents before their children, by time. */
	order() {
		if (!this.words.areProcesses) {
			this.orderGroups();
			return;
		}
		const byStart = (a, b) => a.start - b.start || a.pid - b.pid;
		const roots = this.processes.filter((process) => !process.parent).sort(byStart);
		const stack = roots.reverse().map((process) => [process, 0]);

		this.tree = [];
		while (stack.length) {
			const [process, depth] = stack.pop();

			process.depth = depth;
			this.tree.push(process);
			for (const child of process.children.sort(byStart).reverse())
				stack.push([child, depth + 1]);
		}
	}

	callName(i) {
		switch (this.kind[i]) {
		case KIND.CALL:
			return this.names[this.name[i]].text;
		case KIND.SLEEP:
			return "asleep";
		case KIND.COUNTER:
			return String(this.valueOf(i));
		default:
			return this.flags[i] & FLAG_NAMED ? this.names[this.name[i]].text : this.markName(i);
		}
	}

	/* One of MARKS. */
	markName(i) {
		return this.flags[i] & FLAG_NAMED ? "other" : MARKS[this.name[i]] || "other";
	}

	valueOf(i) {
		return this.values[this.name[i]];
	}

	classOf(i) {
		return this.kind[i] === KIND.CALL ? this.names[this.name[i]].cls : -1;
	}

	/* The first element of the sorted @list that begins at @time or later. */
	search(list, time) {
		let low = 0, high = list.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (this.start[list[middle]] < time)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}
}

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/* 1234567 -> 1.235 ms */
function formatDuration(ns) {
	const size = Math.abs(ns);

	for (const [unit, name] of UNITS)
		if (size >= unit || unit === 1)
			return Number((ns / unit).toPrecision(size / unit >= 1000 ? 6 : 4)) + " " + name;
	return "0 ns";
}

function formatCount(number) {
	return number.toLocaleString("en-US");
}

/* "1 call", "12 calls" */
function formatCounted(number, one, many) {
	return `${formatCount(number)} ${number === 1 ? one : many}`;
}
