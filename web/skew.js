/* SPDX-License-Identifier: Apache-2.0 */
/*
 * skew.js - how evenly the segments of a cluster work: a row per session, and of
 * one session the CPU use of each segment over time, and of each slice on each
 * segment.
 */
import { figureText } from "./format.js";
import { byId, el, replace } from "./dom.js";
import { ShownRow, rowsIn, textAt } from "./figures.js";
import { change, state } from "./state.js";
import { colour, prepare, timeScale } from "./scale.js";
import { drawRanges } from "./chart.js";
import { paintCells } from "./cells.js";
import { once } from "./data.js";

/* A ratio of less is mostly chance: as in the view skew. */
const CPU_LEAST_S = 1;

const columns = [
	{ name: "session", title: "SESSION", unit: "text", is_text: true,
		rule: "key", help: "session" },
	{ name: "server", title: "SERVER", unit: "text", is_text: true,
		rule: "key", help: "database server" },
	{ name: "user", title: "USER", unit: "text", is_text: true,
		rule: "text", help: "database user" },
	{ name: "cpu_seconds", title: "CPU", unit: "seconds",
		help: "CPU time on all segments" },
	{ name: "max_seconds", title: "MAX", unit: "seconds",
		help: "CPU time on the most loaded segment" },
	{ name: "average_seconds", title: "AVG", unit: "seconds",
		help: "CPU time of the average segment, idle ones included" },
	{ name: "excess_seconds", title: "EXCESS", unit: "seconds",
		help: "MAX - AVG" },
	{ name: "skew", title: "SKEW", unit: "number",
		help: "MAX / AVG; absent below 1 s of CPU time" },
	{ name: "hot", title: "HOT", unit: "text", is_text: true,
		rule: "text", help: "most loaded segment, and its host" },
];

const bySegment = (x, y) => Number(x) - Number(y);

/* Segments of each server that did something: those that are counted. */
function segmentsOf(data) {
	return once(data, "segments", () => {
		const table = data.table.matrix;
		const all = new Map();

		for (const r of table.rows) {
			const server = textAt(data, table, r, "server", 0);

			if (!all.has(server))
				all.set(server, new Set());
			all.get(server).add(textAt(data, table, r, "segment", 0));
		}
		return all;
	});
}

/* Parts of each session in a range: { session, server, parts }. */
function sessionsOf(table, rows) {
	const i = (name) => table.columns.findIndex((c) => c.name === name);
	const at = { session: i("session"), server: i("server"),
		slice: i("slice"), segment: i("segment"), host: i("host"),
		cpu: i("cpu_seconds") };
	const all = new Map();

	for (const r of rows) {
		if (r.others)
			continue;
		const part = { row: r.row };

		for (const k in at)
			part[k] = r.cell(at[k]);
		const id = part.session + "\t" + part.server;

		if (!all.has(id))
			all.set(id, { id, session: part.session,
				server: part.server, parts: [] });
		all.get(id).parts.push(part);
	}
	return [...all.values()];
}

function sumBy(parts, key) {
	const sums = new Map();

	for (const p of parts)
		sums.set(p[key], (sums.get(p[key]) || 0) + (p.cpu || 0));
	return sums;
}

function userOf(data, of) {
	const names = once(data, "users", () => {
		const table = data.table.sessions;
		const all = new Map();

		for (const r of table.rows) {
			const text = (name) => textAt(data, table, r, name,
				r.at.length - 1);

			all.set(text("session") + "\t" + text("server"),
				text("user"));
		}
		return all;
	});

	return names.get(of.id) || null;
}

function rowOfSession(data, of) {
	const sums = sumBy(of.parts, "segment");
	const n = segmentsOf(data).get(of.server).size;
	const cpu = [...sums.values()].reduce((x, y) => x + y, 0);
	const most = Math.max(...sums.values());
	const enough = cpu >= CPU_LEAST_S;
	const [hot] = [...sums].find(([, v]) => v === most);
	const host = of.parts.find((p) => p.segment === hot).host;

	return new ShownRow([of.session, of.server, userOf(data, of), cpu, most,
		cpu / n, most - cpu / n, enough ? most / (cpu / n) : null,
		enough ? "seg" + hot + "@" + host : null]);
}

/* The one that was clicked; else that with most to gain. */
function chosenOf(sessions, rows) {
	const asked = sessions.find((s) => s.id === state.skew);
	let best = -1;

	if (asked)
		return asked;
	rows.forEach((r, i) => {
		if (best < 0 || r.cell(6) > rows[best].cell(6))
			best = i;
	});
	return sessions[best];
}

/* ---- one session --------------------------------------------------------- */

