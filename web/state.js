/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.js - what is chosen: range, tab, order, filter.  The part of the
 * address after # has it, so that a link leads to a moment.
 */

/* a, b: the chosen steps; c, d: those that they are compared with, -1: none. */
export const state = { a: 0, b: 0, c: -1, d: -1, tab: "sessions", by: "",
	as: "", heat: "", sort: "", find: "", host: "", zone: "", open: "",
	skew: "", zoom: "" };

const listeners = [];
const inAddress = ["tab", "by", "as", "heat", "sort", "find", "host", "zone",
	"skew", "zoom"];
let times = null; /* of the steps */

export function onChange(fn) {
	listeners.push(fn);
}

function stepAt(ms) {
	const i = times.findIndex((s) => s.to > ms);

	return i < 0 ? times.length - 1 : i;
}

function toAddress() {
	const p = new URLSearchParams();
	const whole = state.a === 0 && state.b === times.length - 1;

	for (const k of inAddress) {
		if (state[k])
			p.set(k, state[k]);
	}
	if (!whole) {
		p.set("from", Math.round(times[state.a].from));
		p.set("to", Math.round(times[state.b].to));
	}
	if (isComparing()) {
		p.set("was_from", Math.round(times[state.c].from));
		p.set("was_to", Math.round(times[state.d].to));
	}
	try {
		history.replaceState(null, "", "#" + p.toString());
	} catch (e) {
		/* some browsers refuse it for a file: the page works without */
	}
}

export function change(what) {
	Object.assign(state, what);
	if (state.a > state.b)
		[state.a, state.b] = [state.b, state.a];
	state.a = Math.max(0, Math.min(state.a, times.length - 1));
	state.b = Math.max(0, Math.min(state.b, times.length - 1));
	if (isComparing()) {
		state.c = Math.min(state.c, times.length - 1);
		state.d = Math.max(state.c, Math.min(state.d,
			times.length - 1));
	}
	toAddress();
	for (const fn of listeners)
		fn(what);
}

/* The steps of two times of the address; none: those given. */
function readRange(p, from, to, a, b) {
	const t0 = Number(p.get(from));
	const t1 = Number(p.get(to));

	return [t0 > 0 ? stepAt(t0 + 1) : a, t1 > 0 ? stepAt(t1 - 1) : b];
}

function readAddress(given) {
	const p = new URLSearchParams(location.hash.slice(1));
	const got = {};

	[got.a, got.b] = readRange(p, "from", "to", given.a, given.b);
	[got.c, got.d] = readRange(p, "was_from", "was_to", given.c, given.d);
	if (got.c < 0 || got.d < got.c)
		got.c = got.d = -1;
	for (const k of inAddress) {
		if (p.get(k) !== null)
			got[k] = p.get(k);
	}
	return got;
}

export function beginState(steps, defaults) {
	times = steps;
	const given = { a: 0, b: times.length - 1, c: -1, d: -1,
		...defaults() };

	Object.assign(state, given, readAddress(given));
	window.addEventListener("hashchange", () => change(readAddress({
		a: 0, b: times.length - 1, c: -1, d: -1 })));
}

/* Before there are steps: the range that data are asked for. */
export function zoomOfAddress() {
	state.zoom = new URLSearchParams(location.hash.slice(1)).get("zoom") || "";
	return state.zoom;
}

/* Other steps: the same times stay chosen, unless all are. */
export function newSteps(steps, whole) {
	const all = whole || isWhole();
	const from = times[state.a].from;
	const to = times[state.b].to;

	times = steps;
	state.a = all ? 0 : stepAt(from + 1);
	state.b = all ? steps.length - 1 : Math.max(stepAt(to - 1), state.a);
	toAddress();
}

export function isWhole() {
	return state.a === 0 && state.b === times.length - 1;
}

export function isComparing() {
	return state.c >= 0;
}

/* The steps of two times, of which a range consists. */
export function stepsOf(from, to) {
	return [stepAt(from + 1), stepAt(to - 1)];
}
