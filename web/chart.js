/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chart.js - the load as a stack over time, with the number of CPUs, events,
 * findings and holes, and the ranges that are chosen in it.
 *
 * Drawn by hand: some hundred rectangles per series.  A library would be larger than
 * all of this.
 */
import { clock, figureText, span } from "./format.js";
import { byId, button, el, replace } from "./dom.js";
import { change, isWhole, isComparing, state } from "./state.js";
import { colour, drawTimeAxis, hatch, layered, prepare, roundStep,
	seriesColour, stepOf, timeScale } from "./scale.js";
import { loadSeries, meanLoad } from "./load.js";

const LANE = 20; /* of events, below the axis */
const AXIS = 24;

/* What is drawn now. */
export const chart = { data: null, load: null, t: null, height: 0, most: 1,
	marks: [] };

export function plotHeight() {
	return window.innerWidth < 560 ? 170 : 210;
}

function highestLoad(series, n) {
	let most = 0;

	for (let i = 0; i < n; i++) {
		let s = 0;

		for (const x of series)
			s += x.load[i];
		most = Math.max(most, s);
	}
	return most;
}

export function cpusOf(data) {
	return data.head.hosts.reduce((n, h) => n + h.cpus, 0);
}

function drawGrid(g, t, height) {
	const step = roundStep(chart.most, 4);

	g.textAlign = "right";
	g.textBaseline = "middle";
	for (let v = 0; v <= chart.most * 1.0001; v += step) {
		const y = Math.round(yOf(v)) + 0.5;

		g.strokeStyle = colour("line");
		g.beginPath();
		g.moveTo(t.left, y);
		g.lineTo(t.right, y);
		g.stroke();
		g.fillStyle = colour("dim");
		g.fillText(step < 1 ? v.toFixed(step < 0.1 ? 2 : 1)
			: String(Math.round(v)), t.left - 6, y);
	}
}

function yOf(v) {
	return 8 + (1 - v / chart.most) * (chart.height - 8);
}

/* Rectangles per step: a sample is a sample, and a hole stays one. */
function drawStack(g, t) {
	const { data, load } = chart;
	const base = new Float64Array(data.steps.length);

	load.series.forEach((s, k) => {
		const lines = hatch(g, k);

		data.steps.forEach((step, i) => {
			if (!(s.load[i] > 0))
				return;
			const x = Math.round(t.x(step.from));
			const y = yOf(base[i] + s.load[i]);
			const w = Math.max(Math.round(t.x(step.to)) - x, 1);
			const h = yOf(base[i]) - y + (k > 0 ? 0.5 : 0);

			g.fillStyle = s.colour;
			g.fillRect(x, y, w, h);
			if (lines) {
				g.fillStyle = lines;
				g.fillRect(x, y, w, h);
			}
			base[i] += s.load[i];
		});
	});
}

/* Its name in a band that is large enough: no colour is needed to read it. */
function drawNames(g, t) {
	const { data, load } = chart;
	const base = new Float64Array(data.steps.length);
	const drawn = [];

	g.textAlign = "center";
	g.textBaseline = "middle";
	for (const s of load.series) {
		let best = -1;
		let size = 15;

		for (let i = 0; i < data.steps.length; i++) {
			const h = yOf(base[i]) - yOf(base[i] + s.load[i]);

			if (h > size) {
				size = h;
				best = i;
			}
		}
		if (best >= 0) {
			const text = s.name.slice(0, 24);
			const half = g.measureText(text).width / 2 + 6;
			const x = Math.min(Math.max(t.x((data.steps[best].from +
				data.steps[best].to) / 2), t.left + half),
			t.right - half);
			const y = yOf(base[best] + s.load[best] / 2);

			if (drawn.every((d) => Math.abs(d.y - y) > 16 ||
			    Math.abs(d.x - x) > d.half + half)) {
				drawLabel(g, text, x, y);
				drawn.push({ x, y, half });
			}
		}
		for (let i = 0; i < data.steps.length; i++)
			base[i] += s.load[i];
	}
}

function drawLabel(g, text, x, y) {
	const w = g.measureText(text).width + 8;

	g.fillStyle = colour("label");
	g.fillRect(x - w / 2, y - 8, w, 16);
	g.fillStyle = colour("text");
	g.fillText(text, x, y + 0.5);
}

function drawCpus(g, t) {
	const cpus = cpusOf(chart.data);

	if (!cpus)
		return;
	if (cpus > chart.most) {
		g.fillStyle = colour("text");
		g.textAlign = "right";
		g.textBaseline = "top";
		g.fillText("\u2191 " + cpus + " CPUs", t.right - 4, 2);
		return;
	}
	const y = Math.round(yOf(cpus)) + 0.5;

	g.strokeStyle = colour("text");
	g.setLineDash([6, 4]);
	g.beginPath();
	g.moveTo(t.left, y);
	g.lineTo(t.right, y);
	g.stroke();
	g.setLineDash([]);
	g.textAlign = "center";
	g.textBaseline = "middle";
	drawLabel(g, cpus + " CPUs", t.right - 34, y - 9);
}

