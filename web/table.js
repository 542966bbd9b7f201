/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.js - a table of the chosen range: order, search, a row's details, as
 * CSV and as text.
 */
import { figureText, signedText } from "./format.js";
import { byId, button, copy, download, el, replace } from "./dom.js";
import { change, state } from "./state.js";

const SHOWN = 100; /* rows, before "show all" */
const CUT = 160; /* characters of a text in a row */

let showAll = "";

const isNumber = (c) => !c.is_text && c.unit !== "text";

/* Texts that are numbers, pids for one, are compared as such. */
function compareValues(x, y, sign) {
	if (x === y)
		return 0;
	if (x === null || y === null)
		return x === null ? 1 : -1;
	if (typeof x === "string") {
		const n = Number(x) - Number(y);

		return sign * (Number.isNaN(n) ? (x < y ? -1 : 1) : n);
	}
	return sign * (x - y);
}

/* "cpu_seconds": highest first; "+user": the other way round. */
function order(view, rows) {
	const up = view.sort.startsWith("+");
	const name = up ? view.sort.slice(1) : view.sort;
	const i = view.columns.findIndex((c) => c.name === name);

	if (i < 0)
		return rows;
	return [...rows].sort((x, y) => x.others - y.others ||
		compareValues(rankOf(view, x, i), rankOf(view, y, i), up ? 1 : -1));
}

/* Differences by their size. */
function rankOf(view, r, i) {
	const v = r.cell(i);

	return view.columns[i].signed && v !== null ? Math.abs(v) : v;
}

function matches(view, r, words) {
	const text = view.columns.map((c, i) => isNumber(c) ? ""
		: r.cell(i) === null ? "" : r.cell(i)).join(" ").toLowerCase();

	return words.every((w) => text.includes(w));
}

/* Whether rows are of the host that was chosen: what is in a database is of no single
 * one, and stays. */
function hostFilter(view) {
	const at = view.columns.findIndex((c) => c.name === "host" ||
		c.name === "os_host");
	const ofNone = at >= 0 && view.columns[at].name === "os_host";

	return (r) => !state.host || at < 0 || r.cell(at) === state.host ||
		(ofNone && r.cell(at) === null);
}

function chosenRows(view) {
	const words = state.find.toLowerCase().split(/\s+/).filter((w) => w);
	const isOfHost = hostFilter(view);

	return order(view, view.rows.filter((r) => isOfHost(r) &&
		(words.length === 0 || (!r.others && matches(view, r, words)))));
}

function cellText(view, r, i) {
	const c = view.columns[i];

	if (r.others && c.is_text)
		return i === view.firstText ? view.nOthers + " others" : "-";
	if (c.signed)
		return signedText(c.unit, r.cell(i), r.mark(i));
	return isNumber(c) ? figureText(c.unit, r.cell(i), r.mark(i))
		: r.cell(i) === null ? "-" : r.cell(i);
}

/* ---- the head ---------------------------------------------------------- */

function headCell(view, c) {
	const sorted = view.sort === c.name ? "descending"
		: view.sort === "+" + c.name ? "ascending" : null;
	const worst = c.rule === "max" && !c.name.endsWith("_peak");
	const b = button(c.title + (worst ? " worst" : ""), (c.long
		? c.long + ": " : "") + c.help +
		(worst ? "; of the worst step" : ""), () => change({ sort:
		sorted === "descending" ? "+" + c.name : c.name }));

	b.dataset.key = "by " + c.name;
	if (sorted)
		b.append(sorted === "descending" ? " \u25be" : " \u25b4");
	return el("th", { scope: "col", class: isNumber(c) ? "n" : null,
		"aria-sort": sorted }, b);
}

/* ---- rows -------------------------------------------------------------- */

function rowId(view, r) {
	return view.name + "\t" + (r.others ? "*" : view.columns.map((c, i) =>
		c.rule === "key" ? r.cell(i) : "").join("\t"));
}

/* All that is known of a row, with whole texts. */
function details(view, r) {
	const list = el("dl", {});

	view.columns.forEach((c, i) => {
		if (r.cell(i) === null)
			return;
		const long = c.is_text && r.cell(i).length > CUT;

		list.append(el("dt", { title: c.help }, c.long || c.title),
			el("dd", { class: long ? "code" : null },
				cellText(view, r, i)));
	});
	const text = view.columns.findIndex((c) => c.name === "text" ||
		c.name === "query");
	const row = el("tr", { class: "details" },
		el("td", { colspan: view.columns.length }, list));

	if (text >= 0 && r.cell(text) && view.columns[text].is_text)
		row.firstChild.append(button("copy the statement", "",
			() => copy(r.cell(text), "statement")));
	return row;
}

function dataCell(view, r, i, most, first) {
	const c = view.columns[i];
	const text = cellText(view, r, i);
	const td = el(first ? "th" : "td", { scope: first ? "row" : null,
		class: isNumber(c) ? "n" : c.name === "text" ||
			c.name === "query" || c.name === "title" ? "long" : null,
		title: text.length > 30 ? c.title : null }, isNumber(c) ? text
		: text.replace(/\s+/g, " ").slice(0, CUT) +
			(text.length > CUT ? "\u2026" : ""));

	if (most[i] > 0 && !r.others && r.cell(i) > 0) {
		td.classList.add("bar");
		td.style.setProperty("--part",
			(r.cell(i) / most[i] * 100).toFixed(1) + "%");
	}
	return td;
}

