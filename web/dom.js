/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dom.js - elements.  What was recorded becomes text of a node, and nothing
 * else: no markup is ever made of it.
 */

export const byId = (id) => document.getElementById(id);

/* el("td", { class: "number" }, "12") */
export function el(name, attributes, ...children) {
	const e = document.createElement(name);

	for (const k in attributes) {
		if (attributes[k] !== null && attributes[k] !== undefined)
			e.setAttribute(k, attributes[k]);
	}
	for (const c of children) {
		e.append(c instanceof Node ? c
			: document.createTextNode(String(c)));
	}
	return e;
}

export function replace(parent, ...children) {
	parent.replaceChildren(...children);
}

export function button(text, title, onclick) {
	const b = el("button", { type: "button", title }, text);

	b.addEventListener("click", onclick);
	return b;
}

export function choices(select, list, value) {
	replace(select, ...list.map(([v, text]) => {
		const o = el("option", { value: v }, text);

		o.selected = v === value;
		return o;
	}));
}

/* For screen readers, and in the line at the bottom. */
export function say(text) {
	byId("said").textContent = text;
}

export async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
	} catch (e) {
		const t = el("textarea", { class: "aside" });

		t.value = text;
		document.body.append(t);
		t.select();
		document.execCommand("copy");
		t.remove();
	}
	say(what + " copied");
}

/* A file that the browser makes itself. */
export function download(name, text) {
	const a = el("a", { download: name });

	a.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
