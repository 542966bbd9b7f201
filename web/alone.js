/* SPDX-License-Identifier: Apache-2.0 */
/* alone.js - a page that is a file: it has its data, and asks nobody.  served.js
 * has the same functions for one that gpsnap web serves. */
import { byId } from "./dom.js";
import { readData } from "./data.js";

export async function firstData() {
	const data = await readData(byId("data").textContent);

	byId("data").remove();
	return data;
}

export function whyNot(e) {
	return "The file is damaged, or the browser is too old for it (it needs " +
		"DecompressionStream: browsers since 2023). " + e;
}

/* Data come again: never. */
export function goOn() {
}