function toggle(id) {
	change({ open: state.open === id ? "" : id });
}

/* What a row's button does, and says of its state. */
function rowButton(view, r, id, text) {
	const b = button(text, null, () => (view.choose ? view.choose(r)
		: toggle(id)));

	b.className = "open";
	b.dataset.key = id;
	if (view.choose)
		b.setAttribute("aria-pressed", String(view.rowClass(r) !== null));
	else
		b.setAttribute("aria-expanded", String(state.open === id));
	return b;
}

function bodyRow(view, r, most) {
	const id = rowId(view, r);
	const tr = el("tr", { class: r.others ? "others" : view.rowClass
		? view.rowClass(r) : null });

	view.shown.forEach((i, at) =>
		tr.append(dataCell(view, r, i, most, at === 0)));
	if (r.others)
		return [tr];
	const first = tr.firstChild;
	const depth = view.depth ? view.depth(r) : 0;
	const b = rowButton(view, r, id, (depth ? "\u2514 " : "") +
		first.textContent);

	replace(first, b);
	if (depth)
		first.style.paddingLeft = 8 + 18 * depth + "px";
	tr.classList.add("opens");
	tr.addEventListener("click", (e) => {
		if (!b.contains(e.target) && !String(window.getSelection()))
			b.click();
	});
	return state.open === id && !view.choose ? [tr, details(view, r)] : [tr];
}

/* The highest value of the sorted column, for its bars. */
function highest(view, rows) {
	return view.columns.map((c, i) => isNumber(c) &&
		view.sort.replace("+", "") === c.name && c.unit !== "time" &&
		!c.signed
		? rows.reduce((m, r) => r.others ? m : Math.max(m, r.cell(i)), 0)
		: 0);
}

/* ---- as text ----------------------------------------------------------- */

/* A cell that a spreadsheet would run is a text. */
function csvCell(v) {
	let s = v === null ? "" : String(v);

	if (typeof v === "string" && /^[=+\-@\t\r]/.test(s))
		s = "'" + s;
	return /[",\n\r]/.test(s) ? "\"" + s.replace(/"/g, "\"\"") + "\"" : s;
}

function exact(c, v) {
	return c.unit === "time" && v !== null ? new Date(v).toISOString() : v;
}

function csv(view, rows) {
	return [view.columns.map((c) => c.name).join(",")].concat(
		rows.map((r) => view.columns.map((c, i) =>
			csvCell(r.others && i === view.firstText
				? view.nOthers + " others"
				: exact(c, r.cell(i)))).join(","))).join("\r\n") +
		"\r\n";
}

function plain(view, rows) {
	return [view.columns.map((c) => c.title).join("\t")].concat(
		rows.map((r) => view.columns.map((c, i) =>
			cellText(view, r, i).replace(/\s+/g, " ")).join("\t")))
		.join("\n") + "\n";
}

/* ---- the table --------------------------------------------------------- */

/* On a narrow screen what rows are ordered by comes right after their name. */
function shownColumns(view) {
	const list = [...view.columns.keys()].filter((i) =>
		!view.hidden.has(view.columns[i].name));
	const by = list.findIndex((i) =>
		view.columns[i].name === view.sort.replace("+", ""));

	if (window.innerWidth < 700 && by > 1)
		list.splice(1, 0, ...list.splice(by, 1));
	return list;
}

/* What had the focus has it again, after what it was in was made anew. */
function keepFocus(box, make) {
	const active = document.activeElement;
	const key = box.contains(active) ? active.dataset.key : null;

	make();
	if (key) {
		const again = [...box.querySelectorAll("[data-key]")].find((e) =>
			e.dataset.key === key);

		if (again)
			again.focus({ preventScroll: true });
	}
}

/* view: { name, columns, rows, sort, hidden, empty, nOthers, rowClass } */
export function drawTable(view) {
	view.firstText = view.columns.findIndex((c) => c.is_text);
	view.shown = shownColumns(view);

	const rows = chosenRows(view);
	const all = showAll === view.name ? rows : rows.slice(0, SHOWN);
	const most = highest(view, rows);
	const table = el("table", {}, el("caption", { class: "aside" },
		view.title), el("thead", {}, el("tr", {},
		...view.shown.map((i) => headCell(view, view.columns[i])))),
	el("tbody", {}, ...all.flatMap((r) => bodyRow(view, r, most))));

	keepFocus(byId("rows"), () => replace(byId("rows"), rows.length ? table
		: el("p", { class: "empty" }, ...emptyText(view))));
	if (all.length < rows.length)
		byId("rows").append(button("show all " + rows.length, "",
			() => {
				showAll = view.name;
				drawTable(view);
			}));
	replace(byId("tools"), el("span", { class: "dim" },
		rows.filter((r) => !r.others).length + " rows"),
	button("copy", "copy the table as text",
		() => copy(plain(view, rows), "table")),
	button("CSV", "save the table as CSV",
		() => download("gpsnap-" + view.name + ".csv",
			csv(view, rows))));
}

function emptyText(view) {
	if (view.rows.length === 0)
		return view.empty;
	return ["no row of " + view.rows.length + " has ", el("b", {},
		state.find || state.host), " ", button("show all rows", "",
		() => change({ find: "", host: "" }))];
}
