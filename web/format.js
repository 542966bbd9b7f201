/* SPDX-License-Identifier: Apache-2.0 */
/* format.js - figures and times as texts, as gpsnap's tables have them. */

/* Three digits: 1234567 is 1.23M. */
export function scaled(v, base, units) {
	let i = 0;

	while (Math.abs(v) >= base * 0.9995 && i < units.length - 1) {
		v /= base;
		i++;
	}
	return digits3(v) + units[i];
}

function digits3(v) {
	const a = Math.abs(v);

	if (a === 0)
		return "0";
	return a >= 99.95 ? v.toFixed(0) : a >= 9.995 ? v.toFixed(1)
		: v.toFixed(2);
}

const bytes = ["", "K", "M", "G", "T", "P"];
const thousands = ["", "K", "M", "G", "T"];

function duration(s) {
	if (s < 59.995)
		return s.toFixed(s < 9.995 ? 2 : 1) + "s";
	return span(s);
}

const two = (n) => String(n).padStart(2, "0");

/* 3d04h, 2h05m, 14m03s, 9.2s */
export function span(s) {
	if (s < 59.95)
		return s.toFixed(s % 1 ? 1 : 0) + "s";
	s = Math.round(s);
	if (s < 3600)
		return Math.floor(s / 60) + "m" + two(s % 60) + "s";
	s = Math.round(s / 60);
	if (s < 1440)
		return Math.floor(s / 60) + "h" + two(s % 60) + "m";
	s = Math.round(s / 60);
	return Math.floor(s / 24) + "d" + two(s % 24) + "h";
}

const shapes = {
	text: String,
	id: String,
	count: (v) => v < 1000 && Number.isInteger(v) ? String(v)
		: scaled(v, 1000, thousands),
	number: digits3,
	rate: (v) => scaled(v, 1000, thousands),
	percent: (v) => v >= 99.95 ? v.toFixed(0) : v.toFixed(1),
	bytes: (v) => scaled(v, 1024, bytes),
	bytes_rate: (v) => scaled(v, 1024, bytes),
	seconds: duration,
	age: span,
	time: (v) => clock(v),
};

/* A figure: null is absent, which is not 0. */
export function figureText(unit, v, mark) {
	if (v === null || v === undefined)
		return mark & 4 ? "?" : "-";
	return markText(mark) + shapes[unit](v);
}

function markText(mark) {
	return mark & 2 ? "\u2265\u00a0" : mark & 1 ? "~" : "";
}

/* A difference. */
export function signedText(unit, v, mark) {
	if (v === null || v === undefined)
		return "-";
	const text = shapes[unit](Math.abs(v));
	const sign = !/[1-9]/.test(text) ? "" : v > 0 ? "+" : "\u2212";

	return markText(mark) + sign + text;
}

/* ---- times: ms since 1970, in a zone ---------------------------------- */

let offsetOf = () => 0;
let withDate = false;

/* offset(ms): seconds east of UTC; date: times need their day. */
export function setZone(offset, date) {
	offsetOf = offset;
	withDate = date;
}

function local(ms) {
	return new Date(ms + offsetOf(ms) * 1000).toISOString();
}

export function clock(ms) {
	return withDate ? dayTime(ms) : local(Math.round(ms / 1000) * 1000)
		.slice(11, 19);
}

export function dayTime(ms) {
	return local(Math.round(ms / 1000) * 1000).slice(0, 19)
		.replace("T", " ");
}

/* For an axis: no more than what distinguishes its marks. */
export function axisTime(ms, stepMs) {
	const t = local(ms);

	if (stepMs >= 86400000)
		return t.slice(5, 10);
	return t.slice(11, stepMs < 60000 ? 19 : 16);
}

export function midnightOffset(ms) {
	return offsetOf(ms) * 1000;
}

/* For --from and --to, which count to whole ticks. */
export function isoTime(ms, intervalMs) {
	const n = Math.round(ms / intervalMs) * intervalMs;
	const whole = Math.abs(ms - n) < intervalMs / 2 ? n : ms;

	return new Date(whole).toISOString().replace(".000Z", "Z");
}
