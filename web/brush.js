/* SPDX-License-Identifier: Apache-2.0 */
/*
 * brush.js - ranges are chosen in the load: B, that the tables show, and A, that
 * it is compared with; by mouse, touch or keys.
 */
import { byId, say } from "./dom.js";
import { baseText, chart, hideTip, rangeText, showTip, stepUnder }
	from "./chart.js";
import { change, isComparing, isWhole, state } from "./state.js";

/* Where a drag began, and what it moves; what keys move. */
const brush = { from: null, ofBase: false, keysOfBase: false };

function sayChosen() {
	say(brush.ofBase || brush.keysOfBase
		? "compared with " + baseText(chart.data)
		: "chosen: " + rangeText(chart.data));
}

function choose(a, b, ofBase) {
	change(ofBase ? { c: a, d: b } : { a, b });
}

function dragTo(canvas, event) {
	const to = stepUnder(canvas, event);

	choose(Math.min(brush.from, to), Math.max(brush.from, to), brush.ofBase);
}

function endDrag(canvas, event) {
	if (brush.from === null)
		return;
	const { from } = brush;
	const to = stepUnder(canvas, event);

	brush.from = null;
	choose(Math.min(from, to), Math.max(from, to), brush.ofBase);
	sayChosen();
	brush.ofBase = false;
}

/* The browser took the pointer: what was dragged so far stays chosen. */
function cancelDrag() {
	brush.from = null;
	brush.ofBase = false;
	change({});
}

/* A drag chooses; with shift, or while A is to be moved, what to compare with. A
 * click chooses one step. */
export function brushable(canvas) {
	canvas.addEventListener("pointerdown", (event) => {
		if (event.button !== 0)
			return;
		brush.from = stepUnder(canvas, event);
		brush.ofBase = event.shiftKey ||
			isComparing() && brush.keysOfBase;
		canvas.setPointerCapture(event.pointerId);
		hideTip();
	});
	canvas.addEventListener("pointermove", (event) => {
		if (brush.from === null)
			showTip(canvas, event);
		else
			dragTo(canvas, event);
	});
	canvas.addEventListener("pointerup", (e) => endDrag(canvas, e));
	canvas.addEventListener("pointercancel", cancelDrag);
	canvas.addEventListener("pointerleave", hideTip);
	canvas.addEventListener("dblclick", chooseAll);
}

/* The range is not chosen yet: tables wait. */
export function isDragging() {
	return brush.from !== null;
}

export function chooseAll() {
	change({ a: 0, b: chart.data.steps.length - 1 });
	say("chosen: all of it");
}

/* ---- comparing ---------------------------------------------------------- */

/* With as much just before what is chosen; of all, halves. */
export function compare() {
	const last = chart.data.steps.length - 1;
	let { a, b } = state;

	if (isWhole() && last > 0)
		a = (last + 1) >> 1;
	const n = b - a + 1;
	const c = a > 0 ? Math.max(0, a - n) : Math.min(b + 1, last);

	change({ a, b, c, d: a > 0 ? a - 1 : Math.min(c + n - 1, last) });
	moveBase(false);
	say("comparing " + rangeText(chart.data) + " with " +
		baseText(chart.data));
}

export function endCompare() {
	brush.keysOfBase = false;
	change({ c: -1, d: -1 });
	say("no longer comparing");
}

/* Keys, and a finger, move A in place of B. */
export function moveBase(on) {
	brush.keysOfBase = on;
	byId("move-base").setAttribute("aria-pressed", String(on));
}

/* The key c: compares, then changes between the ranges. */
export function compareKey() {
	if (!isComparing()) {
		compare();
		return;
	}
	moveBase(!brush.keysOfBase);
	say(brush.keysOfBase ? "arrows move A, what is compared with"
		: "arrows move B, what is chosen");
}

/* What Escape does: ends what was begun last. */
export function escape() {
	if (isComparing())
		endCompare();
	else
		chooseAll();
}

/* ---- keys --------------------------------------------------------------- */

/* Moves a range, or its end: n steps of the range [a, b] of 0 to last. */
const moves = {
	ArrowLeft: (a, b, n) => [a - n, b - n],
	ArrowRight: (a, b, n) => [a + n, b + n],
	Home: (a, b) => [0, b - a],
	End: (a, b, n, last) => [last - b + a, last],
	"+": (a, b, n) => [a + n, b - n],
	"-": (a, b, n) => [a - n, b + n],
};
const shiftMoves = {
	ArrowLeft: (a, b, n) => [a, Math.max(a, b - n)],
	ArrowRight: (a, b, n) => [a, b + n],
};

function moveBy(event) {
	const ofBase = isComparing() && brush.keysOfBase;
	const [a, b] = ofBase ? [state.c, state.d] : [state.a, state.b];
	const last = chart.data.steps.length - 1;
	const n = Math.max(1, Math.round((b - a + 1) / 10));
	const table = event.shiftKey && shiftMoves[event.key] ? shiftMoves
		: moves;
	const [from, to] = table[event.key](a, b, n, last);

	if (table === moves && event.key.startsWith("Arrow") &&
	    (from < 0 || to > last))
		return;
	if (from <= to)
		choose(Math.max(from, 0), Math.min(to, last), ofBase);
	sayChosen();
}

export function chartKeys(canvas) {
	canvas.addEventListener("keydown", (event) => {
		if (!moves[event.key] || event.ctrlKey || event.altKey ||
		    event.metaKey)
			return;
		event.preventDefault();
		moveBy(event);
	});
}
