// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The panel below: what is selected, and tables of calls and processes.
 */

/* make("b", "text"), make("tr", child, child): text is never markup. */
function make(tag, ...children) {
	const element = document.createElement(tag);

	element.append(...children);
	return element;
}

function makeButton(text, action) {
	const button = make("button", text);

	button.addEventListener("click", action);
	return button;
}

function makeSwatch(cls) {
	const swatch = make("i");

	swatch.style.setProperty("--colour", `var(--${cls.id})`);
	return swatch;
}

/* A table that sorts by a click on a heading. Columns: { title, value, cell, text: left-aligned, wide }. */
class SortedTable {
	constructor(parent, columns, sortBy) {
		this.columns = columns;
		this.sortBy = sortBy;
		this.descending = true;
		this.rows = [];
		this.body = make("tbody");
		this.headings = columns.map((column) => this.heading(column));
		parent.append(make("table", make("thead", make("tr", ...this.headings)), this.body));
	}

	heading(column) {
		const heading = make("th", makeButton(column.title, () => {
			this.descending = this.sortBy === column ? !this.descending : !column.text;
			this.sortBy = column;
			this.show(this.rows);
		}));

		heading.scope = "col";
		if (column.text)
			heading.className = "text";
		return heading;
	}

	show(rows) {
		const { value } = this.sortBy, sign = this.descending ? -1 : 1;

		this.rows = rows;
		rows.sort((a, b) => {
			const x = value(a), y = value(b);

			return sign * (x < y ? -1 : x > y ? 1 : 0);
		});
		this.headings.forEach((heading, i) => {
			const sorted = this.columns[i] === this.sortBy;

			heading.setAttribute("aria-sort", sorted ? this.descending ? "descending" : "ascending" : "none");
		});
		/* Thousands of rows would make the page slow, and nobody reads them. */
		const shown = rows.slice(0, 1000).map((row) => make("tr", ...this.columns.map((column) => this.cell(column, row))));

		if (rows.length > shown.length)
			shown.push(make("tr", make("td", `and ${formatCount(rows.length - shown.length)} more`)));
		this.body.replaceChildren(...shown);
	}

	cell(column, row) {
		const cell = make("td", column.cell(row));

		cell.className = (column.text ? "text " : "") + (column.kind || "");
		return cell;
	}
}

/*
 * Sums of calls by @key (a number below @size, from an event): { key, count,
 * errors, total, most } for each that occurs.
 */
function sumCalls(model, size, key, isCounted) {
	const sums = Array(size).fill(null);

	for (let i = 0; i < model.count; i++) {
		if (model.kind[i] !== KIND.CALL || !isCounted(i))
			continue;
		const k = key(i), duration = model.duration[i];
		const sum = sums[k] || (sums[k] = { key: k, count: 0, errors: 0, total: 0, most: 0, returned: 0 });

		sum.count++;
		if (model.error[i])
			sum.errors++;
		if (model.flags[i] & FLAG_UNFINISHED)
			continue;
		sum.returned++;
		sum.total += duration;
		sum.most = Math.max(sum.most, duration);
	}
	return sums.filter((sum) => sum);
}

function countColumns() {
	const count = { title: "Count", value: (row) => row.count, cell: (row) => formatCount(row.count) };
	const errors = { title: "Errors", value: (row) => row.errors, cell: (row) => row.errors ? formatCount(row.errors) : "", kind: "error" };
	const total = { title: "Total", value: (row) => row.total, cell: (row) => formatDuration(row.total) };
	const mean = { title: "Mean", value: (row) => row.total / (row.returned || 1), cell: (row) => row.returned ? formatDuration(row.total / row.returned) : "" };
	const most = { title: "Max", value: (row) => row.most, cell: (row) => formatDuration(row.most) };

	return [count, errors, total, mean, most];
}

/* A query that finds all of that name. */
function searchFor(words, name) {
	return `${words.one}:${/\s/.test(name) ? `"${name}"` : name}`;
}

