/*
 * The canvases.  A lane is drawn from left to right, a pixel at a time where
 * events are narrower than that: the work is bounded by the window's size,
 * not by the trace's.
 */

const AXIS_HEIGHT = 24;
const LANE_HEIGHT = 24, NAME_HEIGHT = 13; /* the second: a line of names above, when lanes are shared */
const BAR_TOP = 4, BAR_HEIGHT = 13; /* below the names */
const SLEEP_TOP = 18, SLEEP_HEIGHT = 3;
const LABEL_WIDTH = 250;
const SCROLL_WIDTH = 14;
const MAX_INDENT = 8, INDENT = 10;
const MIN_TEXT = 24; /* no names in bars narrower than that */
const MIN_SPAN = 100; /* ns */

const FONT = "12px system-ui, \"DejaVu Sans\", sans-serif";

/* Canvas colours are those of the style sheet. */
function readColours() {
	const style = getComputedStyle(document.documentElement);
	const get = (name) => style.getPropertyValue("--" + name).trim();
	const colours = { classes: CLASSES.map((c) => get(c.id)) };

	for (const name of ["page", "panel", "text", "faint", "line", "row", "select", "error", "match", "sleep", "alive", "signal"])
		colours[name] = get(name);
	return colours;
}

/* A canvas as sharp as the screen. */
function fitCanvas(canvas) {
	const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
	const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);

	if (canvas.width !== width || canvas.height !== height) {
		canvas.width = width;
		canvas.height = height;
	}
	const context = canvas.getContext("2d");

	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.font = FONT;
	return { context, width: box.width, height: box.height };
}

/* A text no wider than that. */
function clip(context, text, width) {
	if (text.length > 400)
		text = text.slice(0, 400);
	if (context.measureText(text).width <= width)
		return text;
	let low = 0, high = text.length;

	while (low < high) {
		const middle = (low + high + 1) >> 1;

		if (context.measureText(text.slice(0, middle) + "…").width <= width)
			low = middle;
		else
			high = middle - 1;
	}
	/* Two letters say nothing. */
	return low > 2 ? text.slice(0, low) + "…" : "";
}

/* 1, 2 or 5 times a power of ten. */
function tickStep(span, most) {
	const power = 10 ** Math.floor(Math.log10(span / most));

	return [1, 2, 5, 10].map((n) => n * power).find((step) => span / step <= most) || power * 10;
}

/* The canvas of lanes, and which part of the trace it shows. */
class Lanes {
	constructor(model, canvas) {
		this.model = model;
		this.canvas = canvas;
		this.from = model.first;
		this.to = model.last;
		this.top = 0; /* px, scrolled */
		this.selected = -1;
		this.query = null;
		this.only = false;
		this.hidden = new Set(); /* classes */
		this.lanes = []; /* { threads: by time, first: of its process } */
		this.shared = false; /* lanes have several threads, one after the other */
		this.colours = readColours();
		this.resize();
	}

	resize() {
		Object.assign(this, fitCanvas(this.canvas));
		this.plotWidth = Math.max(50, this.width - LABEL_WIDTH - SCROLL_WIDTH);
	}

	get span() {
		return this.to - this.from;
	}

	x(time) {
		return LABEL_WIDTH + (time - this.from) / this.span * this.plotWidth;
	}

	time(x) {
		return this.from + (x - LABEL_WIDTH) / this.plotWidth * this.span;
	}

	/* Keeps to the trace, with a margin. */
	show(from, to) {
		const { first, last } = this.model;
		const whole = last - first, span = Math.min(Math.max(to - from, MIN_SPAN), whole * 1.04);
		const margin = span * .02, middle = (from + to) / 2;

		this.from = Math.min(Math.max(middle - span / 2, first - margin), last + margin - span);
		this.to = this.from + span;
	}

	zoom(factor, time) {
		this.show(time - (time - this.from) * factor, time + (this.to - time) * factor);
	}

	pan(pixels) {
		const shift = pixels / this.plotWidth * this.span;

		this.show(this.from + shift, this.to + shift);
	}

