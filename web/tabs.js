/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tabs.js - the tables below the drawings: which there are, what is special
 * about each.  Most are a table of the data as it is.
 */
import { clock } from "./format.js";
import { byId, el, replace } from "./dom.js";
import { coveredIn, isIn, rowsIn, ShownRow, slice } from "./figures.js";
import { drawExtra, hasSkew, skewView } from "./skew.js";
import { compareView } from "./compare.js";
import { change, isComparing, state } from "./state.js";
import { goButton } from "./chart.js";
import { isWaitClass } from "./load.js";
import { drawTable } from "./table.js";

/* Order of rows, columns that only details show. */
const tabs = {
	sessions: { sort: "cpu_seconds", hidden: ["server", "client",
		"memory_peak", "run_queue_percent", "age_seconds"] },
	queries: { sort: "cpu_seconds", hidden: ["server", "memory_peak",
		"began"] },
	locks: { sort: "+place", hidden: ["server", "cycle", "segment", "root",
		"depth", "place"],
		make: lockView, instant: true },
	waits: { sort: "", hidden: [], make: waitView },
	processes: { sort: "cpu_seconds", hidden: ["memory_peak"] },
	disks: { sort: "util_percent", hidden: [] },
	nets: { sort: "rx_bytes_per_second", hidden: [] },
	filesystems: { sort: "+available_percent", hidden: [] },
	hosts: { sort: "busy_percent", hidden: ["own_covered_seconds", "state",
		"mem_total"] },
	matrix: { sort: "excess_seconds", hidden: [], make: skewView,
		instant: true },
	events: { sort: "+at", hidden: [], make: eventView },
};

const allTabs = ["sessions", "queries", "locks", "waits", "processes",
	"matrix", "hosts", "disks", "nets", "filesystems", "events"];

/* Only a cluster has skew. */
function tabsOf(data) {
	return allTabs.filter((n) => n !== "matrix" || hasSkew(data));
}

function viewOf(data, name) {
	const table = data.table[name];
	const tab = tabs[name];

	return { name, title: table.title, columns: table.columns,
		rows: rowsIn(data, table, state.a, state.b),
		sort: sortOf(table, tab), hidden: hiddenIn(data, table, tab),
		nOthers: table.nOthers, view: table.view,
		empty: [table.note || "nothing of this in the chosen range"] };
}

/* What was asked for, if it is a column of this table. */
function sortOf(table, tab) {
	return table.column[state.sort.replace("+", "")] ? state.sort : tab.sort;
}

/* A column without a value in the whole recording is not shown, nor the host of
 * sessions where there is one. */
function hiddenIn(data, table, tab) {
	const hidden = new Set(tab.hidden);

	for (const c of table.columns) {
		if (c.stored && !c.known)
			hidden.add(c.name);
	}
	if (data.head.hosts.length < 2)
		hidden.add("os_host");
	return hidden;
}

/* ---- locks: at an instant --------------------------------------------- */

/* How many rows there are per step. */
function rowsPerStep(data, table) {
	const n = new Int32Array(data.steps.length);

	for (const r of table.rows) {
		for (const k of r.at)
			n[k]++;
	}
	return n;
}

function mostIn(n, a, b) {
	let best = -1;

	for (let i = a; i <= b; i++) {
		if (n[i] > 0 && (best < 0 || n[i] > n[best]))
			best = i;
	}
	return best;
}

