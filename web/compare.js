/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.js - two ranges side by side, as gpsnap replay --baseline has them: a
 * row's figure in B, what it was in A, and the difference.  Amounts of A are
 * scaled to the covered time of B.
 */
import { coveredIn, rowsIn, ShownRow } from "./figures.js";
import { state } from "./state.js";

/* Columns that the table shows with their differences; details have all. */
const SIDES = 3;

/* Rows of other names that are one: of statements all that have one text. */
const sameAs = {
	queries: (cell) => [cell("server"), cell("user"), cell("database"),
		(cell("command") || "").replace(/^\d+ /, ""), cell("text")],
};

const isFigure = (c) => !c.is_text && c.unit !== "text" && c.unit !== "id" &&
	c.unit !== "time" && c.rule !== "key";

/* A peak of one range and that of another have no difference. */
const hasDifference = (c) => isFigure(c) && c.rule !== "max" &&
	c.rule !== "min";

function keyOf(table, r) {
	const cell = (name) => {
		const i = table.columns.findIndex((c) => c.name === name);

		return i < 0 ? null : r.cell(i);
	};

	if (r.others)
		return "others";
	return JSON.stringify(sameAs[table.name] ? sameAs[table.name](cell)
		: table.columns.filter((c) => c.rule === "key")
			.map((c) => cell(c.name)));
}

/* { a, b }: the rows of each side, by what they are. */
function pairs(data, table) {
	const all = new Map();
	const add = (side, from, to) => {
		for (const r of rowsIn(data, table, from, to)) {
			const key = keyOf(table, r);

			if (!all.has(key))
				all.set(key, { a: [], b: [] });
			all.get(key)[side].push(r);
		}
	};

	add("b", state.a, state.b);
	add("a", state.c, state.d);
	return [...all.values()];
}

/* Of several rows: their sum, but no rate; of a level those that are left at the end. */
function figureOf(rows, i, c) {
	if (rows.length === 1)
		return rows[0].cell(i);
	if (c.rule !== "sum" && c.rule !== "last" && c.rule !== "per")
		return null;
	const of = c.rule === "last" ? rows.filter((r) => !r.hasEnded) : rows;
	const known = of.map((r) => r.cell(i)).filter((v) => v !== null);

	return known.length ? known.reduce((x, y) => x + y) : null;
}

const marksOfRows = (rows, i) => rows.reduce((m, r) => m | r.mark(i), 0);

/* What is on one side only was nothing on the other. */
function difference(pair, b, a) {
	if (b === null && pair.b.length === 0)
		return a === null ? null : -a;
	if (a === null && pair.a.length === 0)
		return b;
	return a === null || b === null ? null : b - a;
}

function changeOf(pair) {
	return pair.a.length === 0 ? "new" : pair.b.length === 0 ? "gone" : null;
}

/* The cells of a figure, B, A and their difference, with their marks. */
function sidesOf(pair, i, c, share) {
	const b = figureOf(pair.b, i, c);
	const was = figureOf(pair.a, i, c);
	const scale = c.rule === "sum" ? share : 1;
	const a = was === null ? null : was * scale;
	const mb = marksOfRows(pair.b, i);
	const ma = marksOfRows(pair.a, i) |
		(Math.abs(scale - 1) > 0.001 ? 1 : 0);

	/* less at least so much is no bound */
	return hasDifference(c) ? [[b, mb], [a, ma], [difference(pair, b, a),
		ma & 2 ? 1 : mb | ma]] : [[b, mb], [a, ma]];
}

const isLong = (c) => c.is_text && /^(text|query|title)$/.test(c.name) &&
	c.rule !== "key";

/* Names, what changed, figures, and long texts at the end. */
function columnsOf(table) {
	return table.columns.filter((c) => !isFigure(c) && !isLong(c)).concat(
		[{ name: "change", title: "CHANGE", unit: "text", is_text: true,
			rule: "text", help: "new: only in B; gone: only in A" }],
		table.columns.filter(isFigure).flatMap((c) => [c,
			{ ...c, name: c.name + "_base", title: "WAS",
				rule: "side", long: c.title + " in A",
				help: c.help + ": in A" },
			...hasDifference(c) ? [{ ...c, name: c.name + "_diff",
				title: "\u00b1", rule: "side", signed: true,
				long: c.title + ", the difference",
				help: c.help + ": B - A" }] : []]),
		table.columns.filter(isLong));
}

function rowOf(pair, table, share) {
	const of = pair.b[0] || pair.a[0];
	const cells = [];
	const marks = [];

	const add = (v, m) => {
		cells.push(v);
		marks.push(m);
	};
	const each = (which, fn) => table.columns.forEach((c, i) => {
		if (which(c))
			fn(c, i);
	});

	each((c) => !isFigure(c) && !isLong(c), (c, i) => add(of.cell(i), 0));
	add(changeOf(pair), 0);
	each(isFigure, (c, i) => sidesOf(pair, i, c, share).forEach(
		([v, m]) => add(v, m)));
	each(isLong, (c, i) => add(of.cell(i), 0));
	const r = new ShownRow(cells, marks);

	r.others = of.others;
	return r;
}

/* The first figures of the table, and what it is ordered by. */
function hiddenOf(view, table, sort) {
	const seen = table.columns.filter((c) => isFigure(c) &&
		!view.hidden.has(c.name)).map((c) => c.name);
	const by = sort.replace("+", "").replace(/_(base|diff)$/, "");
	const keep = new Set([...seen.filter((n) => n !== by).slice(0,
		seen.includes(by) ? SIDES - 1 : SIDES), by]);
	const hidden = new Set([...view.hidden, "state", "blocker",
		"application"]);

	for (const c of table.columns.filter(isFigure)) {
		if (keep.has(c.name) && seen.includes(c.name))
			continue;
		for (const end of ["", "_base", "_diff"])
			hidden.add(c.name + end);
	}
	return hidden;
}

/* The view with both ranges.  Its order: what changed most. */
export function compareView(data, view) {
	const table = data.table[view.name];
	const share = coveredIn(data, state.a, state.b) /
		coveredIn(data, state.c, state.d);
	const columns = columnsOf(table);
	const first = columns.find((c) => c.signed && !view.hidden.has(
		c.name.replace("_diff", "")));
	const own = view.sort.replace("+", "");
	const asked = columns.some((c) => c.name === state.sort.replace("+", ""))
		? state.sort : "";
	const sort = asked || (columns.some((c) => c.name === own + "_diff")
		? own + "_diff" : first ? first.name : view.sort);

	return { ...view, columns, sort, compared: true,
		rowClass: null, hidden: hiddenOf(view, table, sort),
		rows: pairs(data, table).map((p) => rowOf(p, table,
			Number.isFinite(share) ? share : 1)),
		about: "Amounts of A are scaled to the covered time of B" };
}