	get laneHeight() {
		return LANE_HEIGHT + this.nameHeight;
	}

	get nameHeight() {
		return this.shared ? NAME_HEIGHT : 0;
	}

	isActive(thread) {
		return thread.start <= this.to && thread.end >= this.from;
	}

	/* Which threads have a lane, in which order. */
	arrange(onlyActive) {
		const threads = [];

		for (const process of this.model.tree)
			for (const thread of process.threads)
				if (!this.only || !this.query || this.threadMatches(thread))
					threads.push(thread);
		this.lanes = this.shared ? this.share(threads) : threads.map((thread) => ({ threads: [thread] }));
		if (onlyActive)
			this.lanes = this.lanes.filter((lane) => lane.threads.some((thread) => this.isActive(thread)));
		this.laneNumbers = new Map();
		let process = null;

		this.lanes.forEach((lane, n) => {
			lane.first = lane.threads[0].process !== process;
			({ process } = lane.threads[0]);
			for (const thread of lane.threads)
				this.laneNumbers.set(thread, n);
		});
		this.contentHeight = AXIS_HEIGHT + (this.lanes.length + 1) * this.laneHeight;
		this.scrollTo(this.top);
	}

	/* Each thread to the first lane where it fits. */
	share(threads) {
		const lanes = [], ends = [];

		for (const thread of [...threads].sort((a, b) => a.start - b.start || a.index - b.index)) {
			let n = ends.findIndex((end) => end < thread.start);

			if (n < 0)
				n = lanes.push({ threads: [] }) - 1;
			lanes[n].threads.push(thread);
			ends[n] = thread.end;
		}
		return lanes;
	}

	/* Looked up once for a query. */
	threadMatches(thread) {
		if (!this.query.threads) {
			this.query.threads = new Set();
			for (const i of this.query.list)
				this.query.threads.add(this.model.thread[i]);
		}
		return this.query.threads.has(thread.index);
	}

	/* How many of the thread's calls match before each; made when it is drawn first. */
	matchesOf(thread) {
		if (!this.query.before.has(thread))
			this.query.before.set(thread, countBefore(thread.calls, (i) => this.query.matches[i]));
		return this.query.before.get(thread);
	}

	scrollTo(top) {
		this.top = Math.max(0, Math.min(top, this.contentHeight - this.height));
	}

	laneOf(thread) {
		return this.laneNumbers.get(thread) ?? -1;
	}

	laneAt(y) {
		return y < AXIS_HEIGHT ? -1 : Math.floor((y - AXIS_HEIGHT + this.top) / this.laneHeight);
	}

	laneTop(index) {
		return AXIS_HEIGHT + index * this.laneHeight - this.top;
	}

	isShown(i) {
		if (this.model.kind[i] === KIND.CALL && this.hidden.has(this.model.classOf(i)))
			return false;
		return !this.only || !this.query || this.query.matches[i] === 1;
	}

	draw() {
		const { context, width, height, colours } = this;

		context.fillStyle = colours.page;
		context.fillRect(0, 0, width, height);
		context.textBaseline = "middle";
		const ticks = this.ticks();

		context.fillStyle = colours.line;
		for (const tick of ticks)
			context.fillRect(Math.round(this.x(tick)), AXIS_HEIGHT, 1, height);
		const first = Math.max(0, this.laneAt(AXIS_HEIGHT)), last = Math.min(this.lanes.length - 1, this.laneAt(height));

		for (let i = first; i <= last; i++)
			this.drawLane(this.lanes[i], this.laneTop(i), i === last);
		this.drawOrigin();
		this.drawAxis(ticks);
		if (!this.lanes.length) {
			context.fillStyle = colours.faint;
			context.fillText(this.model.count ? "Nothing matches." : "The trace has no calls.", LABEL_WIDTH + 20, AXIS_HEIGHT + 30);
		}
	}

