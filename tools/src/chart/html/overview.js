// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The strip above the lanes: how many calls of which class began when, and
 * which part is shown.
 */
class Overview {
	constructor(lanes, canvas) {
		this.lanes = lanes;
		this.model = lanes.model;
		this.canvas = canvas;
		this.resize();
	}

	resize() {
		Object.assign(this, fitCanvas(this.canvas));
		this.plotWidth = this.lanes.plotWidth;
		this.counts = null;
	}

	x(time) {
		return LABEL_WIDTH + (time - this.model.first) / (this.model.last - this.model.first) * this.plotWidth;
	}

	time(x) {
		return this.model.first + (x - LABEL_WIDTH) / this.plotWidth * (this.model.last - this.model.first);
	}

	/* Counted once for each width and filter. */
	count() {
		const { model, lanes } = this, classes = model.words.classes.length;
		const columns = Math.max(1, Math.floor(this.plotWidth / 2));

		this.columns = columns;
		this.counts = new Uint32Array(columns * classes);
		this.errors = new Uint32Array(columns);
		this.most = 1;
		this.totals = new Uint32Array(columns);
		const scale = columns / (model.last - model.first);

		for (let i = 0; i < model.count; i++) {
			if (model.kind[i] !== KIND.CALL || !lanes.isShown(i) || (lanes.query && !lanes.query.matches[i]))
				continue;
			const column = Math.min(columns - 1, Math.floor((model.start[i] - model.first) * scale));

			this.counts[column * classes + model.classOf(i)]++;
			if (model.error[i])
				this.errors[column]++;
			this.most = Math.max(this.most, ++this.totals[column]);
		}
	}

	draw(range) {
		const { context, height, lanes } = this, { colours } = lanes, classes = this.model.words.classes.length;

		if (!this.counts)
			this.count();
		context.fillStyle = colours.page;
		context.fillRect(0, 0, this.width, height);
		context.textBaseline = "middle";
		for (let column = 0; column < this.columns; column++) {
			const total = this.totals[column];
			/* The root shows few beside many. */
			const scale = total ? Math.sqrt(total / this.most) * (height - 4) / total : 0;
			let y = height;

			for (let cls = 0; cls < classes; cls++) {
				const part = this.counts[column * classes + cls] * scale;

				if (!part)
					continue;
				context.fillStyle = colours.classes[cls];
				context.fillRect(LABEL_WIDTH + column * 2, y - part, 2, part);
				y -= part;
			}
			if (this.errors[column]) {
				context.fillStyle = colours.error;
				context.fillRect(LABEL_WIDTH + column * 2, height - 3, 2, 3);
			}
		}
		context.fillStyle = colours.faint;
		context.fillText(this.model.words.many, 10, height / 2);
		this.drawRange(range || [lanes.from, lanes.to]);
	}

	drawRange([from, to]) {
		const { context, height, lanes } = this;
		const a = Math.max(LABEL_WIDTH, this.x(from)), b = Math.min(LABEL_WIDTH + this.plotWidth, Math.max(this.x(to), this.x(from) + 2));

		context.globalAlpha = .6;
		context.fillStyle = lanes.colours.panel;
		context.fillRect(LABEL_WIDTH, 0, a - LABEL_WIDTH, height);
		context.fillRect(b, 0, LABEL_WIDTH + this.plotWidth - b, height);
		context.globalAlpha = 1;
		context.strokeStyle = lanes.colours.select;
		context.strokeRect(a + .5, .5, Math.max(1, b - a - 1), height - 1);
	}
}