class Panel {
	/* @actions: select(event), zoomTo(event), search(text), linkOf(event), followLink(), showProcess(process), showThread(thread) */
	constructor(model, actions) {
		this.model = model;
		this.actions = actions;
		this.tabs = ["details", "calls", "processes"].map((id) => [document.getElementById("tab-" + id), document.getElementById(id)]);
		this.tabs.forEach(([tab], n) => {
			tab.addEventListener("click", () => this.open(n));
			tab.addEventListener("keydown", (event) => {
				const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];

				if (step)
					this.open((n + step + 3) % 3).focus();
			});
		});
		const [count, errors, total, mean, most] = countColumns();
		const { names, words } = model, classOf = (row) => words.classes[names[row.key].cls];
		const share = {
			title: "Share of time", text: true, kind: "share", value: (row) => row.total,
			cell: (row) => {
				const bar = make("span");

				bar.className = "bar";
				bar.style.setProperty("--colour", `var(--${classOf(row).id})`);
				bar.style.width = row.total / this.largest * 100 + "%";
				return bar;
			},
		};
		const call = {
			title: words.title, text: true, value: (row) => names[row.key].text,
			cell: (row) => {
				const button = makeButton(names[row.key].text, () => actions.search(searchFor(words, names[row.key].text)));
				const cell = make("span", makeSwatch(classOf(row)), button);

				button.title = "Search for it";
				return cell;
			},
		};
		const longest = {
			title: "Longest", text: true, value: (row) => row.most,
			cell: (row) => makeButton("show", () => actions.select(this.longest(row.key))),
		};

		const counts = words.areProcesses ? [count, errors, total, mean, most] : [count, total, mean, most];

