/* SPDX-License-Identifier: Apache-2.0 */
/*
 * zoom.js - what a served page asks gpsnap for: data of a range, views, states.
 * All is below the address of the page itself, which has the token.
 */
import { readBoth } from "./data.js";

let loading = null; /* the request of data that is under way */

async function ask(path, params, options) {
	const p = new URLSearchParams();

	for (const k in params) {
		if (params[k] !== "" && params[k] !== null)
			p.set(k, params[k]);
	}
	const text = p.toString();
	let r;

	try {
		r = await fetch(path + (text ? "?" + text : ""), options);
	} catch (e) {
		if (e.name === "AbortError")
			throw e;
		throw new Error("gpsnap web does not answer: has it ended?");
	}
	if (r.ok)
		return r;
	let why = "status " + r.status;

	try {
		why = (await r.json()).error || why;
	} catch (e) {
		/* not from gpsnap: the status has to do */
	}
	throw Object.assign(new Error(why), { status: r.status });
}

export async function askJson(path, params) {
	const text = (await (await ask(path, params)).text()).trim();

	/* one table for each line */
	return text.split("\n").map((line) => JSON.parse(line));
}

function when(ms) {
	return ms === null ? "" : new Date(ms).toISOString();
}

export function askRange(from, to) {
	return { from: when(from), to: when(to) };
}

/* "123-456" of the address: a range in ms; "-1h..": what --from and --to take; ""
 * is all. */
export function zoomRange(zoom) {
	const m = /^(\d+)-(\d+)$/.exec(zoom);

	if (m)
		return askRange(Number(m[1]), Number(m[2]));
	const [from, to] = zoom.split("..");

	return { from, to: to || "" };
}

/* Its end is that of the recording, which may grow. */
export function isOpenZoom(zoom) {
	return zoom === "" || zoom.endsWith("..");
}

export function stopAsking() {
	if (loading)
		loading.abort();
	loading = null;
}

/* A newer request ends an older one, which nobody waits for. */
export async function askData(zoom) {
	const stop = new AbortController();

	stopAsking();
	loading = stop;
	const r = await ask("data", zoomRange(zoom), { signal: stop.signal });
	const data = await readBoth(await r.arrayBuffer());

	if (loading === stop)
		loading = null;
	return data;
}
