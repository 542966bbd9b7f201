/* SPDX-License-Identifier: Apache-2.0 */
/*
 * asked.js - what a served page can be asked for: when a condition held, which is
 * shown on the time line; any range; the table of any view.
 */
import { byId, button, el, replace } from "./dom.js";
import { clock, figureText, span } from "./format.js";
import { state } from "./state.js";
import { goButton } from "./chart.js";
import { askJson, askRange } from "./zoom.js";

const HITS_SHOWN = 10;

/* ---- find -------------------------------------------------------------- */

function ofTime(text) {
	return text ? Date.parse(text) : null;
}

/* What of a row is neither its time nor how it was found. */
function namesOf(table, row) {
	const skip = new Set(["start", "end", "length_seconds", "ticks", "cut",
		"peak_at"]);

	return table.columns.filter((c) => !skip.has(c.name) &&
		row[c.name] !== null && row[c.name] !== undefined)
		.map((c) => c.unit ? c.title + " " + askedText(c, row[c.name])
			: row[c.name]).join(", ");
}

function hitsOf(table) {
	return table.rows.map((r) => ({ from: ofTime(r.start), to: ofTime(r.end),
		text: namesOf(table, r) }));
}

function drawHits(box, data, hits, said) {
	const list = hits.slice(0, HITS_SHOWN).map((h) => el("li", {},
		el("span", { class: "when" }, clock(h.from) + " " +
			span((h.to - h.from) / 1000)), " " + h.text + " ",
		goButton(data, "show", h.from, h.to, {})));

	if (hits.length > HITS_SHOWN)
		list.push(el("li", {}, "and " + (hits.length - HITS_SHOWN) +
			" more, on the time line"));
	replace(box, el("li", { class: "dim" }, said), ...list);
}

/* A form below the load; found(hits) draws them. */
export function findForm(page, found) {
	const field = el("input", { type: "text", id: "expr",
		autocomplete: "off", spellcheck: "false",
		placeholder: "host.busy > 90% and session.cpu > 50" });
	const list = el("ul", { id: "hits", class: "hits" });
	const form = el("form", { id: "find-form", class: "bar-line" },
		el("label", {}, "When was ", field),
		el("button", { type: "submit" }, "find"),
		button("clear", "forget what was found", () => {
			replace(list);
			found([]);
		}));

	form.addEventListener("submit", async (e) => {
		e.preventDefault();
		const { steps } = page();

		replace(list, el("li", { class: "dim" }, "looking\u2026"));
		try {
			const [t] = await askJson("find", { find: field.value,
				limit: 0, ...askRange(steps[0].from,
				steps[steps.length - 1].to) });
			const hits = hitsOf(t);

			found(hits);
			drawHits(list, page(), hits, hits.length === 0
				? "never in this range" : hits.length +
				(hits.length === 1 ? " time" : " times"));
		} catch (err) {
			replace(list, el("li", { class: "bad" }, err.message));
		}
	});
	byId("legend").after(form, list);
}

/* ---- any range --------------------------------------------------------- */

/* Times as --from and --to take them; none is the recording's own. */
export function rangeForm(choose) {
	const field = (id, text, placeholder) => el("label", {}, text + " ",
		el("input", { id, type: "text", autocomplete: "off",
			spellcheck: "false", placeholder }));
	const form = el("form", { id: "range-form", class: "bar-line" },
		field("range-from", "Show from", "-1h, 9:30, its begin"),
		field("range-to", "to", "its end"),
		el("button", { type: "submit" }, "show"));

	form.addEventListener("submit", (e) => {
		e.preventDefault();
		choose(byId("range-from").value.trim(),
			byId("range-to").value.trim());
	});
	byId("legend").after(form);
}

/* ---- any view ---------------------------------------------------------- */

const units = { "": "text", "bytes per second": "bytes_rate",
	"per second": "rate" };

