/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data.js - the data of the page: a block of base64, deflated.  Four bytes of
 * length, so much JSON, then numbers: the steps' times, and per table its rows
 * (src/report/README.md).
 */

function fromBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const raw = atob(text);
	const all = new Uint8Array(raw.length);

	for (let i = 0; i < raw.length; i++)
		all[i] = raw.charCodeAt(i);
	return all;
}

async function inflate(deflated) {
	const stream = new Blob([deflated]).stream()
		.pipeThrough(new DecompressionStream("deflate"));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Numbers of up to 53 bits, seven in a byte. */
class Numbers {
	constructor(bytes, at) {
		this.bytes = bytes;
		this.at = at;
	}

	next() {
		const b = this.bytes;
		const c = b[this.at++];

		return c < 128 ? c : this.longer(c);
	}

	longer(c) {
		const b = this.bytes;
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

/* Values are differences; NaN is absent. */
function readColumn(from, to, start, n, quantum) {
	let last = 0;

	for (let i = start; i < start + n; i++) {
		let z = from.next();

		if (z === 0) {
			to[i] = NaN;
			continue;
		}
		z--;
		last += z % 2 ? -(z + 1) / 2 : z / 2;
		to[i] = last * quantum;
	}
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
		readColumn(from, numbers, i * n, n, c.is_text ? 1 : c.quantum);
	});
	for (let i = 0; i < stored.length; i++)
		mark.push(from.next());
	return new Row(at, numbers, mark);
}

/* A table.  Its rows are read when somebody asks for them: most are never
 * shown. */
class Table {
	constructor(t, bytes, at) {
		Object.assign(this, { name: t.name, view: t.view,
			title: t.title, note: t.note, nRows: t.rows,
			nOthers: t.others, depth: t.depth, columns: t.columns,
			column: {}, bytes, at, read: null });
		this.stored = t.columns.filter((c) => c.stored);
		this.stored.forEach((c, i) => { c.index = i; });
		for (const c of t.columns)
			this.column[c.name] = c;
	}

	readAll() {
		const from = new Numbers(this.bytes, this.at);
		const pools = { steps: new Pool(Int32Array),
			numbers: new Pool(Float64Array) };
		const rows = [];

		for (let i = 0; i < this.nRows; i++)
			rows.push(readRow(from, this.stored, pools));
		this.read = { rows, others: this.nOthers > 0
			? readRow(from, this.stored, pools) : null };
		this.bytes = null;
		return this.read;
	}

	get rows() {
		return (this.read || this.readAll()).rows;
	}

	get others() {
		return (this.read || this.readAll()).others;
	}
}

export function readData(text) {
	return readBytes(fromBase64(text.trim()));
}

export async function readBytes(deflated) {
	const all = await inflate(deflated);
	const length = new DataView(all.buffer).getUint32(0, true);
	const head = JSON.parse(new TextDecoder().decode(
		all.subarray(4, 4 + length)));
	const from = new Numbers(all, 4 + length);
	const data = { head, texts: head.texts, table: {},
		steps: readSteps(from, head.steps), made: new Map() };
	let at = from.at;

	for (const t of head.tables) {
		data.table[t.name] = new Table(t, all, at);
		at += t.bytes;
	}
	return data;
}

/* All tables, one by one: between them a user's input has its turn. */
export async function readTables(data) {
	for (const t of Object.values(data.table)) {
		if (!t.read) {
			t.readAll();
			await new Promise((done) => setTimeout(done, 20));
		}
	}
}

/* What was made of the data before, by a name; make() makes it. */
export function once(data, name, make) {
	if (!data.made.has(name))
		data.made.set(name, make());
	return data.made.get(name);
}