function lockView(data, view) {
	const table = data.table.locks;
	const n = rowsPerStep(data, table);
	const at = n[state.b] > 0 ? state.b : mostIn(n, state.a, state.b);
	const most = mostIn(n, 0, n.length - 1);

	if (at < 0) {
		view.rows = [];
		view.empty = ["no locks were waited for in this range",
			...table.note ? [": " + table.note] : [],
			...most < 0 ? ["; nor at any other time"] : ["; most: " +
				n[most] + " sessions at " +
				clock(data.steps[most].to) + " ",
			goButton(data, "go there", data.steps[most].from,
				data.steps[most].to)]];
		return view;
	}
	view.rows = rowsIn(data, table, at, at);
	view.at = data.steps[at].to;
	view.about = "as of " + clock(view.at) + (at === state.b ? ""
		: ", when most sessions waited");
	view.rowClass = (r) => {
		const blocks = table.columns.findIndex((c) =>
			c.name === "blocks");
		const root = table.columns.findIndex((c) => c.name === "root");
		const own = table.columns.findIndex((c) => c.name === "session");

		return r.cell(root) === r.cell(own) && r.cell(blocks) > 0
			? "root" : null;
	};
	if (view.sort === "+place") {
		const depth = table.columns.findIndex((c) =>
			c.name === "depth");

		view.depth = (r) => r.cell(depth) || 0;
	}
	return view;
}

/* ---- waits: classes with their events ---------------------------------- */

function classOf(stat) {
	const text = stat.trim();

	if (text.includes(":"))
		return text.split(":")[0];
	return ["on CPU", "runnable", "not known"].includes(text) ? "CPU*"
		: "DB time";
}

/* As in replay: DB time of clients is shown if that is not all.  Steps always have
 * it, for their sums. */
function isAllOfClients(view) {
	const [stat, time, server] = ["stat", "seconds", "server"].map((name) =>
		view.columns.findIndex((c) => c.name === name));
	const all = new Map();

	for (const r of view.rows) {
		if (["DB time", "(IO workers)"].includes(r.cell(stat)))
			all.set(r.cell(server), r.cell(time) +
				(all.get(r.cell(server)) || 0));
	}
	return (r) => r.cell(stat) === "  of clients" &&
		all.get(r.cell(server)) - r.cell(time) < 1e-6;
}

/* DB time, classes by time, below each its events; idle time at the end. */
function waitView(data, view) {
	const stat = view.columns.findIndex((c) => c.name === "stat");
	const time = view.columns.findIndex((c) => c.name === "seconds");
	const ofClass = new Map();
	const rank = (s) => s === "DB time" ? Infinity
		: s.startsWith("(") ? -1 : ofClass.get(s.startsWith(" ")
			? classOf(s) : s) || 0;

	for (const r of view.rows) {
		if (isWaitClass(r.cell(stat)))
			ofClass.set(r.cell(stat), r.cell(time));
	}
	ofClass.set("DB time", Infinity);
	const hides = isAllOfClients(view);

	view.rows = view.rows.filter((r) => (r.cell(time) > 0 && !hides(r)) ||
		r.cell(stat) === "DB time");
	view.rows.sort((x, y) => {
		const a = x.cell(stat);
		const b = y.cell(stat);

		return rank(b) - rank(a) || a.startsWith(" ") -
			b.startsWith(" ") || y.cell(time) - x.cell(time);
	});
	view.rowClass = (r) => r.cell(stat).startsWith(" ") ? "part" : null;
	view.hidden.delete("sessions");
	return view;
}

/* ---- events ------------------------------------------------------------ */

const eventColumns = [
	{ name: "at", title: "TIME", unit: "time", help: "when" },
	{ name: "kind", title: "EVENT", unit: "text", is_text: true,
		help: "what happened", rule: "key" },
	{ name: "host", title: "HOST", unit: "text", is_text: true,
		help: "its host" },
	{ name: "text", title: "TEXT", unit: "text", is_text: true,
		help: "what the recorder said, or a user's mark" },
];

function eventView(data) {
	const { head, steps } = data;
	const from = steps[state.a].from;
	const to = steps[state.b].to;
	const holes = head.holes.map((h) => ({ at: h.from, kind: "hole",
		host: "", text: h.why + ", until " + clock(h.to), to: h.to }));
	const list = head.events.concat(holes).filter((e) =>
		(e.to || e.at) >= from - (state.a ? 0 : 1e9) && e.at <= to);

	return { name: "events", title: "Events", columns: eventColumns,
		rows: list.map((e) => new ShownRow([e.at, e.kind, e.host || null,
			e.text || null])),
		sort: state.sort || "+at", hidden: new Set(), nOthers: 0,
		view: "events", about: head.more_events
			? head.more_events + " more events are not in this page"
			: null,
		empty: ["no events in the chosen range"] };
}

