/* SPDX-License-Identifier: Apache-2.0 */
/* alone.js - a page that is a file: it has its data, and asks nobody.  served.js
 * has the same functions for one that gpsnap web serves. */
import { byId } from "./dom.js";
import { addText, readText } from "./data.js";

/* The text of an element, which goes. */
function takeText(id) {
	const text = byId(id).textContent;

	byId(id).remove();
	return text;
}

export function firstData() {
	return readText(takeText("data"));
}

/* What the first picture does without: it is behind the program. */
export async function moreData(data) {
	if (document.readyState === "loading")
		await new Promise((done) => document.addEventListener(
			"DOMContentLoaded", done));
	await addText(data, takeText("rest"));
}

export function whyNot(e) {
	return "The file is damaged, or the browser is too old for it (it needs " +
		"DecompressionStream: browsers since 2023). " + e;
}

/* Data come again: never. */
export function goOn() {
}