export function drawHoles(g, t, data, y, height) {
	for (const h of data.head.holes) {
		if (h.of_host)
			continue;
		const x = Math.max(t.x(h.from), t.left);
		const w = Math.max(Math.min(t.x(h.to), t.right) - x, 2);

		g.fillStyle = colour("hole");
		g.fillRect(x, y, w, height);
		g.save();
		g.beginPath();
		g.rect(x, y, w, height);
		g.clip();
		g.strokeStyle = colour("dim");
		g.beginPath();
		for (let d = -height; d < w; d += 6) {
			g.moveTo(x + d, y + height);
			g.lineTo(x + d + height, y);
		}
		g.stroke();
		g.restore();
	}
}

/* ---- the lane of events ------------------------------------------------ */

const signs = { mark: "\u25b2", problem: "\u25cf", hole: "\u2591",
	other: "\u25c6", hit: "\u2605" };
const usual = new Set(["start", "stop", "host up", "database up"]);

function marksOf(data) {
	const list = [];

	for (const e of data.head.events) {
		if (!usual.has(e.kind))
			list.push({ at: e.at, shape: e.kind === "mark"
				? signs.mark : signs.other,
			text: clock(e.at) + " " + e.kind +
				(e.host ? " " + e.host : "") +
				(e.text && e.text !== e.host ? ": " + e.text : "") });
	}
	for (const f of data.head.findings || [])
		list.push({ at: f.from, to: f.to, shape: signs.problem,
			text: clock(f.from) + " " + f.finding + ": " + f.what });
	for (const h of data.head.holes)
		list.push({ at: h.from, to: h.to, shape: signs.hole,
			text: clock(h.from) + " hole: " + h.why });
	for (const h of data.hits || [])
		list.push({ at: h.from, to: h.to, shape: signs.hit,
			text: clock(h.from) + " found: " + h.text });
	list.sort((x, y) => x.at - y.at);
	return list;
}

/* Times that overlap are drawn one below the other, as far as there is room. */
function trackOf(ends, from, to) {
	let k = 0;

	while (k < ends.length - 1 && ends[k] + 1 > from)
		k++;
	ends[k] = Math.max(ends[k], to);
	return k;
}

function drawLane(g, t, y) {
	const ends = [-20, -20, -20];
	let last = -20;

	g.textAlign = "center";
	g.textBaseline = "middle";
	for (const m of chart.marks) {
		const x = Math.min(Math.max(t.x(m.at), t.left + 5), t.right - 5);

		m.x = x;
		g.fillStyle = colour("text");
		if (m.to && t.x(m.to) - x > 3) {
			const w = t.x(m.to) - x;

			g.fillRect(x, y + 1 + 3 * trackOf(ends, x, x + w), w, 2);
		}
		if (x - last < 5)
			continue;
		g.fillText(m.shape, x, y);
		last = x;
	}
}

/* ---- the ranges -------------------------------------------------------- */

/* A frame, with its letter where there are two of them. */
function drawFrame(g, t, a, b, top, bottom, letter) {
	const { steps } = chart.data;
	const x0 = t.x(steps[a].from);
	const x1 = Math.max(t.x(steps[b].to), x0 + 2);

	g.save();
	g.strokeStyle = colour(letter === "A" ? "text" : "accent");
	g.lineWidth = 2;
	if (letter === "A")
		g.setLineDash([5, 3]);
	g.strokeRect(x0, top + 1, x1 - x0, bottom - top - 2);
	g.restore();
	if (letter && bottom - top > 60) {
		g.textAlign = "center";
		g.textBaseline = "middle";
		drawLabel(g, letter, Math.min(Math.max((x0 + x1) / 2,
			t.left + 8), t.right - 8), top + 11);
	}
}

/* What is in neither range is behind a veil. */
function drawVeil(g, t, top, bottom) {
	const { steps } = chart.data;
	const clear = [[state.a, state.b]];
	let x = t.left;

	if (isComparing())
		clear.push([state.c, state.d]);
	clear.sort((p, q) => p[0] - q[0]);
	g.fillStyle = colour("veil");
	for (const [a, b] of clear) {
		const x0 = t.x(steps[a].from);

		if (x0 > x)
			g.fillRect(x, top, x0 - x, bottom - top);
		x = Math.max(x, t.x(steps[b].to));
	}
	if (t.right > x)
		g.fillRect(x, top, t.right - x, bottom - top);
}

export function drawRanges(g, data, t, top, bottom) {
	chart.data = data;
	if (isWhole() && !isComparing())
		return;
	drawVeil(g, t, top, bottom);
	if (isComparing())
		drawFrame(g, t, state.c, state.d, top, bottom, "A");
	drawFrame(g, t, state.a, state.b, top, bottom,
		isComparing() ? "B" : "");
}

