// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Links from an event to a lane: linkedto:"NAME" among its attributes, as
 * KTR_ATTR_LINKED of ktr(9) writes it.
 */

const LINK = /(?:^|[\s,])linkedto:"([^"]*)"/;

/* How many events of the same time are looked at. */
const MOST_AT_ONCE = 50;

class Links {
	constructor(model) {
		this.model = model;
		this.byName = new Map(); /* threads */
		for (const thread of model.words.areProcesses ? [] : model.threads) {
			const lanes = this.byName.get(thread.name);

			if (lanes)
				lanes.push(thread);
			else
				this.byName.set(thread.name, [thread]);
		}
	}

	/* The lane that an event names, or null. */
	nameOf(i) {
		const { model } = this;

		return model.words.areProcesses ? null : LINK.exec(model.strings[model.args[i]])?.[1] ?? null;
	}

	/* Where an event is linked to: { name, event }, whose event is -1 when there is no such lane; null: nowhere. */
	of(i) {
		const { model } = this, name = i < 0 ? null : this.nameOf(i);

		if (name === null)
			return null;
		const lanes = this.byName.get(name) || [], own = model.threads[model.thread[i]];
		const lane = lanes.find((one) => one.process === own.process) || lanes[0];

		return { name, event: lane ? this.nearest(lane, model.start[i], own.name) : -1 };
	}

	/*
	 * Both were recorded at about the same time, one after the other: what is
	 * around it, first of all an event that is linked back.
	 */
	nearest(lane, time, back) {
		const { model } = this;
		let best = -1, bestRank = [];

		for (const list of [lane.calls, lane.marks]) {
			const at = model.search(list, time);

			for (let n = Math.max(0, at - 1); n < list.length && n < at + MOST_AT_ONCE; n++) {
				const i = list[n], rank = [this.nameOf(i) === back ? 0 : 1, Math.abs(model.start[i] - time)];

				if (best < 0 || rank[0] < bestRank[0] || (rank[0] === bestRank[0] && rank[1] < bestRank[1]))
					[best, bestRank] = [i, rank];
				if (n >= at && model.start[i] > time)
					break;
			}
		}
		return best;
	}
}
