/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.js - the figures of a range of steps from those of its steps.  Only
 * amounts are added up; a rate is the mean over covered time, a level that of
 * the last step, a peak that of the worst one.
 */

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
	let s = 0;

	for (let i = a; i <= b; i++)
		s += data.steps[i].covered;
	return s;
}

/* Covered seconds per step of each host, and of the data as a whole. */
function setCovers(data) {
	const hosts = data.table.hosts;
	const own = hosts.column.own_covered_seconds;

	data.coverOfHost = new Map();
	data.coverOfSteps = Float64Array.from(data.steps, (s) => s.covered);
	data.cover = data.coverOfSteps;
	for (const r of hosts.rows) {
		const cover = new Float64Array(data.steps.length);

		for (let k = 0; k < r.at.length; k++)
			cover[r.at[k]] = r.value(own.index, k) || 0;
		data.coverOfHost.set(textAt(data, hosts, r, "host", 0), cover);
	}
}

/* What has no host of its own counts by the host that has most of the range. */
function chooseCover(data, a, b) {
	let most = -1;

	data.cover = data.coverOfSteps;
	for (const c of data.coverOfHost.values()) {
		const t = total(c, a, b);

		if (t > most) {
			most = t;
			data.cover = c;
		}
	}
}

/* Covered seconds per step: those of the row's host, where it has one. */
function coverOf(data, table, row) {
	const c = table.column.host;
	const name = c && c.is_text && row.at.length
		? textAt(data, table, row, "host", 0) : null;

	return name !== null && data.coverOfHost.get(name) || data.cover;
}

/* Some host was covered less than another: rates of what works on several
 * hosts are estimates then. */
function isUneven(data, a, b) {
	const of = [...data.coverOfHost.values()].map((c) => total(c, a, b));

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

function total(cover, a, b) {
	let s = 0;

	for (let i = a; i <= b; i++)
		s += cover[i];
	return s;
}

function rate(v, row, cover, from, to, a, b) {
	let s = 0;
	let known = false;

	for (let k = from; k < to; k++) {
		if (!Number.isNaN(v[k])) {
			s += v[k] * cover[row.at[k]];
			known = true;
		}
	}
	const t = total(cover, a, b);
	return known && t > 0 ? s / t : null;
}

function mean(table, c, row, cover, from, to) {
	const v = row.column(c.index);
	let s = 0;
	let all = 0;

	for (let k = from; k < to; k++) {
		let w = 0;

		for (const name of c.of.split("+"))
			w += row.value(table.column[name].index, k) || 0;
		w *= cover[row.at[k]];
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

function lastOf(data, c, v, to) {
	const x = v[to - 1];

	if (Number.isNaN(x))
		return null;
	return c.is_text ? data.texts[x] : x;
}

/* One figure of a row in steps a to b; [from, to) are its row-steps there. */
export function figure(data, table, c, row, from, to, a, b) {
	const v = c.stored ? row.column(c.index) : null;

	switch (c.rule) {
	case "sum":
		return sum(v, from, to);
	case "rate":
		return rate(v, row, coverOf(data, table, row), from, to, a, b);
	case "per": {
		const of = table.column[c.of];
		const s = sum(row.column(of.index), from, to);
		const t = total(coverOf(data, table, row), a, b);

		return s === null || t <= 0 ? null
			: s / t * (c.unit === "percent" ? 100 : 1);
	}
	case "mean":
		return mean(table, c, row, coverOf(data, table, row), from, to);
	case "max":
		return extreme(v, from, to, 1);
	case "min":
		return extreme(v, from, to, -1);
	}
	return lastOf(data, c, v, to);
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

function markOf(table, row, c, from, to, uneven) {
	const of = c.stored ? c : table.column[c.of];
	const rate = c.rule === "rate" || c.rule === "per";

	if (!rate && c.rule !== "sum")
		return of ? row.mark[of.index] : 0;
	return row.mark[of.index] | (uneven && rate ? 1 : 0) |
		(cameBack(row, row.column(of.index), from, to) ? 2 : 0);
}

/* All rows of a table in steps a to b: { row, cells, marks, others }. */
export function rowsIn(data, table, a, b) {
	const out = [];

	if (!data.coverOfHost)
		setCovers(data);
	chooseCover(data, a, b);
	const uneven = !table.column.host && isUneven(data, a, b);

	for (const row of table.rows.concat(table.others || [])) {
		const [from, to] = slice(row, a, b);

		if (from === to)
			continue;
		const cells = table.columns.map((c) =>
			figure(data, table, c, row, from, to, a, b));

		if (row === table.others && cells.every((v) => v === null))
			continue;
		out.push({ row, cells, others: row === table.others,
			marks: table.columns.map((c) => markOf(table, row, c,
				from, to, uneven)) });
	}
	return out;
}