/* ---- tabs -------------------------------------------------------------- */

/* Null: not known, since the table was not read so far. */
function countIn(data, name) {
	const t = data.table[name];

	if (name === "events")
		return eventView(data).rows.length;
	if (name === "matrix" || !t.read)
		return null;

	return t.rows.reduce((n, r) => {
		const [from, to] = slice(r, state.a, state.b);

		return n + isIn(t, r, state.b, from, to);
	}, 0) + (t.others ? t.nOthers : 0);
}

function countText(data, name) {
	const n = countIn(data, name);

	return n ? " " + n : "";
}

/* Nothing but the numbers: what somebody is about to click stays. */
export function drawCounts(data) {
	for (const name of tabsOf(data))
		byId("tab-" + name).querySelector(".count").textContent =
			countText(data, name);
}

function tabButton(data, name) {
	const title = name === "events" ? "Events" : data.table[name].title;
	const chosen = state.tab === name;
	const b = el("button", { type: "button", role: "tab",
		id: "tab-" + name, "aria-selected": String(chosen),
		"aria-controls": "panel", tabindex: chosen ? "0" : "-1" },
	title, el("span", { class: "count" }, countText(data, name)));

	b.addEventListener("click", () => change({ tab: name, sort: "",
		open: "" }));
	return b;
}

/* The view as it was asked for: its rows, order and what the page tells. */
export function currentView(data) {
	const tab = tabs[state.tab];

	if (state.tab === "events")
		return eventView(data);
	const view = viewOf(data, state.tab);

	if (isComparing() && !tab.instant)
		return compareView(data, view);
	return tab.make ? tab.make(data, view) : view;
}

/* On a narrow screen tabs scroll. */
function showChosen(box, tab) {
	const left = tab.offsetLeft - box.offsetLeft;

	if (left < box.scrollLeft)
		box.scrollLeft = left;
	else if (left + tab.offsetWidth > box.scrollLeft + box.clientWidth)
		box.scrollLeft = left + tab.offsetWidth - box.clientWidth;
}

export function drawTabs(data) {
	if (!tabsOf(data).includes(state.tab))
		state.tab = "sessions";
	const had = document.activeElement &&
		document.activeElement.getAttribute("role") === "tab";

	replace(byId("tabs"), ...tabsOf(data).map((n) => tabButton(data, n)));
	if (had)
		byId("tab-" + state.tab).focus();
	showChosen(byId("tabs"), byId("tab-" + state.tab));
	const view = currentView(data);

	byId("panel").setAttribute("aria-labelledby", "tab-" + state.tab);
	const about = [view.about, view.nOthers && data.table[view.name] &&
		view.nOthers + " rows are summed up in \"others\": " +
			"the page has the highest of the range and of each step"]
		.filter((s) => s).join(". ");

	byId("about").textContent = about;
	drawExtra(view);
	drawTable(view);
	return view;
}

/* page(): its data. */
export function tabKeys(page) {
	byId("tabs").addEventListener("keydown", (e) => {
		const shown = tabsOf(page());
		const to = { ArrowRight: shown.indexOf(state.tab) + 1,
			ArrowLeft: shown.indexOf(state.tab) - 1, Home: 0,
			End: shown.length - 1 }[e.key];

		if (to === undefined)
			return;
		e.preventDefault();
		change({ tab: shown[(to + shown.length) % shown.length],
			sort: "", open: "" });
		byId("tab-" + state.tab).focus();
	});
}

/* Hosts are not covered in the same instants: no more than there is. */
export function covered(data) {
	return Math.min(coveredIn(data, state.a, state.b),
		(data.steps[state.b].to - data.steps[state.a].from) / 1000);
}
