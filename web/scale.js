/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale.js - drawing: a canvas as sharp as its screen, the time axis that all
 * drawings share, colours.
 */
import { axisTime, midnightOffset } from "./format.js";

/* Colours are the style's, so that they follow the theme. */
export function colour(name) {
	return getComputedStyle(document.documentElement)
		.getPropertyValue("--" + name).trim();
}

/* Of wait classes: fixed, and apart in lightness too. */
const ofClass = { "CPU*": "c-cpu", "IO": "c-io", "Lock": "c-lock",
	"LWLock": "c-lwlock", "IPC": "c-ipc", "Client": "c-client",
	"Timeout": "c-timeout", "BufferPin": "c-pin", "Extension": "c-ext",
	"Motion": "c-motion", "Queue": "c-queue", "Unknown": "c-unknown" };
const others = ["c-0", "c-1", "c-2", "c-3", "c-4", "c-5", "c-6", "c-7"];

export function seriesColour(name, i, byClass) {
	return colour(byClass && ofClass[name] || others[i % others.length]);
}

export function prepare(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1;
	const g = canvas.getContext("2d");

	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.height = height + "px";
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	g.clearRect(0, 0, width, height);
	g.font = "12px system-ui, sans-serif";
	return g;
}

/* Lines over a series, so that its colour is not all that tells it from its
 * neighbours: as the classes p0 to p3 of the style.  null: none. */
export function hatch(g, i) {
	const tile = document.createElement("canvas");
	const t = tile.getContext("2d");

	if (i % 4 === 0)
		return null;
	tile.width = tile.height = 8;
	t.strokeStyle = t.fillStyle = colour("hatch");
	t.beginPath();
	if (i % 4 === 1) {
		for (const d of [-8, 0, 8]) {
			t.moveTo(d - 1, 9);
			t.lineTo(d + 9, -1);
		}
	} else if (i % 4 === 2) {
		t.moveTo(0, 2.5);
		t.lineTo(8, 2.5);
	} else {
		t.fillRect(1, 1, 2, 2);
		t.fillRect(5, 5, 2, 2);
	}
	t.stroke();
	return g.createPattern(tile, "repeat");
}

/* What does not change with the chosen range is painted once: a picture below
 * the rest, until its key is another. */
const layers = new Map();

export function layered(g, canvas, key, paint) {
	const { width, height } = canvas;
	const ratio = window.devicePixelRatio || 1;
	const look = [key, width, height, ratio, colour("text"),
		colour("panel")].join("\n");
	let of = layers.get(canvas.id);

	if (!of || of.look !== look) {
		const below = document.createElement("canvas");

		of = { look, below };
		layers.set(canvas.id, of);
		paint(prepare(below, width / ratio, height / ratio));
	}
	g.save();
	g.setTransform(1, 0, 0, 1, 0, 0);
	g.drawImage(of.below, 0, 0);
	g.restore();
}

export function forgetLayers() {
	layers.clear();
}

/* The time axis: all drawings have the same margins. */
export function timeScale(data, width) {
	const left = width < 560 ? 44 : 92;
	const right = 12;
	const first = data.steps[0].from;
	const last = data.steps[data.steps.length - 1].to;
	const w = width - left - right;
	const span = Math.max(last - first, 1);

	return { left, right: left + w, w, first, last,
		x: (ms) => left + (ms - first) / span * w,
		ms: (x) => first + (x - left) / w * span };
}

/* The step that a time is in, or the nearest. */
export function stepOf(data, ms) {
	const s = data.steps;
	let lo = 0;
	let hi = s.length - 1;

	while (lo < hi) {
		const mid = (lo + hi) >> 1;

		if (s[mid].to < ms)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const roundTimes = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
	7200, 10800, 21600, 43200, 86400, 172800, 604800];

export function drawTimeAxis(g, t, y) {
	const most = Math.max(2, Math.floor(t.w / 86));
	const every = (roundTimes.find((s) =>
		(t.last - t.first) / 1000 / s <= most) || 2592000) * 1000;
	const zone = midnightOffset(t.first);
	let at = Math.ceil((t.first + zone) / every) * every - zone;

	g.fillStyle = colour("dim");
	g.strokeStyle = colour("line");
	g.textAlign = "center";
	g.textBaseline = "top";
	for (; at <= t.last; at += every) {
		const x = Math.round(t.x(at)) + 0.5;

		g.beginPath();
		g.moveTo(x, y);
		g.lineTo(x, y + 4);
		g.stroke();
		if (x > t.left + 18 && x < t.right - 14)
			g.fillText(axisTime(at, every), x, y + 6);
	}
}

/* 1, 2 or 5 times a power of ten. */
export function roundStep(most, n) {
	const raw = most / n;
	const power = Math.pow(10, Math.floor(Math.log10(raw)));
	const f = raw / power;

	return power * (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10);
}
