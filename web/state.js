/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.js - what is chosen: range, tab, order, filter.  The part of the
 * address after # has it, so that a link leads to a moment.
 */

/* zoom: the range of times that a served page has data of, "" all of it.
 * a, b: the chosen steps; c, d: those that they are compared with, -1: none. */
export const state = { a: 0, b: 0, c: -1, d: -1, tab: "sessions", by: "",
	as: "", heat: "", sort: "", find: "", host: "", zone: "", open: "",
	skew: "", zoom: "" };

const listeners = [];
const inAddress = ["tab", "by", "as", "heat", "sort", "find", "host", "zone",
	"skew", "zoom"];
let times = null; /* of the steps */

/* Chosen times, while the data that they are in are on their way. */
let coming = null;

/* Without them in the address, these are not chosen. */
const emptied = new Set(["sort", "find", "host", "skew", "zoom"]);

export function onChange(fn) {
	listeners.push(fn);
}

function stepAt(ms) {
	const i = times.findIndex((s) => s.to > ms);

	return i < 0 ? times.length - 1 : i;
}

/* What is chosen, as times, by their names in the address; all: none. */
function chosenTimes() {
	const t = {};

	if (!isWhole()) {
		t.from = times[state.a].from;
		t.to = times[state.b].to;
	}
	if (isComparing()) {
		t.was_from = times[state.c].from;
		t.was_to = times[state.d].to;
	}
	return t;
}

function toAddress() {
	const p = new URLSearchParams();
	const chosen = coming || chosenTimes();

	for (const k of inAddress) {
		if (state[k])
			p.set(k, state[k]);
	}
	for (const k in chosen)
		p.set(k, Math.round(chosen[k]));
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

/* All of it, compared with nothing. */
function wholeRange() {
	return { a: 0, b: times.length - 1, c: -1, d: -1 };
}

/* The steps of times, in place of those given. */
function stepsAt(t, given) {
	const got = { ...given };

	if (t.from)
		got.a = stepAt(t.from + 1);
	if (t.to)
		got.b = stepAt(t.to - 1);
	if (t.was_from)
		got.c = stepAt(t.was_from + 1);
	if (t.was_to)
		got.d = stepAt(t.was_to - 1);
	if (got.c < 0 || got.d < got.c || t.was_to <= times[0].from ||
	    t.was_from >= times[times.length - 1].to)
		got.c = got.d = -1;
	return got;
}

function timesOfAddress(p) {
	const t = {};

	for (const k of ["from", "to", "was_from", "was_to"]) {
		if (Number(p.get(k)) > 0)
			t[k] = Number(p.get(k));
	}
	return t;
}

function readAddress(given) {
	const p = new URLSearchParams(location.hash.slice(1));
	const got = stepsAt(timesOfAddress(p), given);

	for (const k of inAddress) {
		if (p.get(k) !== null || emptied.has(k))
			got[k] = p.get(k) || "";
	}
	return got;
}

/* A link, or back. */
function followAddress() {
	const got = readAddress(wholeRange());

	if (got.zoom !== state.zoom)
		coming = timesOfAddress(new URLSearchParams(
			location.hash.slice(1)));
	change(got);
}

export function beginState(steps, defaults) {
	times = steps;
	const given = { ...wholeRange(), ...defaults() };
	const { zoom } = state; /* that of the steps */

	Object.assign(state, given, readAddress(given), { zoom });
	window.addEventListener("hashchange", followAddress);
}

/* ---- other data --------------------------------------------------------- */

/* Before there are steps: the range that data are asked for. */
export function zoomOfAddress() {
	state.zoom = new URLSearchParams(location.hash.slice(1)).get("zoom") || "";
	return state.zoom;
}

/* Data of these times will come, or of all.  Back leads here. */
export function zoomTo(zoom, chosen) {
	history.pushState(null, "", location.href);
	coming = chosen;
	change({ zoom });
}

/* They don't come. */
export function endZoom(zoom) {
	coming = null;
	change({ zoom });
}

/* They are there: the same times stay chosen. */
export function newSteps(steps) {
	const t = coming || chosenTimes();

	coming = null;
	times = steps;
	Object.assign(state, stepsAt(t, wholeRange()));
	toAddress();
}

/* What to zoom in to: [from, to] of what is chosen and compared with; and the
 * times that stay chosen in it. */
export function toZoom() {
	const a = isComparing() ? Math.min(state.a, state.c) : state.a;
	const b = isComparing() ? Math.max(state.b, state.d) : state.b;

	return { from: times[a].from, to: times[b].to,
		whole: a === 0 && b === times.length - 1,
		chosen: isComparing() ? chosenTimes() : {} };
}

/* ---- what is chosen ----------------------------------------------------- */

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