	ticks() {
		const step = tickStep(this.span, Math.max(2, this.plotWidth / 110)), ticks = [];

		for (let n = Math.ceil(this.from / step); n * step <= this.to; n++)
			ticks.push(n * step);
		this.step = step;
		return ticks;
	}

	drawAxis(ticks) {
		const { context, colours } = this;

		context.fillStyle = colours.panel;
		context.fillRect(0, 0, this.width, AXIS_HEIGHT);
		context.fillStyle = colours.line;
		context.fillRect(0, AXIS_HEIGHT - 1, this.width, 1);
		context.fillStyle = colours.faint;
		context.textAlign = "center";
		for (const tick of ticks)
			if (this.x(tick) > LABEL_WIDTH + 20)
				context.fillText(this.tickText(tick), this.x(tick), AXIS_HEIGHT / 2);
		context.textAlign = "left";
		context.fillText(formatDuration(this.span) + " shown", 10, AXIS_HEIGHT / 2);
	}

	/* As many digits as the step has. */
	tickText(tick) {
		const [unit, name] = UNITS.find(([size]) => Math.max(Math.abs(tick), this.step) >= size) || UNITS[3];
		const digits = Math.max(0, Math.ceil(-Math.log10(this.step / unit) - 1e-9));

		return (tick / unit).toFixed(Math.min(digits, 9)) + " " + name;
	}

	drawLane(lane, top, isLast) {
		const { context, colours, model } = this;

		if (lane.first || this.shared) {
			context.fillStyle = colours.line;
			context.fillRect(0, top, this.width, 1);
		}
		context.save();
		context.beginPath();
		context.rect(LABEL_WIDTH, top, this.plotWidth, this.laneHeight);
		context.clip();
		for (const thread of lane.threads)
			if (this.isActive(thread))
				this.drawThread(thread, top);
		context.restore();
		this.drawLabel(lane, top);
		if (isLast) {
			context.fillStyle = colours.line;
			context.fillRect(0, top + this.laneHeight, this.width, 1);
		}
		if (this.selected >= 0 && lane.threads.includes(model.threads[model.thread[this.selected]]))
			this.drawSelection(top + this.nameHeight);
	}

	drawThread(thread, laneTop) {
		const { context, colours } = this, top = laneTop + this.nameHeight;
		const x0 = Math.max(LABEL_WIDTH, this.x(thread.start)), x1 = Math.min(this.width, this.x(thread.end));

		context.fillStyle = colours.alive;
		context.fillRect(x0, top + BAR_TOP, Math.max(1, x1 - x0), BAR_HEIGHT);
		if (this.shared && x1 - x0 >= MIN_TEXT) {
			context.fillStyle = colours.text;
			context.fillText(clip(context, `${thread.name} ${thread.process.pid} ${thread.process.command}`, x1 - x0 - 6), x0 + 2, top - 2);
		}
		this.walk(thread.calls, (i, x, w, failed) => this.drawCall(i, x, w, failed, top), thread.errors, this.query && this.matchesOf(thread));
		context.fillStyle = colours.sleep;
		this.walk(thread.sleeps, (_, x, w) => context.fillRect(x, top + SLEEP_TOP, w, SLEEP_HEIGHT));
		this.drawMarks(thread.marks, top, x1 - x0 >= MIN_TEXT);
	}

	/*
	 * Calls @draw(event, x, width, failed) for what is in view.  Of several events
	 * in one pixel one is drawn, a match or the first one; it has failed if one of
	 * them has.  @errors and @matches say how many of them there are before each in
	 * the list.
	 */
	walk(list, draw, errors, matches) {
		const { model } = this;
		const right = LABEL_WIDTH + this.plotWidth, pixel = this.span / this.plotWidth;
		let n = Math.max(0, model.search(list, this.from) - 1);

		while (n < list.length) {
			let i = list[n], next = n + 1;
			const start = model.start[i], x = this.x(start);

			if (x > right)
				break;
			if (model.duration[i] < pixel) {
				next = Math.max(next, model.search(list, start + pixel));
				/* The last of them may be long. */
				if (next - n > 1 && model.duration[list[next - 1]] >= pixel)
					next--;
				i = this.pick(list, n, next, matches);
			} else if (!this.isShown(i)) {
				i = -1;
			}
			if (i >= 0) {
				const from = Math.max(x, LABEL_WIDTH - 2), to = Math.min(this.x(start + model.duration[i]), right + 2);

				if (to > from || x === from)
					draw(i, from, Math.max(1, to - from), errors && errors[next] > errors[n]);
			}
			n = next;
		}
	}

