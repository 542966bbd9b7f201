/* SPDX-License-Identifier: Apache-2.0 */
/* page.js - the page: reads its data, draws, and follows what is chosen. */
import { byId, choices, copy, el, replace, say } from "./dom.js";
import { clock, dayTime, isoTime, setZone, span } from "./format.js";
import { readTables } from "./data.js";
import { firstData, goOn, moreData, whyNot } from "./alone.js";
import { beginState, change, isComparing, isWhole, newSteps, onChange, state,
	stepsOf } from "./state.js";
import { baseText, cpusOf, drawChart, goButton, hideTip, rangeText }
	from "./chart.js";
import { brushable, chartKeys, chooseAll, compare, compareKey, endCompare,
	escape, isDragging, moveBase } from "./brush.js";
import { drawHeat, drawHosts, heatClicks, heatMeasures, heatTable, heatTip }
	from "./heat.js";
import { coveredIn, hostsLess } from "./figures.js";
import { covered, drawCounts, drawTabs, tabKeys } from "./tabs.js";
import { loadSeries, loadTable, measures, stacksOf } from "./load.js";
import { forgetLayers, stepOf } from "./scale.js";

let data = null;

/* ---- head -------------------------------------------------------------- */

function holeText() {
	const holes = data.head.holes;
	const lost = holes.filter((h) => !h.of_host)
		.reduce((s, h) => s + (h.to - h.from), 0) / 1000;

	if (holes.length === 0)
		return "no holes";
	return holes.length + (holes.length === 1 ? " hole" : " holes") +
		(lost > 0 ? ", " + span(lost) + " without any data" : "");
}

/* Hosts by name that are told; of more, the number. */
const HOSTS_TOLD = 3;

/* "; 2 of 4 hosts less: sdw3 5.0s, sdw4 nothing" */
function unevenText() {
	const less = hostsLess(data);
	const told = less.length > HOSTS_TOLD + 1 ? HOSTS_TOLD : less.length;

	if (less.length === 0)
		return "";
	return "; " + less.length + " of " + data.head.hosts.length +
		" hosts less: " + less.slice(0, told).map((h) => h.host + " " +
			(h.covered > 0 ? span(h.covered) : "nothing")).join(", ") +
		(told < less.length ? " and " + (less.length - told) + " more"
			: "");
}

function coveredText(elapsed) {
	const own = span(Math.min(data.head.covered_seconds, elapsed));
	const all = span(elapsed);

	return "covered " + own + (own === all ? "" : " of " + all) + ", " +
		holeText() + unevenText();
}

function skippedText() {
	const n = data.head.skipped;

	return n ? ", " + n + (n === 1 ? " tick" : " ticks") + " skipped" : "";
}

/* Seconds; holes are longer. */
function usualStep(steps) {
	const all = steps.map((s) => s.to - s.from).sort((x, y) => x - y);

	return Math.round(all[all.length >> 1] / 100) / 10;
}

function drawHead() {
	const { head, steps } = data;
	const first = steps[0].from;
	const last = steps[steps.length - 1].to;
	const hosts = head.hosts.length;
	const cpus = cpusOf(data);

	document.title = head.title + " \u2013 gpsnap";
	byId("title").textContent = head.title;
	replace(byId("facts"), el("b", {}, dayTime(first) + " \u2013 " +
		clock(last)), " " + byId("zone").selectedOptions[0].textContent +
		" \u00b7 " + (hosts === 1 ? head.hosts[0].host
		: hosts + " hosts") + (cpus ? " \u00b7 " + cpus + " CPUs" : "") +
		" \u00b7 " + coveredText((last - first) / 1000) +
		" \u00b7 " + head.ticks + " samples every " +
		span(head.interval_seconds) + skippedText() + (head.hosts_only
		? " \u00b7 only " + head.hosts_only.join(", ") : ""));
	replace(byId("database"), head.database || "");
	replace(byId("notes"), ...head.notes.map((n) => el("li", {}, n)));
	byId("made").textContent = "Made by gpsnap " + head.made_by + ", " +
		new Date(head.made).toISOString().slice(0, 10) +
		", of " + head.path + ". Each of the " + steps.length +
		" steps is " + span(usualStep(steps)) + ".";
}