/* All but the ranges. */
function paintLoad(g) {
	const { data, t, height } = chart;

	chart.marks = marksOf(data);
	drawGrid(g, t, height);
	drawStack(g, t);
	drawNames(g, t);
	drawHoles(g, t, data, 8, height - 8);
	drawCpus(g, t);
	drawTimeAxis(g, t, height);
	drawLane(g, t, height + AXIS + LANE / 2);
}

export function drawChart(data) {
	const canvas = byId("load");
	const width = canvas.parentElement.clientWidth;
	const height = plotHeight();
	const g = prepare(canvas, width, height + AXIS + LANE);
	const load = loadSeries(data, state.as, state.by);
	const cpus = cpusOf(data);

	load.series.forEach((s, i) => {
		s.colour = s.rest ? colour("c-rest")
			: seriesColour(s.name, i, state.by === "wait");
		s.pattern = i % 4;
	});
	if (load.most === undefined)
		load.most = highestLoad(load.series, data.steps.length);
	Object.assign(chart, { data, load, t: timeScale(data, width), height,
		most: Math.max(load.most * 1.08,
			cpus <= load.most * 4 ? cpus * 1.15 : 0, 0.1) });
	layered(g, canvas, [state.as, state.by, state.zone].join(" "),
		paintLoad);
	drawRanges(g, data, chart.t, 4, height);
	drawLegend();
	canvas.setAttribute("aria-valuenow", state.a);
	canvas.setAttribute("aria-valuemax", data.steps.length - 1);
	canvas.setAttribute("aria-valuetext", rangesText(data));
}

function textOf(data, a, b) {
	const from = data.steps[a].from;
	const to = data.steps[b].to;

	return clock(from) + " \u2013 " + clock(to) + " (" +
		span((to - from) / 1000) + ")";
}

export function baseText(data) {
	return textOf(data, state.c, state.d);
}

/* For who does not see them. */
export function rangesText(data) {
	return rangeText(data) + (isComparing()
		? ", compared with " + baseText(data) : "");
}

export function rangeText(data) {
	return textOf(data, state.a, state.b);
}

function legendItem(s, total) {
	const { data } = chart;
	const v = meanLoad(data, s, state.a, state.b);
	const swatch = el("span", { class: "swatch p" + s.pattern });
	const was = isComparing() ? meanLoad(data, s, state.c, state.d) : null;

	swatch.style.backgroundColor = s.colour;
	const name = s.rest ? s.n + " others" : s.name;

	return el("li", {}, swatch,
		el("span", { class: "name", title: name }, name), " ",
		el("b", {}, figureText("number", v)),
		el("span", { class: "dim" }, was !== null
			? " was " + figureText("number", was) : total > 0
				? " " + figureText("percent", v / total * 100) +
					" %" : ""));
}

function drawLegend() {
	const { data, load } = chart;
	const total = load.series.reduce((n, s) =>
		n + (meanLoad(data, s, state.a, state.b) || 0), 0);
	const what = state.as === "cores" ? "CPU cores in use"
		: "sessions at work";

	replace(byId("legend"), ...[...load.series].reverse()
		.map((s) => legendItem(s, total)));
	byId("load-total").textContent = load.series.length
		? figureText("number", total) + " " + what + " on average, of " +
			cpusOf(data) + " CPUs"
		: "no " + what + " in this recording" +
			(load.table.note ? ": " + load.table.note : "");
}

/* ---- in words ----------------------------------------------------------- */

export function stepUnder(canvas, event) {
	const box = canvas.getBoundingClientRect();

	return stepOf(chart.data, chart.t.ms(event.clientX - box.left));
}

export function showTip(canvas, event) {
	const tip = byId("tip");
	const i = stepUnder(canvas, event);
	const s = chart.data.steps[i];
	const box = canvas.getBoundingClientRect();
	const x = event.clientX - box.left;
	const y = event.clientY - box.top;
	const lines = [el("b", {}, clock(s.from) + " \u2013 " + clock(s.to))];

	if (canvas.id === "load" && y > chart.height + AXIS) {
		for (const m of chart.marks.filter((k) =>
			Math.abs(k.x - x) < 8).slice(0, 6))
			lines.push(el("div", {}, m.shape + " " + m.text));
	} else if (s.ticks === 0) {
		lines.push(el("div", {}, "no samples"));
	} else {
		for (const k of [...chart.load.series].reverse()) {
			if (k.load[i] > 0)
				lines.push(el("div", {},
					figureText("number", k.load[i]) + "  " +
					k.name.slice(0, 60)));
		}
	}
	replace(tip, ...lines);
	tip.hidden = false;
	const w = tip.offsetWidth;

	tip.style.left = Math.min(Math.max(event.pageX + 14, 4),
		document.documentElement.clientWidth - w - 8) + "px";
	tip.style.top = event.pageY + 16 + "px";
}

export function hideTip() {
	byId("tip").hidden = true;
}

/* A button that chooses a stretch of time, and more. */
export function goButton(data, text, from, to, more) {
	return button(text, "choose " + clock(from) + " \u2013 " + clock(to),
		() => change({ a: stepOf(data, from + 1),
			b: stepOf(data, Math.max(to, from + 1)), ...more }));
}
