// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The page: what its parts show, and what keys and buttons do.
 */

/* From there on they share lanes, until told not to. */
const MANY_THREADS = 60;

/* px from the pointer */
const TIP_DISTANCE = 14;

class Page {
	constructor(model) {
		const get = (id) => document.getElementById(id);

		this.model = model;
		this.elements = { tip: get("tip"), canvas: get("lanes"), scroll: get("scroll"), extent: get("extent"), query: get("query"), only: get("only"), active: get("active"), shared: get("shared"), inView: get("in-view"), panel: get("panel"), divider: get("divider"), keys: get("keys") };
		this.lanes = new DrawnLanes(model, this.elements.canvas);
		this.links = this.lanes.links = new Links(model);
		this.overview = new Overview(this.lanes, get("overview"));
		this.panel = new Panel(model, {
			select: (i) => this.select(i, true),
			zoomTo: (i) => this.zoomTo(i),
			search: (text) => this.search(text),
			linkOf: (i) => this.links.of(i),
			followLink: () => this.followLink(),
			showProcess: (process) => this.showProcess(process),
			showThread: (thread) => this.showThread(thread),
		});
		this.range = null; /* being drawn with the mouse */
		this.texts();
		this.facts();
		this.legend();
		listenLanes(this);
		listenOverview(this);
		this.listenControls();
		listenDivider(this);
		document.addEventListener("keydown", (event) => this.key(event));
		window.addEventListener("resize", () => this.resize());
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme());
		this.setTheme();
		this.elements.shared.checked = this.lanes.shared = model.words.areProcesses && model.threads.length > MANY_THREADS;
		this.lanes.arrange(false);
		this.lanes.show(model.first, model.last);
		this.panel.open(1);
		this.recount();
		this.changed();
	}

	facts() {
		const { model } = this;
		const calls = model.kind.reduce((sum, kind) => sum + (kind === KIND.CALL ? 1 : 0), 0);
		const losses = model.kind.reduce((sum, kind, i) => sum + (kind === KIND.MARK && model.markName(i) === "lost" ? 1 : 0), 0);
		const facts = [
			formatDuration(model.last - model.first), formatCounted(calls, model.words.one, model.words.many),
			...this.laneFacts(), formatCounted(model.records, model.words.record, model.words.records),
		];

		if (losses)
			facts.push(losses === 1 ? "records lost in one place" : `records lost in ${formatCount(losses)} places`);
		if (model.note)
			facts.push(`not complete: ${model.note}`);
		if (!model.complete)
			facts.push("this file is cut off: the rest of the trace is missing");
		document.getElementById("facts").textContent = facts.join(" · ");
		const name = this.title();

		document.getElementById("title").textContent = name;
		document.title = name.slice(0, 80) + " – trace";
	}

	laneFacts() {
		const { processes, threads, words } = this.model;

		if (!words.areProcesses)
			return [formatCounted(threads.length, "lane", "lanes")];
		return [formatCounted(processes.length, "process", "processes"), formatCounted(threads.length, "thread", "threads")];
	}

	title() {
		const [root] = this.model.tree;

		if (!this.model.words.areProcesses)
			return "ktr";
		return root ? root.command || `${root.name} ${root.pid}` : "Trace";
	}

	/* The page's own words are those for calls. */
	texts() {
		const { texts } = this.model.words;

		for (const [id, text] of Object.entries(texts))
			document.getElementById(id).textContent = text;
		if (this.model.words.areProcesses)
			return;
		this.elements.query.placeholder = "Search: state, lane, text, >1ms";
		this.elements.query.title = `Words must all match. ${texts["search-words"]}`;
		this.elements.shared.parentElement.hidden = true;
		for (const id of ["link-key", "link-text"])
			document.getElementById(id).hidden = false;
		this.elements.active.parentElement.title = "Hide lanes with nothing in the part shown (A)";
		document.getElementById("legend").setAttribute("aria-label", "Classes of states");
	}

	legend() {
		const used = new Set(this.model.names.map((name) => name.cls)), legend = document.getElementById("legend");

		this.model.words.classes.forEach((cls, n) => {
			if (!used.has(n))
				return;
			const button = makeButton("", () => {
				const show = this.lanes.hidden.delete(n);

				if (!show)
					this.lanes.hidden.add(n);
				button.setAttribute("aria-pressed", show);
				this.filtered();
			});

			button.append(makeSwatch(cls), cls.title);
			button.title = `Show or hide these ${this.model.words.many}`;
			button.setAttribute("aria-pressed", true);
			legend.append(button);
		});
	}

	setTheme(theme) {
		this.theme = theme || this.theme;
		const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

		document.documentElement.dataset.theme = this.theme || system;
		this.lanes.colours = readColours(this.model.words.classes);
		this.changed();
	}

	switchTheme() {
		this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
	}

	resize() {
		this.lanes.resize();
		this.overview.resize();
		this.lanes.scrollTo(this.lanes.top);
		this.changed();
	}

	/* Something looks different: draw once, at the next frame. */
	changed() {
		if (this.pending)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			this.pending = false;
			if (this.elements.active.checked)
				this.lanes.arrange(true);
			this.elements.extent.style.height = this.lanes.contentHeight + "px";
			if (this.elements.scroll.scrollTop !== Math.round(this.lanes.top))
				this.elements.scroll.scrollTop = this.lanes.top;
			this.lanes.draw();
			this.overview.draw(this.range);
		});
		if (this.elements.inView.checked) {
			clearTimeout(this.timer);
			this.timer = setTimeout(() => this.recount(), 200);
		}
	}

	/* The tables count what is shown and, when there is a query, matches. */
	recount() {
		const { lanes, model } = this, inView = this.elements.inView.checked;

		this.panel.count((i) => lanes.isShown(i) && (!lanes.query || lanes.query.matches[i]) &&
			(!inView || (model.start[i] <= lanes.to && model.start[i] + model.duration[i] >= lanes.from)));
	}

	filtered() {
		this.lanes.arrange(this.elements.active.checked);
		this.overview.counts = null;
		this.recount();
		this.changed();
	}

	search(text) {
		this.elements.query.value = text;
		this.lanes.query = runQuery(this.model, text);
		this.position = -1;
		this.showMatches();
		this.filtered();
	}

	showMatches() {
		const { query } = this.lanes, status = document.getElementById("matches");

		if (!query)
			status.textContent = "";
		else if (this.position >= 0)
			status.textContent = `${formatCount(this.position + 1)} of ${formatCount(query.list.length)}`;
		else
			status.textContent = formatCounted(query.list.length, "match", "matches");
	}

	/* The next match after what is selected, or in view. */
	step(direction) {
		const { query } = this.lanes;

		if (!query || !query.list.length)
			return;
		const { length } = query.list;

		if (this.position >= 0 && query.list[this.position] === this.lanes.selected)
			this.position = (this.position + direction + length) % length;
		else
			this.position = direction > 0 ? this.model.search(query.list, this.lanes.from) % length
				: (this.model.search(query.list, this.lanes.to) - 1 + length) % length;
		this.select(query.list[this.position], true);
		this.showMatches();
	}

	/* @reveal: move there. */
	select(i, reveal) {
		this.lanes.selected = i;
		this.panel.details(i);
		if (i >= 0) {
			this.panel.open(0);
			if (reveal)
				this.reveal(i);
		}
		this.changed();
	}

	reveal(i) {
		const { lanes, model } = this, start = model.start[i], end = start + model.duration[i];

		if (end < lanes.from || start > lanes.to) {
			const half = lanes.span / 2, middle = Math.min((start + end) / 2, start + half);

			lanes.show(middle - half, middle + half);
		} else if (end - start < lanes.span / lanes.plotWidth * 2) {
			/* Too narrow to be seen: closer, in steps that keep what is around it. */
			const span = Math.max((end - start) * 60, lanes.span / 20, 1000);

			lanes.show(start - span / 2, start + span / 2);
		}
		this.revealLane(model.threads[model.thread[i]]);
	}

	revealLane(thread) {
		if (this.elements.active.checked)
			this.lanes.arrange(true);
		const { lanes } = this, index = lanes.laneOf(thread), top = lanes.laneTop(index);

		if (index >= 0 && (top < AXIS_HEIGHT || top + lanes.laneHeight > lanes.height))
			lanes.scrollTo(lanes.top + top - lanes.height / 2);
	}

	zoomTo(i) {
		const { model } = this, span = Math.max(model.duration[i], MIN_SPAN * 4);

		this.lanes.show(model.start[i] - span * .25, model.start[i] + span * 1.25);
		this.revealLane(model.threads[model.thread[i]]);
		this.changed();
	}

	showProcess(process) {
		const span = Math.max(process.end - process.start, MIN_SPAN);

		this.lanes.show(process.start - span * .05, process.end + span * .05);
		this.revealLane(process.threads[0]);
		this.changed();
	}

	showThread(thread) {
		if (this.model.words.areProcesses) {
			this.showProcess(thread.process);
			return;
		}
		this.lanes.show(thread.start, thread.end);
		this.revealLane(thread);
		this.changed();
	}

	fit() {
		this.lanes.show(this.model.first, this.model.last);
		this.changed();
	}

	/* To what is linked with what is selected. */
	followLink() {
		const link = this.links.of(this.lanes.selected), { only } = this.elements;

		if (!link || link.event < 0)
			return;
		if (only.checked && !this.lanes.query?.matches[link.event])
			only.click();
		this.select(link.event, true);
	}

	/* The previous or next call of the thread that is selected, or of the first lane. */
	stepCall(direction) {
		const { lanes, model } = this;

		if (lanes.selected < 0) {
			const lane = lanes.lanes[Math.max(0, lanes.laneAt(AXIS_HEIGHT + lanes.laneHeight / 2))];
			const calls = lane ? lane.threads.find((thread) => thread.end >= lanes.from)?.calls : null;
			const n = calls ? model.search(calls, lanes.from) : 0;

			if (calls && n < calls.length)
				this.select(calls[n], true);
			return;
		}
		const { calls } = model.threads[model.thread[lanes.selected]];
		let n = model.search(calls, model.start[lanes.selected]) + (model.kind[lanes.selected] === KIND.CALL || direction < 0 ? direction : 0);

		while (n >= 0 && n < calls.length && !lanes.isShown(calls[n]))
			n += direction;
		if (n >= 0 && n < calls.length)
			this.select(calls[n], true);
	}

	click(event) {
		const { lanes } = this, lane = lanes.lanes[lanes.laneAt(event.offsetY)];

		if (event.offsetX < LABEL_WIDTH && lane?.threads.length === 1)
			this.showThread(lane.threads[0]);
		else
			this.select(lanes.hit(event.offsetX, event.offsetY), false);
	}

	tip(event) {
		const { tip, canvas } = this.elements, { lanes, model } = this;
		const i = lanes.hit(event.offsetX, event.offsetY), lane = lanes.lanes[lanes.laneAt(event.offsetY)];

		if (event.offsetX < LABEL_WIDTH && lane?.threads.length === 1) {
			tip.replaceChildren(...this.laneTip(lane.threads[0]));
		} else if (i >= 0) {
			const lines = [make("b", model.callName(i)), model.strings[model.args[i]].slice(0, 600)];

			if (model.kind[i] === KIND.CALL && model.words.areProcesses)
				lines.push(` = ${model.flags[i] & FLAG_UNFINISHED ? "?" : model.strings[model.result[i]]}`);
			if (model.kind[i] !== KIND.MARK)
				lines.push(make("p", formatDuration(model.duration[i])));
			if (model.detail[i])
				lines.push(make("p", model.strings[model.detail[i]].split("\n").slice(0, 6).join("\n").slice(0, 600)));
			tip.replaceChildren(...lines);
		} else {
			this.hideTip();
			return;
		}
		tip.hidden = false;
		const box = canvas.getBoundingClientRect();
		const x = Math.min(event.offsetX + TIP_DISTANCE, box.width - tip.offsetWidth - 4);
		const below = event.offsetY + TIP_DISTANCE;

		tip.style.left = Math.max(0, x) + "px";
		tip.style.top = (below + tip.offsetHeight > box.height ? event.offsetY - tip.offsetHeight - TIP_DISTANCE : below) + "px";
	}

	laneTip(thread) {
		const { process } = thread;

		if (!this.model.words.areProcesses)
			return [make("b", thread.name), make("p", process.name)];
		return [make("b", `${process.name} ${process.pid}`), make("p", process.command), make("p", `lived ${formatDuration(process.end - process.start)}`)];
	}

	hideTip() {
		this.elements.tip.hidden = true;
	}

	listenControls() {
		const { query, only, active, shared, inView, keys } = this.elements;
		const on = (id, action) => document.getElementById(id).addEventListener("click", action);

		query.addEventListener("input", () => {
			clearTimeout(this.typing);
			this.typing = setTimeout(() => this.search(query.value), 150);
		});
		query.addEventListener("keydown", (event) => {
			if (event.key === "Enter") {
				clearTimeout(this.typing);
				if (!this.lanes.query || this.searched !== query.value)
					this.search(query.value);
				this.searched = query.value;
				this.step(event.shiftKey ? -1 : 1);
			} else if (event.key === "Escape") {
				this.search("");
				this.elements.canvas.focus();
			}
		});
		only.addEventListener("change", () => {
			this.lanes.only = only.checked;
			this.filtered();
		});
		shared.addEventListener("change", () => {
			this.lanes.shared = shared.checked;
			this.filtered();
		});
		active.addEventListener("change", () => this.filtered());
		inView.addEventListener("change", () => this.recount());
		on("previous", () => this.step(-1));
		on("next", () => this.step(1));
		on("fit", () => this.fit());
		on("theme", () => this.switchTheme());
		on("help", () => keys.showModal());
	}

	/* Keys of the whole page, but not while text is typed or a table is used. */
	key(event) {
		const { target } = event, { lanes } = this;

		if (event.ctrlKey || event.altKey || event.metaKey || this.elements.keys.open || target.matches("input[type=search]"))
			return;
		if (target.matches("button, input, [role=tabpanel], [role=tab]") && /^(Arrow|Page|Home|End|Enter| )/.test(event.key))
			return;
		const middle = (lanes.from + lanes.to) / 2, page = lanes.height - AXIS_HEIGHT - lanes.laneHeight;
		const toggle = (box) => box.click();
		const keys = {
			ArrowLeft: () => lanes.pan(-lanes.plotWidth / 8), ArrowRight: () => lanes.pan(lanes.plotWidth / 8),
			a: () => toggle(this.elements.active), l: () => this.model.words.areProcesses && toggle(this.elements.shared),
			"+": () => lanes.zoom(1 / 1.5, middle), "=": () => lanes.zoom(1 / 1.5, middle),
			"-": () => lanes.zoom(1.5, middle),
			ArrowUp: () => lanes.scrollTo(lanes.top - lanes.laneHeight), ArrowDown: () => lanes.scrollTo(lanes.top + lanes.laneHeight),
			PageUp: () => lanes.scrollTo(lanes.top - page), PageDown: () => lanes.scrollTo(lanes.top + page),
			0: () => this.fit(), Home: () => this.fit(),
			"[": () => this.stepCall(-1), "]": () => this.stepCall(1),
			g: () => this.followLink(),
			z: () => lanes.selected >= 0 && this.zoomTo(lanes.selected), Enter: () => lanes.selected >= 0 && this.zoomTo(lanes.selected),
			"/": () => this.elements.query.select(), n: () => this.step(1), N: () => this.step(-1),
			f: () => toggle(this.elements.only), t: () => this.switchTheme(), "?": () => this.elements.keys.showModal(),
			Escape: () => this.select(-1, false),
		};
		const action = Object.hasOwn(keys, event.key) ? keys[event.key] : null;

		if (!action)
			return;
		event.preventDefault();
		action();
		this.hideTip();
		this.changed();
	}
}

let page = null;

document.addEventListener("DOMContentLoaded", () => {
	const model = new Model();

	model.read([...document.querySelectorAll("script[type=\"application/x-ktrace\"]")]);
	page = new Page(model);
});