	/* One of the list's events from @from to before @to that is shown, or -1. */
	pick(list, from, to, matches) {
		let first = from;

		if (matches && matches[to] > matches[from]) {
			let high = to - 1;

			while (first < high) {
				const middle = (first + high) >> 1;

				if (matches[middle + 1] > matches[from])
					high = middle;
				else
					first = middle + 1;
			}
		}
		/* Where all of many are hidden, the next pixel has others. */
		for (let n = first; n < to && n < first + 50; n++)
			if (this.isShown(list[n]))
				return list[n];
		return -1;
	}

	drawCall(i, x, w, failed, top) {
		const { context, colours, model } = this;
		const faint = this.query && !this.query.matches[i];

		context.globalAlpha = faint ? .22 : 1;
		context.fillStyle = colours.classes[model.classOf(i)] || colours.classes[0];
		/* A gap between neighbours, where there is room for one. */
		context.fillRect(x, top + BAR_TOP, w > 3 ? w - 1 : w, BAR_HEIGHT);
		if (failed) {
			context.fillStyle = colours.error;
			context.fillRect(x, top + BAR_TOP + BAR_HEIGHT - 3, w > 3 ? w - 1 : w, 3);
		}
		if (this.query && !faint) {
			context.fillStyle = colours.match;
			context.fillRect(x, top + 1, Math.max(2, w > 3 ? w - 1 : w), 2);
		}
		if (w >= MIN_TEXT) {
			context.fillStyle = colours.page;
			context.fillText(clip(context, this.barText(i), w - 6), x + 3, top + BAR_TOP + BAR_HEIGHT / 2 + 1);
		}
		context.globalAlpha = 1;
	}

	/* A path says more than the arguments do. */
	barText(i) {
		const { model } = this, path = /^NAMI ("[^"\n]*")/m.exec(model.strings[model.detail[i]]);

		return model.callName(i) + (path ? " " + path[1] : model.strings[model.args[i]]);
	}

	/* Of marks in a crowd, those that are near one before are lines. */
	drawMarks(marks, top, hasRoom) {
		let previous = -Infinity;

		this.walk(marks, (i, x) => {
			this.drawMark(i, x, top, hasRoom && x - previous >= 9);
			previous = x;
		});
	}

	/* What has no duration. */
	drawMark(i, x, top, isDiamond) {
		const { context, colours } = this, y = top + BAR_TOP + BAR_HEIGHT / 2;
		const name = MARKS[this.model.name[i]];

		context.globalAlpha = this.query && !this.query.matches[i] ? .3 : 1;
		context.fillStyle = { lost: colours.error, signal: colours.signal, exec: colours.faint, fault: colours.faint }[name] || colours.text;
		if (name !== "lost" && (!isDiamond || name === "fault")) {
			context.fillRect(x, top + 2, 1, BAR_TOP);
			context.globalAlpha = 1;
			return;
		}
		context.strokeStyle = colours.page;
		context.beginPath();
		context.moveTo(x, y - 6);
		context.lineTo(x + 4, y);
		context.lineTo(x, y + 6);
		context.lineTo(x - 4, y);
		context.closePath();
		context.fill();
		context.stroke();
		context.globalAlpha = 1;
	}

