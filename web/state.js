/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.js - what is chosen: range, tab, order, filter.  The part of the
 * address after # has it, so that a link leads to a moment.
 */

export const state = { a: 0, b: 0, tab: "sessions", by: "", as: "", heat: "",
	sort: "", find: "", host: "", zone: "", open: "" };

const listeners = [];
const inAddress = ["from", "to", "tab", "by", "as", "heat", "sort", "find",
	"host", "zone"];
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
	toAddress();
	for (const fn of listeners)
		fn(what);
}

function readAddress() {
	const p = new URLSearchParams(location.hash.slice(1));
	const got = { a: 0, b: times.length - 1 };
	const from = Number(p.get("from"));
	const to = Number(p.get("to"));

	for (const k of inAddress.slice(2)) {
		if (p.get(k) !== null)
			got[k] = p.get(k);
	}
	if (from > 0)
		got.a = stepAt(from + 1);
	if (to > 0)
		got.b = stepAt(to - 1);
	return got;
}

export function beginState(steps, defaults) {
	times = steps;
	Object.assign(state, defaults, readAddress());
	window.addEventListener("hashchange", () => change(readAddress()));
}

export function isWhole() {
	return state.a === 0 && state.b === times.length - 1;
}
