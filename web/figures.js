/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.js - the figures of a range of steps from those of its steps.  Only
 * amounts are added up; a rate is the mean over covered time, a level that of
 * the last step, a peak that of the worst one.
 */
import { once } from "./data.js";


/* The first row-step at or after step, by bisection. */
function lowerBound(at, step) {
	let lo = 0;
	let hi = at.length;

	while (lo < hi) {
		const mid = (lo + hi) >> 1;

		if (at[mid] < step)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Row-steps of a row within steps a to b: [first, after the last]. */
export function slice(row, a, b) {
	return [lowerBound(row.at, a), lowerBound(row.at, b + 1)];
}

export function coveredIn(data, a, b) {
	return total(coversOf(data).steps, a, b);
}

/* Covered seconds per step; sum[i]: those of the steps before i. */
function makeCover(at) {
	const sum = new Float64Array(at.length + 1);

	at.forEach((v, i) => { sum[i + 1] = sum[i] + v; });
	return { at, sum };
}

function total(cover, a, b) {
	return cover.sum[b + 1] - cover.sum[a];
}

/* Of each host, and of the data as a whole. */
function coversOf(data) {
	return once(data, "covers", () => {
		const hosts = data.table.hosts;
		const own = hosts.column.own_covered_seconds;
		const host = new Map();

		for (const r of hosts.rows) {
			const at = new Float64Array(data.steps.length);

			for (let k = 0; k < r.at.length; k++)
				at[r.at[k]] = r.value(own.index, k) || 0;
			host.set(textAt(data, hosts, r, "host", 0),
				makeCover(at));
		}
		return { host, steps: makeCover(Float64Array.from(data.steps,
			(s) => s.covered)), watched: makeCover(Float64Array
			.from(data.steps, (s) => s.watched)) };
	});
}

/* Hosts that are covered less than the whole by half an interval or more. */
export function hostsLess(data) {
	const last = data.steps.length - 1;
	const least = coveredIn(data, 0, last) - data.head.interval_seconds / 2;

	return [...coversOf(data).host].map(([host, c]) => ({ host,
		covered: total(c, 0, last) })).filter((h) => h.covered <= least);
}

/* Of the hosts that were there in a step, that which has most of the range. */
function longestCover(of, step) {
	const { host, steps } = coversOf(of.data);
	let longest = null;

	for (const c of host.values()) {
		if (c.at[step] > 0 && (!longest || total(c, of.a, of.b) >
		    total(longest, of.a, of.b)))
			longest = c;
	}
	return longest || steps;
}

/* The first step of the range in which the row had time of its own, or was there. */
function firstStep(of, row) {
	const [from, to] = slice(row, of.a, of.b);
	let k = from;

	while (k < to && !(ownTime(of, row, k) > 0))
		k++;
	return row.at[k < to ? k : from];
}

/* What has no host of its own counts by the longest of those that were there when it
 * was: recordings of several clusters have no host in common. */
function commonCover(of, row) {
	return once(of, row, () => {
		const step = firstStep(of, row);

		return once(of, step, () => longestCover(of, step));
	});
}

/* Averages of waits are of the time in which backends were watched. */
export function watchedIn(data, a, b) {
	return total(coversOf(data).watched, a, b);
}

/* Covered seconds per step: those of the row's host, where it has one. */
function coverOf(of, row) {
	const { data, table } = of;

	if (row.cover === undefined) {
		const c = table.column.host;
		const name = c && c.is_text && row.at.length
			? textAt(data, table, row, "host", 0) : null;

		row.cover = name !== null &&
			coversOf(data).host.get(name) || null;
	}
	return row.cover || of.watched || commonCover(of, row);
}

/* What the row's time of a step is without: steps before it, steps after it.
 * LATER: it came at some time before, or something of it began outside of them. */
const CAME = 1;
const LEFT = 2;
const LATER = 4;

/* 0: it has neither edge, or none is known of what is a sum of rows. */
function edges(of, row, k) {
	const c = of.table.cover;

	return c ? row.value(c.index, k) % 8 || 0 : 0;
}

/* NaN: not known. */
function ownTime(of, row, k) {
	const c = of.table.cover;

	return c ? Math.floor(row.value(c.index, k) / 8) / 1e4 : NaN;
}

/* Covered time of a row's rates in one of its row-steps.  Where it was there in all of
 * the step, that is one host's for all steps: of another it differs a little. */
function ownCover(of, row, k) {
	const all = coverOf(of, row).at[row.at[k]];
	const own = ownTime(of, row, k);
	const isLess = own <= all - of.data.head.interval_seconds / 2;

	return isLess || edges(of, row, k) & (CAME | LEFT) ? own : all;
}

/* The same, where its time has begun before: it was in all of the step. */
function laterCover(of, row, k) {
	const goesOn = !(edges(of, row, k - 1) & LEFT);

	return goesOn && (edges(of, row, k) & (CAME | LEFT)) === CAME
		? coverOf(of, row).at[row.at[k]] : ownCover(of, row, k);
}

/* Covered seconds that rates of a row divide by; [from, to) are its row-steps in
 * the range.  Steps without it count, as in a table of the range: before it
 * unless it came from where it was not seen, after it unless it left. */
function timeOf(of, row, from, to) {
	const cover = coverOf(of, row);
	let t = edges(of, row, from) & CAME ? 0
		: total(cover, of.a, row.at[from] - 1);

	t += ownCover(of, row, from);
	for (let k = from + 1; k < to; k++) {
		if (!(edges(of, row, k - 1) & LEFT))
			t += total(cover, row.at[k - 1] + 1, row.at[k] - 1);
		t += laterCover(of, row, k);
	}
	if (!(edges(of, row, to - 1) & LEFT))
		t += total(cover, row.at[to - 1] + 1, of.b);
	return t;
}

/* Some host was covered less than another: rates of what works on several
 * hosts are estimates then. */
function isUneven(data, a, b) {
	const of = [...coversOf(data).host.values()].map((c) => total(c, a, b));

	return Math.max(...of) - Math.min(...of) > 0.001 * Math.max(...of);
}

/* The text of a row at one of its row-steps; null: absent. */
export function textAt(data, table, row, name, k) {
	const c = table.column[name];
	const v = c ? row.value(c.index, k) : NaN;

	return Number.isNaN(v) ? null : data.texts[v];
}

function sum(v, from, to) {
	let s = 0;
	let known = false;

	for (let k = from; k < to; k++) {
		if (!Number.isNaN(v[k])) {
			s += v[k];
			known = true;
		}
	}
	return known ? s : null;
}

function rate(of, v, row, from, to) {
	let s = 0;
	let known = false;

	for (let k = from; k < to; k++) {
		if (!Number.isNaN(v[k])) {
			s += v[k] * ownCover(of, row, k);
			known = true;
		}
	}
	const t = timeOf(of, row, from, to);
	return known && t > 0 ? s / t : null;
}

function mean(of, c, row, from, to) {
	const { table } = of;
	const v = row.column(c.index);
	let s = 0;
	let all = 0;

	for (let k = from; k < to; k++) {
		let w = 0;

		for (const name of c.of.split("+"))
			w += row.value(table.column[name].index, k) || 0;
		w *= ownCover(of, row, k);
		if (!Number.isNaN(v[k])) {
			s += v[k] * w;
			all += w;
		}
	}
	return all > 0 ? s / all : null;
}

function extreme(v, from, to, sign) {
	let worst = null;

	for (let k = from; k < to; k++) {
		if (!Number.isNaN(v[k]) &&
		    (worst === null || sign * v[k] > sign * worst))
			worst = v[k];
	}
	return worst;
}

/* A host that became silent has what it said last. */
function lastStep(table, v, from, to) {
	let k = to - 1;

	while (table.name === "hosts" && k > from && Number.isNaN(v[k]))
		k--;
	return k;
}

function lastOf(data, c, v, k) {
	const x = v[k];

	if (Number.isNaN(x))
		return null;
	return c.is_text ? data.texts[x] : x;
}

/* A column's sum per second of covered time, or in percent of it. */
function per(of, c, row, from, to) {
	const s = sum(row.column(of.table.column[c.of].index), from, to);
	const t = timeOf(of, row, from, to);

	return s === null || t <= 0 ? null
		: s / t * (c.unit === "percent" ? 100 : 1);
}

/* One figure of a row in the range `of`; [from, to) are its row-steps there. */
function figure(of, c, row, from, to) {
	const v = c.stored ? row.column(c.index) : null;

	switch (c.rule) {
	case "sum":
		return sum(v, from, to);
	case "rate":
		return rate(of, v, row, from, to);
	case "per":
		return per(of, c, row, from, to);
	case "mean":
		return mean(of, c, row, from, to);
	case "max":
		return extreme(v, from, to, 1);
	case "min":
		return extreme(v, from, to, -1);
	}
	return lastOf(of.data, c, v, lastStep(of.table, v, from, to));
}

/* It was away, and what it did in between is not known step by step: a sum is
 * a lower bound. */
function cameBack(row, v, from, to) {
	for (let k = Math.max(from, 1); k < to; k++) {
		if (Number.isNaN(v[k]) && row.at[k] > row.at[k - 1] + 1)
			return true;
	}
	return false;
}

/* Rates divide by the time in which it was seen; so much is a lower bound where that
 * time is not known, or what began in a step without covered time did something: an
 * amount has that, a rate has not. */
function rateMark(of, row, c, from, to) {
	for (let k = from; k < to; k++) {
		if (edges(of, row, k) & LATER && row.at[k] > of.a &&
		    (ownCover(of, row, k) > 0 ? k === from : c.stored))
			return 2;
	}
	return 0;
}

function markOf(range, row, c, from, to) {
	const { table, uneven } = range;
	const of = c.stored ? c : table.column[c.of];
	const rate = c.rule === "rate" || c.rule === "per";

	if (!rate && c.rule !== "sum")
		return of ? row.mark(of.index) : 0;
	const mark = row.mark(of.index);

	if (rate)
		return (mark & ~8) | (uneven ? 1 : 0) |
			rateMark(range, row, c, from, to);
	return mark | (mark & 8 || cameBack(row, row.column(of.index), from,
		to) ? 2 : 0);
}

/* A row that is all there. */
export class ShownRow {
	constructor(cells, marks) {
		this.cells = cells;
		this.marks = marks || cells.map(() => 0);
		this.others = false;
	}

	cell(i) {
		return this.cells[i];
	}

	mark(i) {
		return this.marks[i];
	}
}

/* A row of a range.  Most are never shown, so figures are made when somebody
 * asks for them. */
class RangeRow {
	constructor(of, row, from, to) {
		this.of = of;
		this.row = row;
		this.from = from;
		this.to = to;
		this.others = row === of.table.others;
		this.made = [];
	}

	cell(i) {
		if (this.made[i] === undefined)
			this.made[i] = figure(this.of, this.of.table.columns[i],
				this.row, this.from, this.to);
		return this.made[i];
	}

	mark(i) {
		return markOf(this.of, this.row, this.of.table.columns[i],
			this.from, this.to);
	}

	/* Its levels are of some time before the end of the range. */
	get hasEnded() {
		return (edges(this.of, this.row, this.to - 1) & LEFT) !== 0;
	}

	get cells() {
		return this.of.table.columns.map((c, i) => this.cell(i));
	}
}

/* A session that only the catalog lists, and so without covered time, is in a table of
 * a range if it is listed at its end. */
export function isIn(table, row, b, from, to) {
	const c = table.cover;

	if (from === to)
		return false;
	if (!c || table.column.host || row.at[to - 1] === b)
		return true;
	for (let k = from; k < to; k++) {
		if (row.value(c.index, k) !== 0)
			return true;
	}
	return false;
}

/* All rows of a table in steps a to b. */
export function rowsIn(data, table, a, b) {
	const of = { data, table, a, b, made: new Map(),
		watched: table.name === "waits" && coversOf(data).watched,
		uneven: !table.column.host && isUneven(data, a, b) };
	const out = [];

	for (const row of table.rows.concat(table.others || [])) {
		const [from, to] = slice(row, a, b);

		if (!isIn(table, row, b, from, to))
			continue;
		const r = new RangeRow(of, row, from, to);

		if (!r.others || r.cells.some((v) => v !== null))
			out.push(r);
	}
	return out;
}