	drawSelection(top) {
		const { context, colours, model, selected } = this;
		const x = this.x(model.start[selected]), w = this.x(model.start[selected] + model.duration[selected]) - x;
		const left = Math.max(LABEL_WIDTH, x - 2), right = Math.min(LABEL_WIDTH + this.plotWidth, x + Math.max(w, 2) + 2);

		if (right <= left)
			return;
		context.strokeStyle = colours.select;
		context.lineWidth = 2;
		context.strokeRect(left, top + 2, right - left, LANE_HEIGHT - 3);
		context.lineWidth = 1;
	}

	/* From the selected call's process to the one it comes from: where it was forked. */
	drawOrigin() {
		const { context, colours, model } = this;

		if (this.selected < 0)
			return;
		const child = model.threads[model.thread[this.selected]].process;

		if (!child.parent)
			return;
		const from = this.laneOf(child.parent.threads[0]), to = this.laneOf(child.threads[0]), x = this.x(child.start);

		if (from < 0 || to < 0 || x < LABEL_WIDTH || x > LABEL_WIDTH + this.plotWidth)
			return;
		context.fillStyle = colours.select;
		const a = this.laneTop(from) + this.nameHeight + BAR_TOP + BAR_HEIGHT, b = this.laneTop(to) + this.nameHeight + BAR_TOP;

		context.fillRect(x - .5, Math.min(a, b), 1, Math.abs(b - a));
	}

	drawLabel({ threads, first }, top) {
		const { context, colours } = this, [thread] = threads, { process } = thread;
		const indent = 10 + (this.shared ? 0 : Math.min(process.depth, MAX_INDENT) * INDENT), y = top + this.laneHeight / 2;

		context.fillStyle = colours.page;
		context.fillRect(0, top + (first || this.shared ? 1 : 0), LABEL_WIDTH, this.laneHeight - 1);
		if (threads.length === 1)
			this.drawName(thread, first, indent, y);
		else
			this.drawNames(threads, indent, y);
		context.fillStyle = colours.line;
		context.fillRect(LABEL_WIDTH - 1, top, 1, this.laneHeight);
	}

	drawName(thread, first, indent, y) {
		const { context, colours } = this, { process } = thread;

		context.fillStyle = first ? colours.text : colours.faint;
		const name = clip(context, first ? thread.name : "↳ " + thread.name, 120);
		const number = " " + (first ? process.pid : thread.tid);

		context.fillText(name, indent, y);
		let x = indent + context.measureText(name).width;

		context.fillStyle = colours.faint;
		context.fillText(number, x, y);
		x += context.measureText(number + " ").width;
		if (first && process.command)
			context.fillText(clip(context, process.command, LABEL_WIDTH - x - 6), x, y);
	}

	/* Those in view, each name once. */
	drawNames(threads, indent, y) {
		const active = threads.filter((thread) => this.isActive(thread));
		const text = `${active.length}: ${[...new Set(active.map((thread) => thread.name))].join(" ")}`;

		this.context.fillStyle = this.colours.faint;
		this.context.fillText(clip(this.context, text, LABEL_WIDTH - indent - 6), indent, y);
	}

	/* The event under the pointer, or -1. */
	hit(x, y) {
		const index = this.laneAt(y);

		if (x < LABEL_WIDTH || index < 0 || index >= this.lanes.length)
			return -1;
		const { model } = this, pixel = this.span / this.plotWidth, time = this.time(x);
		const thread = this.lanes[index].threads.findLast((one) => one.start <= time + 4 * pixel);
		const inSleeps = y - this.laneTop(index) - this.nameHeight >= SLEEP_TOP;

		if (!thread)
			return -1;
		const at = (list, before, after) => {
			for (let n = model.search(list, time + before) - 1, tries = 0; n >= 0 && tries < 200; n--, tries++)
				if (model.start[list[n]] + model.duration[list[n]] + after >= time && this.isShown(list[n]))
					return list[n];
			return -1;
		};
		const mark = at(thread.marks, 4 * pixel, 4 * pixel);

		if (mark >= 0)
			return mark;
		const sleep = inSleeps ? at(thread.sleeps, pixel, pixel) : -1;

		return sleep >= 0 ? sleep : at(thread.calls, 2 * pixel, 2 * pixel);
	}
}
