/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data.js - the data of the page: a block of base64, deflated.  Four bytes of
 * length, so much JSON, then numbers: the steps' times, and per table its rows
 * (src/report/README.md).
 */

async function inflate(text) {
	const raw = atob(text.trim());
	const all = new Uint8Array(raw.length);

	for (let i = 0; i < raw.length; i++)
		all[i] = raw.charCodeAt(i);
	const stream = new Blob([all]).stream()
		.pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Numbers of up to 53 bits, seven in a byte. */
class Numbers {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	next() {
		const b = this.bytes;
		let c = b[this.at++];
		let v = c & 127;
		let scale = 128;

		while (c & 128) {
			c = b[this.at++];
			v += (c & 127) * scale;
			scale *= 128;
		}
		return v;
	}
}

/* Room for the numbers of many rows at once: millions of small arrays would
 * cost more than their contents. */
class Pool {
	constructor(type) {
		this.type = type;
		this.room = new type(0);
		this.used = 0;
	}

	take(n) {
		if (this.used + n > this.room.length) {
			this.room = new this.type(Math.max(n, 1 << 18));
			this.used = 0;
		}
		this.used += n;
		return this.room.subarray(this.used - n, this.used);
	}
}

/* A row: the steps in which it exists, and a value of each stored column for
 * each of these. */
class Row {
	constructor(at, numbers, mark) {
		this.at = at;
		this.numbers = numbers;
		this.mark = mark;
	}

	value(i, k) {
		return this.numbers[i * this.at.length + k];
	}

	column(i) {
		const n = this.at.length;

		return this.numbers.subarray(i * n, i * n + n);
	}
}

/* Values are differences; NaN is absent.  True if some value is known. */
function readColumn(from, to, start, n, quantum) {
	let last = 0;
	let any = false;

	for (let i = start; i < start + n; i++) {
		let z = from.next();

		if (z === 0) {
			to[i] = NaN;
			continue;
		}
		z--;
		last += z % 2 ? -(z + 1) / 2 : z / 2;
		to[i] = last * quantum;
		any = true;
	}
	return any;
}

function readSteps(from, n) {
	const steps = [];
	const last = [0, 0, 0, 0, 0];

	for (let i = 0; i < n; i++) {
		for (let k = 0; k < 5; k++) {
			const z = from.next() - 1;

			last[k] += z % 2 ? -(z + 1) / 2 : z / 2;
		}
		steps.push({ from: last[0] / 1000, to: last[1] / 1000,
			covered: last[2] / 1e6, ticks: last[3],
			offset: last[4] });
	}
	return steps;
}

function readRow(from, stored, pools) {
	const n = from.next();
	const at = pools.steps.take(n);
	const numbers = pools.numbers.take(n * stored.length);
	const mark = [];
	let step = 0;

	for (let i = 0; i < n; i++) {
		step += from.next();
		at[i] = step;
	}
	stored.forEach((c, i) => {
		if (readColumn(from, numbers, i * n, n, c.is_text ? 1 : c.quantum))
			c.known = true;
	});
	for (let i = 0; i < stored.length; i++)
		mark.push(from.next());
	return new Row(at, numbers, mark);
}

function readTable(from, t) {
	const stored = t.columns.filter((c) => c.stored);
	const pools = { steps: new Pool(Int32Array),
		numbers: new Pool(Float64Array) };
	const table = { name: t.name, view: t.view, title: t.title,
		note: t.note, nOthers: t.others, depth: t.depth,
		columns: t.columns, column: {}, rows: [], others: null };

	stored.forEach((c, i) => { c.index = i; });
	for (const c of t.columns)
		table.column[c.name] = c;
	for (let i = 0; i < t.rows; i++)
		table.rows.push(readRow(from, stored, pools));
	if (t.others > 0)
		table.others = readRow(from, stored, pools);
	return table;
}

export async function readData(text) {
	const all = await inflate(text);
	const length = new DataView(all.buffer).getUint32(0, true);
	const head = JSON.parse(new TextDecoder().decode(
		all.subarray(4, 4 + length)));
	const from = new Numbers(all.subarray(4 + length));
	const data = { head, texts: head.texts, table: {},
		steps: readSteps(from, head.steps) };

	for (const t of head.tables)
		data.table[t.name] = readTable(from, t);
	return data;
}