/* The table that a finding's next command prints, if the page has it. */
function tableOf(finding) {
	const m = /(?:^| )-V (\w+)/.exec(finding.next || "");
	const t = data.head.tables.find((x) => m && x.view === m[1] && x.title);

	return t ? { tab: t.name, sort: "", find: "", host: "", open: "" } : {};
}

/* In order of severity; the first ten. */
function drawFindings() {
	const all = data.head.findings;
	const box = byId("findings");
	const shape = { problem: "\u25cf", warning: "\u25d0", note: "\u25cb" };

	byId("finding-count").textContent = !all
		? "not looked for in a range this long: gpsnap findings " +
			data.head.path + ", or gpsnap report --findings"
		: all.length ? "" : "nothing found in " +
			span(data.head.covered_seconds);
	box.hidden = false;
	if (!all)
		return;
	replace(byId("finding-list"), ...all.slice(0, 10).map((f) =>
		el("li", { class: f.severity }, el("span", { class: "sign" },
			(shape[f.severity] || "\u25cb") + " " + f.severity), " ",
		el("span", { class: "when" }, clock(f.from) + " " +
			(f.at_least ? "\u2265 " : "") +
			span((f.to - f.from) / 1000)), " ",
		el("b", {}, f.finding), ": ", f.what || "", " ",
		goButton(data, "show", f.from, f.to, tableOf(f)))));
	if (all.length > 10)
		byId("finding-list").append(el("li", {}, "and " +
			(all.length - 10) + " more"));
}

/* ---- the chosen range -------------------------------------------------- */

