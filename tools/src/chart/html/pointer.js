// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The mouse, on the lanes, the overview and the divider.
 */

function listenLanes(page) {
	const { canvas, scroll } = page.elements, { lanes } = page;
	let drag = null;

	scroll.addEventListener("scroll", () => {
		if (Math.round(lanes.top) !== scroll.scrollTop) {
			lanes.scrollTo(scroll.scrollTop);
			page.changed();
		}
	});
	canvas.addEventListener("wheel", (event) => {
		const scale = event.deltaMode === 1 ? 20 : 1;

		event.preventDefault();
		if (event.offsetX < LABEL_WIDTH)
			lanes.scrollTo(lanes.top + event.deltaY * scale);
		else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			lanes.pan((event.deltaX || event.deltaY) * scale);
		else
			lanes.zoom(1.0018 ** (event.deltaY * scale), lanes.time(event.offsetX));
		page.hideTip();
		page.changed();
	}, { passive: false });
	canvas.addEventListener("pointerdown", (event) => {
		if (event.button !== 0)
			return;
		drag = { x: event.offsetX, y: event.offsetY, at: lanes.time(event.offsetX), moved: false, select: event.shiftKey };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (!drag) {
			page.tip(event);
			return;
		}
		const dx = event.offsetX - drag.x, dy = event.offsetY - drag.y;

		if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4)
			return;
		drag.moved = true;
		page.hideTip();
		if (drag.select) {
			page.range = [drag.at, lanes.time(event.offsetX)].sort((a, b) => a - b);
		} else {
			canvas.classList.add("moving");
			lanes.pan(-dx);
			lanes.scrollTo(lanes.top - dy);
			drag.x = event.offsetX;
			drag.y = event.offsetY;
		}
		page.changed();
	});
	const end = (event) => {
		canvas.classList.remove("moving");
		if (drag && !drag.moved && event.type === "pointerup")
			page.click(event);
		if (drag && page.range)
			lanes.show(...page.range);
		drag = page.range = null;
		page.changed();
	};

	canvas.addEventListener("pointerup", end);
	canvas.addEventListener("pointercancel", end);
	canvas.addEventListener("pointerleave", () => page.hideTip());
	canvas.addEventListener("dblclick", (event) => {
		const i = lanes.hit(event.offsetX, event.offsetY);

		if (i >= 0)
			page.zoomTo(i);
	});
}

function listenOverview(page) {
	const { overview, lanes } = page, { canvas } = overview;
	let from = null;
	const end = () => {
		if (from === null)
			return;
		if (page.range)
			lanes.show(...page.range);
		else
			lanes.show(from - lanes.span / 2, from + lanes.span / 2);
		from = page.range = null;
		page.changed();
	};

	canvas.addEventListener("pointerdown", (event) => {
		from = overview.time(event.offsetX);
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (from === null || Math.abs(event.offsetX - overview.x(from)) < 4)
			return;
		page.range = [from, overview.time(event.offsetX)].sort((a, b) => a - b);
		page.changed();
	});
	canvas.addEventListener("pointerup", end);
	canvas.addEventListener("pointercancel", end);
	canvas.addEventListener("wheel", (event) => {
		event.preventDefault();
		lanes.zoom(1.0018 ** event.deltaY, overview.time(event.offsetX));
		page.changed();
	}, { passive: false });
}

function listenDivider(page) {
	const { divider, panel } = page.elements;
	const set = (height) => {
		panel.style.height = Math.max(60, Math.min(height, window.innerHeight - 240)) + "px";
		page.resize();
	};

	divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
	divider.addEventListener("pointermove", (event) => {
		if (divider.hasPointerCapture(event.pointerId))
			set(window.innerHeight - event.clientY);
	});
	divider.addEventListener("keydown", (event) => {
		const step = { ArrowUp: 20, ArrowDown: -20 }[event.key];

		if (step) {
			event.stopPropagation();
			set(panel.offsetHeight + step);
		}
	});
}