function askedText(c, v) {
	const unit = units[c.unit] || c.unit;

	if (unit === "time")
		return clock(ofTime(v));
	if (typeof v !== "number")
		return v === null || v === undefined ? "-" : String(v);
	return figureText(unit === "text" ? "number" : unit, v);
}

function isNumeric(t, c) {
	return t.rows.some((r) => typeof r[c.name] === "number");
}

/* Without columns that no row has. */
function drawAsked(t) {
	const rows = t.others ? [...t.rows, t.others] : t.rows;
	const cols = t.columns.filter((c) => rows.some((r) =>
		r[c.name] !== null && r[c.name] !== undefined));

	if (rows.length === 0)
		return el("p", { class: "empty" }, "no rows" +
			(t.notes && t.notes.length ? ": " + t.notes.join("; ")
				: ""));
	return el("table", {},
		el("thead", {}, el("tr", {}, ...cols.map((c) => el("th",
			{ class: isNumeric(t, c) ? "n" : null, title: c.help,
				scope: "col" }, c.title)))),
		el("tbody", {}, ...rows.map((r) => el("tr",
			{ class: r === t.others ? "others" : null },
			...cols.map((c) => el("td",
				{ class: isNumeric(t, c) ? "n" : null },
				askedText(c, r[c.name])))))));
}

/* Tables in a table, of the overview and of pages, one below the other. */
function drawTables(list) {
	return list.flatMap((t) => t.tables
		? t.tables.flatMap((s) => [el("h3", {}, s.view || ""), drawAsked(s)])
		: t.columns ? [drawAsked(t)] : []);
}

function commandOf(data, params) {
	const word = (s) => /^[\w@%+=:,./-]+$/.test(s) ? s
		: "'" + String(s).replace(/'/g, "'\\''") + "'";

	return "gpsnap replay " + data.head.path + Object.entries(params)
		.filter(([, v]) => v !== "").map(([k, v]) => " --" + k + " " +
			word(v)).join("");
}

function viewFields(views) {
	const field = (id, text, placeholder) => el("label", {}, text + " ",
		el("input", { id, type: "text", autocomplete: "off",
			spellcheck: "false", placeholder }));
	const list = el("select", { id: "any-view" }, ...views.map((v) =>
		el("option", { value: v.name, title: v.help }, v.name)));

	list.value = "sessions";
	return el("form", { id: "any-form", class: "bar-line" },
		el("label", {}, "view ", list),
		field("any-columns", "columns", "all; or NAME,... +NAME"),
		field("any-group", "by", "user,database"),
		field("any-where", "where", "cpu > 50"),
		field("any-sort", "sort", "-cpu"),
		field("any-limit", "rows", "20"),
		el("button", { type: "submit" }, "show"));
}

export async function viewForm(page) {
	const views = (await askJson("views", {}))[0];
	const form = viewFields(views);
	const rows = el("div", { id: "any-rows", tabindex: "0", role: "region",
		"aria-label": "rows of the view" });
	const command = el("code", { id: "any-command" });

	form.addEventListener("submit", async (e) => {
		e.preventDefault();
		const data = page();
		const value = (id) => byId("any-" + id).value.trim();
		const params = { ...askRange(data.steps[state.a].from,
			data.steps[state.b].to), view: value("view"),
		columns: value("columns"), "group-by": value("group"),
		where: value("where"), sort: value("sort"),
		limit: value("limit") };

		command.textContent = commandOf(data, params);
		replace(rows, el("p", { class: "dim" }, "reading\u2026"));
		try {
			replace(rows, ...drawTables(await askJson("view", params)));
		} catch (err) {
			replace(rows, el("p", { class: "bad" }, err.message));
		}
	});
	document.querySelector("main").append(el("section", { id: "any" },
		el("h2", {}, "Any view, of the chosen range"), form, rows,
		el("p", { class: "command" }, el("span", { class: "dim" },
			"the same: "), command)));
}
