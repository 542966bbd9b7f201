/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.js - what the load consists of: series of average active sessions, or of
 * CPU cores, by what they are stacked.  The largest are shown, then the rest,
 * so that the stack is the whole.
 */
import { once } from "./data.js";
import { coveredIn, textAt, watchedIn } from "./figures.js";

export const measures = [["sessions", "active sessions"],
	["cores", "CPU cores"]];

/* Per measure: what it can be stacked by, with the table, the column of its
 * name and the column that is summed. */
const stacks = {
	sessions: {
		wait: ["wait class", "waits", "stat", "seconds"],
		session: ["session", "backends", "session", "seconds"],
		user: ["user", "backends", "user", "seconds"],
		database: ["database", "backends", "database", "seconds"],
		statement: ["statement", "wait_queries", "query", "seconds"],
		segment: ["segment", "backends", "segment", "seconds"],
	},
	cores: {
		session: ["session", "sessions", "session", "cpu_seconds"],
		user: ["user", "parts", "user", "cpu_seconds"],
		database: ["database", "parts", "database", "cpu_seconds"],
		statement: ["statement", "queries", "text", "cpu_seconds"],
		host: ["host", "parts", "host", "cpu_seconds"],
		segment: ["segment", "parts", "segment", "cpu_seconds"],
		command: ["command", "parts", "command", "cpu_seconds"],
	},
};

const TOP = 8;

/* Classes of DB time: neither their events nor idle time. */
export function isWaitClass(stat) {
	return stat !== null && stat !== "DB time" &&
		!stat.startsWith(" ") && !stat.startsWith("(");
}

export function stacksOf(measure) {
	return Object.entries(stacks[measure]).map(([k, v]) => [k, v[0]]);
}

/* The table that it needs. */
export function loadTable(measure, by) {
	return stacks[measure][by][1];
}

/* The last text that a row has in a column. */
function lastText(data, table, row, name) {
	for (let k = row.at.length - 1; k >= 0; k--) {
		const s = textAt(data, table, row, name, k);

		if (s !== null)
			return s;
	}
	return null;
}

/* A session of the operating system has a number of its host's, exited children have
 * none. */
function nameOf(data, table, row, column) {
	const own = lastText(data, table, row, column);

	if (column !== "session")
		return own || "-";
	const host = data.head.hosts.length > 1
		? lastText(data, table, row, "os_host") : null;

	return (own || lastText(data, table, row, "command") || "-") +
		(host ? " on " + host : "");
}

/* over: seconds per step. */
function addRow(to, row, index, over) {
	const v = row.column(index);

	for (let k = 0; k < row.at.length; k++) {
		const step = row.at[k];

		if (!Number.isNaN(v[k]) && over[step] > 0) {
			to.load[step] += v[k] / over[step];
			to.total += v[k];
		}
	}
}

/* Seconds per step that a measure is an average of. */
function timesOf(data, measure) {
	return data.steps.map((s) => measure === "sessions" ? s.watched
		: s.covered);
}

function seriesByName(data, table, name, index, by, over) {
	const found = new Map();

	for (const row of table.rows) {
		const text = nameOf(data, table, row, name);

		if (by === "wait" && !isWaitClass(text))
			continue;
		if (!found.has(text))
			found.set(text, { name: text, total: 0,
				load: new Float64Array(data.steps.length) });
		addRow(found.get(text), row, index, over);
	}
	return [...found.values()].filter((s) => s.total > 0);
}

function isCpu(s) {
	return s.name === "CPU*" ? 1 : 0;
}

/* Amounts before each step: the mean of a range needs no loop. */
function addSums(series, over, timeIn) {
	for (const s of series) {
		s.timeIn = timeIn;
		s.sums = new Float64Array(over.length + 1);
		over.forEach((t, i) => {
			s.sums[i + 1] = s.sums[i] + s.load[i] * t;
		});
	}
	return series;
}

/* { series, table }: series from the bottom up. */
export function loadSeries(data, measure, by) {
	return once(data, "load " + measure + " " + by, () =>
		makeSeries(data, measure, by));
}

function makeSeries(data, measure, by) {
	const [, tableName, name, column] = stacks[measure][by];
	const table = data.table[tableName];
	const index = table.column[column].index;
	const rest = { name: "others", total: 0, rest: true, n: 0,
		load: new Float64Array(data.steps.length) };
	const over = timesOf(data, measure);
	const all = seriesByName(data, table, name, index, by, over);

	all.sort((x, y) => y.total - x.total);
	for (const s of all.slice(TOP)) {
		rest.total += s.total;
		rest.n++;
		s.load.forEach((v, i) => { rest.load[i] += v; });
	}
	if (table.others) {
		addRow(rest, table.others, index, over);
		rest.n += table.nOthers;
	}
	const top = all.slice(0, TOP);

	if (by === "wait")
		top.sort((x, y) => isCpu(y) - isCpu(x));
	if (rest.total > 0)
		top.push(rest);
	return { series: addSums(top, over, measure === "sessions"
		? watchedIn : coveredIn), table };
}

/* The mean of a series over steps a to b. */
export function meanLoad(data, series, a, b) {
	const t = series.timeIn(data, a, b);

	return t > 0 ? (series.sums[b + 1] - series.sums[a]) / t : null;
}