		this.calls = new SortedTable(this.tabs[1][1], [call, ...counts, share, longest], total);
		this.lanes = new SortedTable(this.tabs[2][1], this.laneColumns(), total);
	}

	/* Of threads in groups, or of processes. */
	laneColumns() {
		const { model, actions } = this, [count, errors, total, mean, most] = countColumns();
		const thread = (row) => model.threads[row.key], process = (row) => model.processes[row.key];

		if (!model.words.areProcesses)
			return [
				{ title: "Lane", text: true, value: (row) => thread(row).name, cell: (row) => makeButton(thread(row).name, () => actions.showThread(thread(row))) },
				{ title: "Group", text: true, value: (row) => thread(row).process.name, cell: (row) => thread(row).process.name },
				count, total, mean, most,
			];
		return [
			{ title: "Process", value: (row) => process(row).pid, cell: (row) => makeButton(String(process(row).pid), () => actions.showProcess(process(row))) },
			{ title: "Name", text: true, value: (row) => process(row).name, cell: (row) => process(row).name },
			{ title: "Parent", value: (row) => process(row).parent?.pid || 0, cell: (row) => process(row).parent ? String(process(row).parent.pid) : "" },
			{ title: "Threads", value: (row) => process(row).threads.length, cell: (row) => String(process(row).threads.length) },
			{ title: "Start", value: (row) => process(row).start, cell: (row) => formatDuration(process(row).start - model.first) },
			{ title: "Lifetime", value: (row) => process(row).end - process(row).start, cell: (row) => formatDuration(process(row).end - process(row).start) },
			count, errors, { ...total, title: "In calls" },
			{ title: "Command", text: true, kind: "wide mono", value: (row) => process(row).command, cell: (row) => process(row).command },
		];
	}

	open(n) {
		this.tabs.forEach(([tab, panel], i) => {
			tab.setAttribute("aria-selected", i === n);
			tab.tabIndex = i === n ? 0 : -1;
			panel.hidden = i !== n;
		});
		return this.tabs[n][0];
	}

	/* Both tables anew. */
	count(isCounted) {
		const { model } = this;

		model.processes.forEach((process, n) => (process.number = n));
		this.isCounted = isCounted;
		const calls = sumCalls(model, model.names.length, (i) => model.name[i], isCounted);

		this.largest = calls.reduce((most, row) => Math.max(most, row.total), 1);
		this.calls.show(calls);
		if (model.words.areProcesses)
			this.lanes.show(sumCalls(model, model.processes.length, (i) => model.threads[model.thread[i]].process.number, isCounted));
		else
			this.lanes.show(sumCalls(model, model.threads.length, (i) => model.thread[i], isCounted));
	}

	longest(name) {
		const { model } = this;
		let best = -1;

		for (let i = 0; i < model.count; i++)
			if (model.kind[i] === KIND.CALL && model.name[i] === name && this.isCounted(i) && !(model.flags[i] & FLAG_UNFINISHED))
				if (best < 0 || model.duration[i] > model.duration[best])
					best = i;
		return best;
	}

	/* The same of what is in a group. */
	describeInGroup(i) {
		const { model } = this, thread = model.threads[model.thread[i]], rows = [];
		const title = { [KIND.CALL]: model.words.title, [KIND.COUNTER]: "Value", [KIND.MARK]: "Event" }[model.kind[i]];

		rows.push([title, model.callName(i)]);
		if (model.args[i])
			rows.push(["Attributes", model.strings[model.args[i]]]);
		const link = this.actions.linkOf(i);

		if (link)
			rows.push(["Linked to", link.name + (link.event < 0 ? ", which is not in this trace" : "")]);
		if (model.kind[i] !== KIND.MARK)
			rows.push(["Duration", (model.flags[i] & FLAG_UNFINISHED ? "more than " : "") + formatDuration(model.duration[i])]);
		rows.push(["Start", `${formatDuration(model.start[i] - model.first)} (${this.wallTime(model.start[i])})`]);
		rows.push(["Lane", thread.name], ["Group", thread.process.name]);
		return rows;
	}

	/* [title, text] of all there is to say about an event. */
	describe(i) {
		if (!this.model.words.areProcesses)
			return this.describeInGroup(i);
		const { model } = this, { strings } = model;
		const thread = model.threads[model.thread[i]], process = thread.process, rows = [];
		const unfinished = model.flags[i] & FLAG_UNFINISHED;

		rows.push([{ [KIND.CALL]: "Call", [KIND.SLEEP]: "Sleep", [KIND.MARK]: "Event" }[model.kind[i]], model.callName(i) + strings[model.args[i]]]);
		if (model.kind[i] === KIND.CALL)
			rows.push(["Result", unfinished ? "none: it did not return in this trace" : strings[model.result[i]]]);
		if (model.detail[i])
			rows.push(["Records", strings[model.detail[i]]]);
		if (model.kind[i] !== KIND.MARK)
			rows.push(["Duration", (unfinished ? "more than " : "") + formatDuration(model.duration[i])]);
		rows.push(["Start", `${formatDuration(model.start[i] - model.first)} (${this.wallTime(model.start[i])})`]);
		rows.push(["Process", `${process.pid} ${process.name}${process.parent ? `, child of ${process.parent.pid}` : ""}`]);
		if (process.command)
			rows.push(["Command", process.command]);
		if (process.threads.length > 1)
			rows.push(["Thread", `${thread.tid} ${thread.name}`]);
		return rows;
	}

	/* In UTC, to the microsecond. */
	wallTime(time) {
		const { model } = this;
		const ns = model.wallFraction + time, sec = model.wall + Math.floor(ns / 1e9);
		const date = new Date(sec * 1000);

		if (Number.isNaN(date.getTime()))
			return sec + " s";
		return date.toISOString().replace("T", " ").slice(0, -5) + "." + String(Math.floor((ns - Math.floor(ns / 1e9) * 1e9) / 1e3)).padStart(6, "0") + " UTC";
	}

	laneButton(thread) {
		if (!this.model.words.areProcesses)
			return makeButton("Its lane", () => this.actions.search(`lane:"${thread.name}"`));
		return makeButton("Its process", () => this.actions.search("pid:" + thread.pid));
	}

	details(i) {
		const panel = this.tabs[0][1];

		if (i < 0) {
			panel.replaceChildren(make("p", "Nothing is selected: click on something, or press ]."));
			return;
		}
		const table = make("table", make("tbody", ...this.describe(i).map(([title, text]) => {
			const heading = make("th", title), cell = make("td", text);

			heading.scope = "row";
			if (title === "Result" && this.model.error[i])
				cell.className = "error";
			return make("tr", heading, cell);
		})));
		const actions = make("div", makeButton("Zoom to it", () => this.actions.zoomTo(i)));

		actions.className = "actions";
		if (this.model.kind[i] === KIND.CALL)
			actions.append(makeButton(`All such ${this.model.words.many}`, () => this.actions.search(searchFor(this.model.words, this.model.callName(i)))));
		const link = this.actions.linkOf(i);

		if (link && link.event >= 0) {
			const button = makeButton(`Go to ${link.name}`, () => this.actions.followLink());

			button.className = "link";
			button.title = "What it is linked to (G)";
			actions.append(button);
		}
		actions.append(this.laneButton(this.model.threads[this.model.thread[i]]));
		panel.replaceChildren(table, actions);
	}
}
