/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.js - rows over time as cells, darker where there is more.  Eight shades
 * that differ in lightness, so that they need no hue.  A picture of a pixel per
 * row is stretched: a thousand rows cost no more than a few.
 */
import { colour } from "./scale.js";

/* 0xAABBGGRR, as the bytes of an image are in memory. */
function shades() {
	const all = new Uint32Array(8);

	for (let i = 0; i < 8; i++) {
		const v = parseInt(colour("heat-" + i).slice(1), 16);

		all[i] = (0xff000000 | (v & 255) << 16 | (v & 0xff00) |
			v >> 16) >>> 0;
	}
	return all;
}

/* The steps of each pixel: [first, after the last]; a narrow step is in one. */
function stepsOfPixels(data, t, w) {
	const from = new Int32Array(w).fill(-1);
	const to = new Int32Array(w);

	data.steps.forEach((s, i) => {
		const x0 = Math.floor(t.x(s.from) - t.left);
		const x1 = Math.max(Math.ceil(t.x(s.to) - t.left), x0 + 1);

		for (let x = Math.max(x0, 0); x < Math.min(x1, w); x++) {
			if (from[x] < 0)
				from[x] = i;
			to[x] = i + 1;
		}
	});
	return { from, to };
}

/* The worst step of each pixel. */
function paintRow(out, at, v, pixels, shade, most) {
	for (let x = 0; x < pixels.from.length; x++) {
		let worst = -1;

		if (pixels.from[x] < 0)
			continue;
		for (let i = pixels.from[x]; i < pixels.to[x]; i++) {
			if (v[i] > worst)
				worst = v[i];
		}
		if (worst >= 0)
			out[at + x] = shade[Math.min(7,
				Math.floor(worst / most * 7.999))];
	}
}

/* of: { rows: [{ v }], h: a row's height, most: the value that is full } */
export function paintCells(g, data, t, of) {
	const w = Math.max(Math.round(t.w), 1);
	const n = of.rows.length;
	const picture = document.createElement("canvas");

	if (n === 0)
		return;
	picture.width = w;
	picture.height = n;
	const p = picture.getContext("2d");
	const image = p.createImageData(w, n);
	const out = new Uint32Array(image.data.buffer);
	const shade = shades();
	const pixels = stepsOfPixels(data, t, w);

	of.rows.forEach((r, k) =>
		paintRow(out, k * w, r.v, pixels, shade, of.most));
	p.putImageData(image, 0, 0);
	g.save();
	g.imageSmoothingEnabled = false;
	g.drawImage(picture, 0, 0, w, n, t.left, 0, t.w, n * of.h);
	g.restore();
	if (of.h > 6) {
		g.fillStyle = colour("panel");
		for (let k = 1; k <= n; k++)
			g.fillRect(t.left, k * of.h - 1, t.w, 1);
	}
}
