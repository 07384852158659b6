// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Where things are: which threads have which lane, which part of the trace is
 * in view, and what is at a point.
 */

const AXIS_HEIGHT = 24;
const LANE_HEIGHT = 24, NAME_HEIGHT = 13; /* the second: a line of names above, when lanes are shared */
const BAR_TOP = 4, BAR_HEIGHT = 13; /* below the names */
const SLEEP_TOP = 18, SLEEP_HEIGHT = 3;
const LABEL_WIDTH = 250;
const SCROLL_WIDTH = 14;
const MIN_SPAN = 100; /* ns */

const FONT = "12px system-ui, \"DejaVu Sans\", sans-serif";

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
				/* Whole pixels: others would be blurred. */
				const from = Math.round(Math.max(x, LABEL_WIDTH - 2));
				const to = Math.round(Math.min(this.x(start + model.duration[i]), right + 2));

				if (to > from || x >= LABEL_WIDTH - 2)
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

		if (sleep >= 0)
			return sleep;
		const call = at(thread.calls, 2 * pixel, 2 * pixel);

		return call >= 0 ? call : at(thread.counters, pixel, pixel);
	}
}
