/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat.js - hosts by time: a row each, darker where there is more.  A thousand
 * hosts are thin rows in a box that scrolls, the worst first.
 */
import { figureText } from "./format.js";
import { byId, choices, el, replace } from "./dom.js";
import { change, state } from "./state.js";
import { colour, layered, prepare, stepOf, timeScale } from "./scale.js";
import { isDragging } from "./brush.js";
import { paintCells } from "./cells.js";
import { once } from "./data.js";
import { drawHoles, drawRanges, hideTip } from "./chart.js";
import { clock } from "./format.js";
import { textAt } from "./figures.js";

/* What is shown: table, column, its name, the value that is full; least: the
 * worst is the lowest. */
const heatKinds = {
	busy: { table: "hosts", column: "busy_percent", text: "CPU busy %",
		full: 100 },
	queue: { table: "hosts", column: "run_queue_peak",
		text: "run queue, highest" },
	memory: { table: "hosts", column: "memory_available", of: "mem_total",
		text: "memory in use %", full: 100 },
	await: { table: "hosts", column: "worst_disk_await_ms",
		text: "worst disk's await, ms" },
	util: { table: "hosts", column: "worst_disk_util_percent",
		text: "worst disk busy %", full: 100 },
	net: { table: "nets", column: "rx_bytes_per_second",
		plus: "tx_bytes_per_second", text: "network, bytes/s" },
	cpu_pressure: { table: "hosts", column: "cpu_pressure_percent",
		text: "CPU pressure %", full: 100 },
	memory_pressure: { table: "hosts", column: "memory_pressure_percent",
		text: "memory pressure %", full: 100 },
	io_pressure: { table: "hosts", column: "io_pressure_percent",
		text: "IO pressure %", full: 100 },
};

const heat = { rows: [], h: 20, t: null, most: 1, measure: null };

export function heatMeasures(data) {
	return Object.entries(heatKinds).filter(([, m]) => {
		const t = data.table[m.table];
		const c = t.column[m.column];

		return c && c.known;
	}).map(([k, m]) => [k, m.text]);
}

/* The table that it needs. */
export function heatTable(measure) {
	return heatKinds[measure]?.table;
}

function valueAt(table, row, m, k) {
	const at = (name) => row.value(table.column[name].index, k);

	if (m.of)
		return at(m.of) > 0 ? 100 * (1 - at(m.column) / at(m.of)) : NaN;
	return m.plus ? at(m.column) + at(m.plus) : at(m.column);
}

/* A row per host: its values by step, of several devices the sum. */
function heatRows(data, m) {
	const table = data.table[m.table];
	const byHost = new Map();

	for (const row of table.rows) {
		const host = textAt(data, table, row, "host", 0) || "?";

		if (!byHost.has(host))
			byHost.set(host, { host, v: new Float64Array(
				data.steps.length).fill(NaN), worst: 0 });
		const to = byHost.get(host).v;

		for (let k = 0; k < row.at.length; k++) {
			const v = valueAt(table, row, m, k);
			const i = row.at[k];

			if (!Number.isNaN(v))
				to[i] = (Number.isNaN(to[i]) ? 0 : to[i]) + v;
		}
	}
	return [...byHost.values()];
}

function setWorst(data, rows) {
	for (const r of rows) {
		r.worst = null;
		for (let i = state.a; i <= state.b; i++) {
			if (r.v[i] > (r.worst === null ? -1 : r.worst))
				r.worst = r.v[i];
		}
	}
}

/* While a range is dragged, rows stay where they are. */
function makeRows(data) {
	if (isDragging() && heat.data === data && heat.name === state.heat) {
		setWorst(data, heat.rows);
		return;
	}
	heat.data = data;
	heat.name = state.heat;
	const m = heatKinds[state.heat] || heatKinds.busy;
	const rows = [...once(data, "heat " + state.heat,
		() => heatRows(data, m))];

	setWorst(data, rows);
	if (rows.length > 40)
		rows.sort((x, y) => (y.worst || 0) - (x.worst || 0));
	heat.measure = m;
	heat.unit = m.of ? "percent"
		: data.table[m.table].column[m.column].unit;
	heat.rows = rows;
	heat.most = m.full || Math.max(1e-9,
		...rows.map((r) => r.v.reduce((x, v) => v > x ? v : x, 0)));
	heat.h = rows.length <= 12 ? 22 : rows.length <= 40 ? 16
		: rows.length <= 200 ? 8 : 4;
}

function drawHostNames(g, t) {
	const every = Math.ceil(13 / heat.h);

	g.textAlign = "right";
	g.textBaseline = "middle";
	heat.rows.forEach((r, n) => {
		if (n % every)
			return;
		g.fillStyle = colour(r.host === state.host ? "accent" : "dim");
		g.fillText(r.host.slice(0, 40), t.left - 6,
			n * heat.h + Math.max(heat.h, 13) / 2, t.left - 8);
	});
}

/* The worst value of a row, in words: of the chosen range. */
function drawSummary() {
	const worst = heat.rows.reduce((x, r) =>
		r.worst !== null && (!x || r.worst > x.worst) ? r : x, null);

	byId("heat-worst").textContent = worst
		? "highest in range: " + figureText(heat.unit, worst.worst) +
			" on " + worst.host
		: "not recorded in this range";
	replace(byId("heat-scale"), el("span", { class: "dim" }, "0 "),
		...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
			const s = el("span", { class: "swatch" });

			s.style.background = colour("heat-" + i);
			return s;
		}), el("span", { class: "dim" }, " " +
			figureText(heat.unit, heat.most)));
}

export function drawHeat(data) {
	const canvas = byId("heat");
	const width = canvas.parentElement.clientWidth;

	makeRows(data);
	const height = Math.max(heat.rows.length * heat.h, 16);
	const g = prepare(canvas, width, height);
	const t = timeScale(data, width);

	heat.t = t;
	layered(g, canvas, [state.heat, state.host, state.zone,
		...heat.rows.length > 40 ? heat.rows.map((r) => r.host) : []]
		.join(" "), (below) => {
		paintCells(below, data, t, heat);
		drawHostNames(below, t);
		drawHoles(below, t, data, 0, height);
	});
	drawRanges(g, data, t, 0, height);
	drawSummary();
}

/* The host and step under the pointer, in words. */
export function heatTip(canvas, data, event) {
	const box = canvas.getBoundingClientRect();
	const i = stepOf(data, heat.t.ms(event.clientX - box.left));
	const r = heat.rows[Math.floor((event.clientY - box.top) / heat.h)];

	if (!r || Number.isNaN(r.v[i]))
		return null;
	return r.host + ": " + figureText(heat.unit, r.v[i]) + " (" +
		heat.measure.text + ") at " + clock(data.steps[i].to);
}

/* A click chooses a host: tables show its rows only. */
export function heatClicks(canvas) {
	canvas.addEventListener("click", (event) => {
		const box = canvas.getBoundingClientRect();
		const r = heat.rows[Math.floor((event.clientY - box.top) /
			heat.h)];

		hideTip();
		if (r && heat.rows.length > 1)
			change({ host: state.host === r.host ? "" : r.host });
	});
}

/* For who has no pointer. */
export function drawHosts(data) {
	const names = data.table.hosts.rows.map((r) =>
		textAt(data, data.table.hosts, r, "host", 0)).filter((n) => n);

	choices(byId("host"), [["", "all hosts"], ...[...new Set(names)].sort()
		.map((n) => [n, n])], state.host);
	byId("host").parentElement.hidden = names.length < 2;
}
