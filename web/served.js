/* SPDX-License-Identifier: Apache-2.0 */
/*
 * served.js - a page that gpsnap web serves: data come from there, again for
 * each zoom and whenever the recording has grown.  alone.js has the same
 * functions for a page that is a file.
 */
import { byId, button, el, replace, say } from "./dom.js";
import { change, endZoom, onChange, state, toZoom, zoomOfAddress, zoomTo }
	from "./state.js";
import { readTables } from "./data.js";
import { isDragging } from "./brush.js";
import { askData, askJson, isOpenZoom, stopAsking } from "./zoom.js";
import { findForm, rangeForm, viewForm } from "./asked.js";

const POLL_MS = 2000;
const DRAG_MS = 50;
const OFFER_MS = 3000;
const TOO_LATE = 504;
const LESS = "-1h..";

const served = { data: null, newest: null, show: null, hits: [], asked: "",
	shown: "", changed: null, took: 0, follow: null, note: null };

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function note(text) {
	served.note.textContent = text;
	served.note.hidden = !text;
}

/* asked: what was asked for last; shown: what is there. */
async function timed(zoom) {
	const from = performance.now();

	served.asked = zoom;
	const data = await askData(zoom);

	served.took = performance.now() - from;
	served.shown = zoom;
	served.newest = data;
	return data;
}

async function newState() {
	return JSON.stringify((await askJson("state", {}))[0]);
}

/* All of a long recording takes long: what there is to do meanwhile.  The function
 * that is returned ends it. */
function offerLess(less) {
	const offer = setTimeout(() => replace(byId("facts"),
		"Reading all of it. ", button("show its last hour",
			"read less", less)), OFFER_MS);

	return () => {
		clearTimeout(offer);
		replace(byId("facts"));
	};
}

/* All; its last hour, where that is wanted or all takes too long. */
async function allOrLess() {
	let chosen = false;
	const end = offerLess(() => {
		chosen = true;
		stopAsking();
	});

	try {
		return await timed("");
	} catch (e) {
		if (!chosen && e.status !== TOO_LATE)
			throw e;
		state.zoom = LESS;
		const data = await timed(LESS);

		if (!chosen)
			data.head.notes.push("This is the last hour: all of it " +
				e.message);
		return data;
	} finally {
		end();
	}
}

async function dataToBegin() {
	let why = null;

	if (zoomOfAddress()) {
		try {
			return await timed(state.zoom);
		} catch (e) {
			why = e.message;
			state.zoom = "";
		}
	}
	const data = await allOrLess();

	if (why)
		data.head.notes.push("The range of the address: " + why);
	return data;
}

/* A recording that has just begun has no samples yet. */
export async function firstData() {
	served.note = el("p", { id: "server-note", class: "bad", role: "status" });
	byId("notes").after(served.note);
	for (;;) {
		served.changed = await newState();
		try {
			const data = await dataToBegin();

			note("");
			return data;
		} catch (e) {
			note(e.message);
			byId("title").textContent = "Nothing to show yet";
		}
		while (served.changed === await newState())
			await sleep(POLL_MS);
	}
}

/* A server sends all of it. */
export async function moreData() {
}

export function whyNot(e) {
	return e.message || String(e);
}

/* ---- again ------------------------------------------------------------- */

/* What is dragged are steps: other ones wait for its end. */
async function showData(data) {
	while (isDragging())
		await sleep(DRAG_MS);
	if (served.newest !== data || served.asked !== served.shown)
		return;
	data.hits = served.hits;
	served.data = data;
	served.show(data);
	document.documentElement.dataset.loads =
		Number(document.documentElement.dataset.loads || 0) + 1;
	note("");
}

/* The recording has grown: tabs keep their numbers, so all is read before. */
async function loadGrown() {
	const data = await timed(state.zoom);

	await readTables(data);
	await showData(data);
}

async function loadZoom(zoom) {
	byId("zoom-busy").textContent = "reading\u2026";
	try {
		await showData(await timed(zoom));
	} catch (e) {
		if (e.name === "AbortError")
			return;
		note(e.message);
		served.asked = served.shown;
		endZoom(served.shown);
	}
	byId("zoom-busy").textContent = "";
	showControls();
}

/* Each zoom is a state of the address: back goes out again. */
function zoomIn() {
	const { from, to, chosen } = toZoom();

	zoomTo(Math.round(from) + "-" + Math.round(to), chosen);
	say("zoomed in");
}

/* To all of it, in which what was there is chosen. */
function zoomOut() {
	const { steps } = served.data;

	zoomTo("", { from: steps[0].from, to: steps[steps.length - 1].to });
	say("the whole recording");
}

function showControls() {
	byId("zoom-in").hidden = toZoom().whole;
	byId("zoom-out").hidden = !state.zoom;
	byId("follow-label").hidden = !isOpenZoom(state.zoom);
}

async function poll() {
	for (;;) {
		await sleep(Math.max(POLL_MS, served.took * 5));
		if (document.hidden || !served.follow.checked ||
		    !isOpenZoom(state.zoom) ||
		    served.asked !== served.shown || isDragging())
			continue;
		try {
			const now = await newState();

			if (now !== served.changed) {
				served.changed = now;
				await loadGrown();
			}
			note("");
		} catch (e) {
			if (e.name !== "AbortError")
				note(e.message);
		}
	}
}

function addControls() {
	served.follow = el("input", { type: "checkbox", id: "follow" });
	served.follow.checked = true;
	byId("all").after(
		button("zoom in (z)", "data of this range alone, down to samples",
			zoomIn),
		button("zoom out (Z)", "the whole recording", zoomOut),
		el("span", { id: "zoom-busy", class: "dim", role: "status" }),
		el("label", { id: "follow-label" }, served.follow, " follow"));
	byId("all").nextSibling.id = "zoom-in";
	byId("zoom-in").nextSibling.id = "zoom-out";
	document.addEventListener("keydown", (e) => {
		if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) ||
		    e.ctrlKey || e.altKey || e.metaKey)
			return;
		if (e.key === "z" && !toZoom().whole)
			zoomIn();
		else if (e.key === "Z" && state.zoom)
			zoomOut();
	});
}

/* The page is there: what else a server can do.  show(data) draws other data. */
export function goOn(data, show) {
	served.data = data;
	served.show = show;
	addControls();
	showControls();
	findForm(() => served.data, (hits) => {
		served.hits = hits;
		served.data.hits = hits;
		served.show(served.data);
	});
	rangeForm((from, to) => {
		zoomTo(from || to ? from + ".." + to : "", {});
	});
	viewForm(() => served.data).catch((e) => note(e.message));
	onChange(() => {
		showControls();
		if (state.zoom !== served.asked)
			loadZoom(state.zoom);
	});
	document.querySelector("#help dl").append(el("dt", {}, "z, Z"),
		el("dd", {}, "zoom in to the chosen range, out to all"));
	document.querySelector("footer").children[1].textContent =
		"This page asks only the gpsnap web that served it. gpsnap is " +
		"under the Apache License 2.0; the page has no other program in it.";
	if (state.zoom)
		change({}); /* the address says what is there */
	poll();
}