/* Segments of a session by step: cores in use. */
function overTime(data, of) {
	const table = data.table.matrix;
	const index = table.column.cpu_seconds.index;
	const rows = new Map();

	for (const segment of [...segmentsOf(data).get(of.server)]
		.sort(bySegment))
		rows.set(segment, { name: "seg" + segment,
			v: new Float64Array(data.steps.length).fill(NaN) });
	for (const r of table.rows) {
		const text = (name) => textAt(data, table, r, name, 0);

		if (text("session") !== of.session ||
		    text("server") !== of.server)
			continue;
		const { v } = rows.get(text("segment"));

		for (let k = 0; k < r.at.length; k++) {
			const i = r.at[k];
			const cores = r.value(index, k) / data.steps[i].covered;

			if (cores >= 0)
				v[i] = (v[i] || 0) + cores;
		}
	}
	return [...rows.values()];
}

const mostOf = (rows) => rows.reduce((m, r) =>
	r.v.reduce((x, v) => v > x ? v : x, m), 0);

function drawOverTime(data, canvas, rows) {
	const h = rows.length <= 12 ? 18 : rows.length <= 40 ? 12 : 4;
	const width = canvas.parentElement.clientWidth;
	const g = prepare(canvas, width, Math.max(rows.length * h, 16));
	const t = timeScale(data, width);
	const every = Math.ceil(13 / h);

	paintCells(g, data, t, { rows, h, most: mostOf(rows) || 1 });
	g.textAlign = "right";
	g.textBaseline = "middle";
	g.fillStyle = colour("dim");
	rows.forEach((r, i) => {
		if (i % every === 0)
			g.fillText(r.name, t.left - 6, i * h + Math.max(h, 13) / 2,
				t.left - 8);
	});
	drawRanges(g, data, t, 0, rows.length * h);
}

/* Slices by segments, as a table: the share of its fullest cell is shaded. */
function sliceTable(data, of) {
	const segments = [...segmentsOf(data).get(of.server)].sort(bySegment);
	const slices = [...new Set(of.parts.map((p) => p.slice))]
		.sort((x, y) => (x === null) - (y === null) || bySegment(x, y));
	const cell = (slice, segment) => of.parts.filter((p) =>
		p.slice === slice && p.segment === segment);
	const most = Math.max(...of.parts.map((p) => p.cpu || 0), 1e-9);
	const cellOf = (slice, segment) => {
		const parts = cell(slice, segment);
		const cpu = parts.reduce((s, p) => s + (p.cpu || 0), 0);
		const td = el("td", { class: "n bar" }, parts.length
			? figureText("seconds", cpu) : "-");

		td.style.setProperty("--part", (cpu / most * 100).toFixed(1) +
			"%");
		return td;
	};

	return el("table", { class: "matrix" },
		el("caption", {}, "CPU time of " + of.session +
			" in the chosen range, by slice and segment"),
		el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "SLICE"),
			...segments.map((s) => el("th", { scope: "col",
				class: "n" }, "seg" + s)))),
		el("tbody", {}, ...slices.map((slice) => el("tr", {},
			el("th", { scope: "row" }, slice === null ? "-" : slice),
			...segments.map((s) => cellOf(slice, s))))));
}

function drawSession(data, box, of) {
	const rows = overTime(data, of);
	const canvas = el("canvas", { role: "img", "aria-label":
		"CPU use of " + of.session + " on each of " + rows.length +
		" segments over time; the table of slices has the figures" });

	replace(box, el("h3", {}, of.session + " on its segments ",
		el("span", { class: "dim" }, "at most " +
			figureText("number", mostOf(rows)) + " CPU cores each")),
	el("div", { class: "plot" }, canvas),
	el("div", { class: "scroll", tabindex: "0", role: "region",
		"aria-label": "slices and segments" }, sliceTable(data, of)));
	drawOverTime(data, canvas, rows);
}

/* ---- the tab ------------------------------------------------------------- */

export function hasSkew(data) {
	return data.table.matrix && data.table.matrix.nRows > 0;
}

export function skewView(data, view) {
	const table = data.table.matrix;
	const sessions = sessionsOf(table, rowsIn(data, table, state.a,
		state.b));
	const rows = sessions.map((s) => rowOfSession(data, s));
	const chosen = chosenOf(sessions, rows);

	return { ...view, columns, rows, view: "skew", nOthers: 0,
		options: " -g session", sort: columns.some((c) =>
			c.name === state.sort.replace("+", "")) ? state.sort
			: "excess_seconds",
		hidden: new Set(segmentsOf(data).size > 1 ? [] : ["server"]),
		about: table.nOthers ? "Parts of little use are not in this " +
			"page" : "Choose a row to see its segments",
		rowClass: (r) => chosen && r.cell(0) === chosen.session &&
			r.cell(1) === chosen.server ? "picked" : null,
		choose: (r) => change({ skew: r.cell(0) + "\t" + r.cell(1) }),
		extra: chosen ? (box) => drawSession(data, box, chosen) : null };
}

export function drawExtra(view) {
	const box = byId("extra");

	box.hidden = !view.extra;
	replace(box);
	if (view.extra)
		view.extra(box);
}