/* A word as a shell needs it. */
function quoted(s) {
	return /^[\w@%+=:,./-]+$/.test(s) ? s
		: "'" + s.replace(/'/g, "'\\''") + "'";
}

/* What makes the recording that the page is of. */
function partCommand() {
	const { hosts_only: only, path } = data.head;

	return only ? "gpsnap cut " + path + " -o part.gpsnap --hosts " +
		quoted(only.join(",")) + " && " : "";
}

function rangeOptions(view) {
	const ms = data.head.interval_seconds * 1000;
	const { steps } = data;
	let text = "";

	if (!isWhole() || view.at || isComparing() || state.zoom)
		text += " --from " + isoTime(steps[state.a].from, ms) +
			" --to " + isoTime(view.at || steps[state.b].to, ms);
	if (isComparing() && view.compared)
		text += " --baseline " + isoTime(steps[state.c].from, ms) +
			".." + isoTime(steps[state.d].to, ms);
	return text;
}

function replayCommand(view) {
	const sort = ["+at", "+place"].includes(view.sort) ? "" : view.sort;
	let text = partCommand() + "gpsnap replay " + (data.head.hosts_only
		? "part.gpsnap" : data.head.path) + rangeOptions(view) + " -V " +
		view.view + (view.options || "");

	if (sort && !view.compared && view.columns.some((c) =>
		c.name === sort.replace("+", "")))
		text += " --sort " + quoted(sort);
	return text;
}

function drawCompared(view) {
	const on = isComparing();

	byId("compare").hidden = on;
	byId("compared").hidden = !on;
	if (on)
		byId("base").textContent = baseText(data) + ", covered " +
			span(coveredIn(data, state.c, state.d));
	byId("alone").textContent = on && !view.compared && view.name !==
		"events" ? "This table is of B alone." : "";
}

function drawChosen(view) {
	byId("range").textContent = (isComparing() ? "B, " : "") +
		(isWhole() && !state.zoom
		? "the whole recording, " + span(covered(data))
		: rangeText(data) + ", covered " + span(covered(data)));
	byId("all").hidden = isWhole();
	byId("of-host").hidden = !state.host;
	byId("of-host").textContent = "only " + state.host + " \u00d7";
	byId("command").textContent = replayCommand(view);
	drawCompared(view);
}

/* The controls say what is chosen. */
function drawControls() {
	choices(byId("as"), measures, state.as);
	choices(byId("by"), stacksOf(state.as), state.by);
	choices(byId("measure"), heatMeasures(data), state.heat);
	drawHosts(data);
	if (byId("find").value !== state.find)
		byId("find").value = state.find;
}

function setZoneOf(name) {
	const { steps } = data;
	const here = (ms) => -new Date(ms).getTimezoneOffset() * 60;
	const recorded = (ms) => steps[stepOf(data, ms)].offset;
	const first = steps[0].from;
	const last = steps[steps.length - 1].to;

	setZone(name === "utc" ? () => 0 : name === "here" ? here : recorded,
		last - first > 86400000);
}

function fixChoices() {
	if (!measures.some(([k]) => k === state.as))
		state.as = "cores";
	if (!stacksOf(state.as).some(([k]) => k === state.by))
		state.by = state.as === "cores" ? "user" : "wait";
	const heat = heatMeasures(data);

	if (heat.length && !heat.some(([k]) => k === state.heat))
		state.heat = heat[0][0];
}

/* What depends on none of the ranges, and is drawn when something else of it
 * changes. */
let drawnFor = "";

function drawRest() {
	const now = [state.zone, state.as, state.by, state.heat,
		state.host].join("\n");

	if (now === drawnFor)
		return;
	drawnFor = now;
	setZoneOf(state.zone);
	drawControls();
	drawHead();
	drawFindings();
}

/* All tables that are shown are there. */
function canDraw() {
	return [loadTable(state.as, state.by), heatTable(state.heat), state.tab]
		.every((name) => !data.table[name] || data.table[name].isThere);
}

let planned = false;
let waits = false; /* for tables that are not there */

function draw() {
	planned = false;
	fixChoices();
	waits = !canDraw();
	if (waits)
		return;
	drawRest();
	drawChart(data);
	drawHeat(data);
	if (isDragging()) {
		byId("range").textContent = rangeText(data);
		return;
	}
	drawChosen(drawTabs(data));
	if (!document.documentElement.dataset.state)
		document.documentElement.dataset.state = "drawn";
}

function plan() {
	if (!planned)
		requestAnimationFrame(draw);
	planned = true;
}

/* Anew, also what is kept. */
function planAll() {
	drawnFor = "";
	forgetLayers();
	plan();
}

/* Tables that are not shown are read after the page is drawn: a tab tells how
 * many rows it has, and opens at once. */
async function readRest() {
	const own = data;

	try {
		await moreData(own);
	} catch (e) {
		byId("notes").append(el("li", {}, whyNot(e)));
		return;
	}
	if (waits)
		draw();
	await readTables(own);
	if (own !== data)
		return;
	drawCounts(data);
	document.documentElement.dataset.state = "read";
}

/* ---- controls ---------------------------------------------------------- */

function setTheme(name) {
	document.documentElement.dataset.theme = name;
	byId("theme").setAttribute("aria-pressed", String(name === "dark"));
	planAll();
}

/* Paper is white.  What is drawn is drawn now: no frame comes before it. */
let themeOfScreen = null;

function beforePrint() {
	themeOfScreen = document.documentElement.dataset.theme || "";
	document.documentElement.dataset.theme = "light";
	planAll();
	draw();
}

function afterPrint() {
	if (themeOfScreen)
		document.documentElement.dataset.theme = themeOfScreen;
	else
		delete document.documentElement.dataset.theme;
	planAll();
}

function isDark() {
	const t = document.documentElement.dataset.theme;

	return t ? t === "dark"
		: matchMedia("(prefers-color-scheme: dark)").matches;
}

function controls() {
	const follow = (id, key) => byId(id).addEventListener("change", (e) =>
		change({ [key]: e.target.value }));

	follow("as", "as");
	follow("by", "by");
	follow("measure", "heat");
	follow("zone", "zone");
	byId("find").addEventListener("input", (e) =>
		change({ find: e.target.value }));
	byId("all").addEventListener("click", chooseAll);
	byId("of-host").addEventListener("click", () => change({ host: "" }));
	byId("host").addEventListener("change", (e) =>
		change({ host: e.target.value }));
	byId("compare").addEventListener("click", compare);
	byId("end-compare").addEventListener("click", endCompare);
	byId("move-base").addEventListener("click", (e) => moveBase(
		e.currentTarget.getAttribute("aria-pressed") !== "true"));
	byId("theme").addEventListener("click", () =>
		setTheme(isDark() ? "light" : "dark"));
	byId("copy-command").addEventListener("click", () =>
		copy(byId("command").textContent, "command"));
	byId("help-open").addEventListener("click", help);
	byId("help-close").addEventListener("click", () =>
		byId("help").close());
	matchMedia("(prefers-color-scheme: dark)")
		.addEventListener("change", planAll);
	window.addEventListener("beforeprint", beforePrint);
	window.addEventListener("afterprint", afterPrint);
	new ResizeObserver(plan).observe(document.body);
}

function help() {
	byId("help").showModal();
}

/* Keys of the page; those of a field are its own. */
function pageKeys() {
	document.addEventListener("keydown", (e) => {
		const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(
			e.target.tagName);

		if (e.key === "Escape" && !byId("help").open) {
			if (inField && state.find)
				change({ find: "" });
			else if (!inField)
				escape();
			if (inField)
				e.target.blur();
		}
		if (inField || e.ctrlKey || e.altKey || e.metaKey)
			return;
		if (e.key === "/") {
			e.preventDefault();
			byId("find").focus();
		} else if (e.key === "?") {
			help();
		} else if (e.key === "c") {
			compareKey();
		}
	});
}

function heatPointer() {
	const canvas = byId("heat");

	heatClicks(canvas);
	canvas.addEventListener("pointermove", (e) => {
		const text = heatTip(canvas, data, e);
		const tip = byId("tip");

		tip.hidden = !text;
		replace(tip, text || "");
		tip.style.left = Math.min(e.pageX + 14,
			document.documentElement.clientWidth - tip.offsetWidth -
			8) + "px";
		tip.style.top = e.pageY + 16 + "px";
	});
	canvas.addEventListener("pointerleave", hideTip);
}

/* What there is decides what is shown first, and what was asked for. */
function defaults() {
	const waits = loadSeries(data, "sessions", "wait").series.length > 0;
	const { chosen, baseline } = data.head;
	const ranges = {};

	if (chosen)
		[ranges.a, ranges.b] = stepsOf(chosen.from, chosen.to);
	if (baseline)
		[ranges.c, ranges.d] = stepsOf(baseline.from, baseline.to);
	return { ...ranges, as: waits ? "sessions" : "cores", by: waits ? "wait" : "user",
		heat: "busy", tab: "sessions", zone: "recorded" };
}

/* Other data of the same recording. */
function show(next) {
	data = next;
	newSteps(data.steps);
	planAll();
	readRest();
}

/* What was drawn is to be seen. */
function painted() {
	return new Promise((done) => {
		requestAnimationFrame(() => setTimeout(done, 0));
		setTimeout(done, 200); /* a page that nobody looks at */
	});
}

/* It is damaged, or made by somebody else. */
function giveUp(e) {
	byId("title").textContent = "This page can't be read";
	byId("facts").textContent = whyNot(e);
}

async function begin() {
	data = await firstData();
	choices(byId("zone"), [["recorded", data.head.zone], ["utc", "UTC"],
		["here", "this computer's"]].filter(([k, v]) =>
		k !== "utc" || data.head.zone !== "UTC"), "recorded");
	beginState(data.steps, defaults);
	byId("zone").value = state.zone;
	controls();
	pageKeys();
	tabKeys(() => data);
	brushable(byId("load"));
	chartKeys(byId("load"));
	heatPointer();
	onChange(plan);
	say("");
	draw();
	goOn(data, show);
	if (!waits)
		await painted();
	await readRest();
}

begin().catch(giveUp);
