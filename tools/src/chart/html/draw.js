// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How things look.  A lane is drawn from left to right, a pixel at a time where
 * events are narrower than that: the work is bounded by the window's size,
 * not by the trace's.
 */

const MAX_INDENT = 8, INDENT = 10;
const MIN_TEXT = 24; /* no names in bars narrower than that */

/* Canvas colours are those of the style sheet. */
function readColours(classes) {
	const style = getComputedStyle(document.documentElement);
	const get = (name) => style.getPropertyValue("--" + name).trim();
	const colours = { classes: classes.map((c) => get(c.id)) };

	for (const name of ["page", "panel", "text", "faint", "line", "row", "select", "error", "match", "sleep", "alive", "signal"])
		colours[name] = get(name);
	return colours;
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

/* Lanes that are drawn. */
class DrawnLanes extends Lanes {
	constructor(model, canvas) {
		super(model, canvas);
		this.colours = readColours(model.words.classes);
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
		this.drawLink();
		this.drawAxis(ticks);
		if (!this.lanes.length) {
			context.fillStyle = colours.faint;
			context.fillText(this.model.count ? "Nothing matches." : `The trace has no ${this.model.words.many}.`, LABEL_WIDTH + 20, AXIS_HEIGHT + 30);
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
		this.drawCounters(thread, top);
		this.drawMarks(thread.marks, top, x1 - x0 >= MIN_TEXT);
	}

	/* Columns as high as their values; of several in a pixel the highest. */
	drawCounters({ counters, process }, top) {
		const { context, colours, model } = this, pixel = this.span / this.plotWidth;
		const height = LANE_HEIGHT - BAR_TOP, scale = height / (model.mostOf?.get(process) || 1);
		let n = counters.length ? Math.max(0, model.search(counters, this.from) - 1) : 0;

		while (n < counters.length && model.start[counters[n]] <= this.to) {
			const start = model.start[counters[n]];
			const next = Math.max(n + 1, model.search(counters, start + pixel));
			let most = -Infinity;

			for (let k = n; k < next; k++)
				most = Math.max(most, model.valueOf(counters[k]));
			const last = counters[next - 1], x = Math.max(this.x(start), LABEL_WIDTH - 2);
			const right = Math.min(this.x(model.start[last] + model.duration[last]), LABEL_WIDTH + this.plotWidth + 2);
			const h = Math.max(1, most * scale);

			context.globalAlpha = this.query && !this.query.matches[counters[n]] ? .22 : 1;
			context.fillStyle = colours.classes[0];
			context.fillRect(x, top + BAR_TOP + height - h, Math.max(1, right - x), h);
			if (right - x >= MIN_TEXT) {
				context.fillStyle = colours.text;
				context.fillText(clip(context, String(most), right - x - 6), x + 3, top + LANE_HEIGHT / 2 + 1);
			}
			n = next;
		}
		context.globalAlpha = 1;
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

		if (!model.words.areProcesses)
			return model.callName(i);
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
		const name = this.model.markName(i);

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

	/* From what is selected to what it is linked to. */
	drawLink() {
		const { context, colours, model } = this, link = this.links.of(this.selected);

		if (!link || link.event < 0)
			return;
		const ends = [this.selected, link.event].map((i) => ({ x: this.x(model.start[i]), lane: this.laneOf(model.threads[model.thread[i]]) }));

		if (ends.some((end) => end.lane < 0))
			return;
		const [a, b] = ends.map((end) => this.laneTop(end.lane) + BAR_TOP + BAR_HEIGHT / 2);

		context.save();
		context.beginPath();
		context.rect(LABEL_WIDTH, AXIS_HEIGHT, this.plotWidth, this.height);
		context.clip();
		context.strokeStyle = colours.select;
		context.lineWidth = 2;
		context.beginPath();
		context.moveTo(ends[0].x, a);
		context.lineTo(ends[1].x, b);
		context.stroke();
		context.restore();
	}

	drawLabel({ threads, first }, top) {
		const { context, colours } = this, [thread] = threads, { process } = thread;
		const indent = 10 + (this.shared ? 0 : Math.min(process.depth, MAX_INDENT) * INDENT), y = top + this.laneHeight / 2;

		context.fillStyle = colours.page;
		context.fillRect(0, top + (first || this.shared ? 1 : 0), LABEL_WIDTH, this.laneHeight - 1);
		if (threads.length === 1)
			this[this.model.words.areProcesses ? "drawName" : "drawInGroup"](thread, first, indent, y);
		else
			this.drawNames(threads, indent, y);
		context.fillStyle = colours.line;
		context.fillRect(LABEL_WIDTH - 1, top, 1, this.laneHeight);
	}

	/* In a group, the first one says which. */
	drawInGroup(thread, first, indent, y) {
		const { context, colours } = this, group = first ? clip(context, thread.process.name, 80) : "";
		const width = context.measureText(group).width;

		context.fillStyle = colours.faint;
		context.fillText(group, LABEL_WIDTH - width - 8, y);
		context.fillStyle = colours.text;
		context.fillText(clip(context, thread.name, LABEL_WIDTH - indent - width - 16), indent, y);
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

	/* Those in view, each name once; nothing, if nobody is. */
	drawNames(threads, indent, y) {
		const active = threads.filter((thread) => this.isActive(thread));

		if (!active.length)
			return;
		const text = `${active.length}: ${[...new Set(active.map((thread) => thread.name))].join(" ")}`;

		this.context.fillStyle = this.colours.faint;
		this.context.fillText(clip(this.context, text, LABEL_WIDTH - indent - 6), indent, y);
	}
}
