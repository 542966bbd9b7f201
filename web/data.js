/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data.js - the data of the page: blocks of base64, deflated.  Four bytes of
 * length, so much JSON, then numbers: the steps' times, and per table its rows
 * (src/report/README.md).  The first block has what the first picture needs.
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

/* A page of ours has fewer. */
const ROWS_MAX = 1000000;
const TOO_SHORT = "Its numbers end too early.";

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

	/* Passes over n numbers: each has one byte below 128. */
	skip(n) {
		const b = this.bytes;
		let at = this.at;

		while (n > 0) {
			const c = b[at++];

			if (c < 128)
				n--;
			else if (c === undefined)
				throw new Error(TOO_SHORT);
		}
		this.at = at;
	}

	longer(c) {
		const b = this.bytes;
		let v = c & 127;
		let scale = 128;

		if (c === undefined)
			throw new Error(TOO_SHORT);
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
 * each of these.  Columns are read when somebody asks for them: of most rows
 * only that by which they are ordered is. */
class Row {
	/* start: where each column begins in the table's bytes, and the marks. */
	constructor(table, at, start) {
		this.table = table;
		this.at = at;
		this.start = start;
		this.made = new Array(start.length);
	}

	value(i, k) {
		return this.column(i)[k];
	}

	column(i) {
		return this.made[i] || (this.made[i] = this.table.readColumn(
			this.start[i], this.at.length, i));
	}

	/* Bits: 1 an estimate, 2 a lower bound, 4 not readable where it is absent, 8 an
	 * amount that is a lower bound, but not a rate of it. */
	mark(i) {
		const from = new Numbers(this.table.bytes,
			this.start[this.start.length - 1]);

		from.skip(i);
		return from.next();
	}
}

/* Values are differences; NaN is absent. */
function readValues(from, to, quantum) {
	let last = 0;

	for (let i = 0; i < to.length; i++) {
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
	const last = [0, 0, 0, 0, 0, 0];

	for (let i = 0; i < n; i++) {
		for (let k = 0; k < last.length; k++) {
			const z = from.next() - 1;

			last[k] += z % 2 ? -(z + 1) / 2 : z / 2;
		}
		steps.push({ from: last[0] / 1000, to: last[1] / 1000,
			covered: last[2] / 1e6, ticks: last[3],
			offset: last[4], watched: last[5] / 1e6 });
	}
	return steps;
}

function readRow(table, from) {
	const n = from.next();
	const at = table.places.take(n);
	const start = table.places.take(table.stored.length + 1);
	let step = 0;

	for (let i = 0; i < n; i++) {
		step += from.next();
		at[i] = step;
	}
	for (let i = 0; i < table.stored.length; i++) {
		start[i] = from.at;
		from.skip(n);
	}
	start[table.stored.length] = from.at;
	from.skip(table.stored.length);
	return new Row(table, at, start);
}

/* A table.  Its rows are read when somebody asks for them: most are never
 * shown. */
class Table {
	constructor(t) {
		Object.assign(this, { name: t.name, view: t.view,
			title: t.title, note: t.note, nRows: t.rows,
			nOthers: t.others, depth: t.depth, columns: t.columns,
			column: {}, bytes: null, at: 0, read: null,
			places: new Pool(Int32Array),
			values: new Pool(Float64Array) });
		this.stored = t.columns.filter((c) => c.stored);
		this.stored.forEach((c, i) => { c.index = i; });
		this.cover = t.columns.find((c) => c.rule === "cover");
		this.columns = t.columns.filter((c) => c !== this.cover);
		for (const c of this.columns)
			this.column[c.name] = c;
	}

	/* False: it is in a block that was not read so far. */
	get isThere() {
		return this.bytes !== null;
	}

	readAll() {
		const from = new Numbers(this.bytes, this.at);
		const rows = [];

		if (this.nRows > ROWS_MAX)
			throw new Error("It has too many rows.");
		for (let i = 0; i < this.nRows; i++)
			rows.push(readRow(this, from));
		this.read = { rows, others: this.nOthers > 0
			? readRow(this, from) : null };
		return this.read;
	}

	/* n values of the stored column i that begin there. */
	readColumn(start, n, i) {
		const to = this.values.take(n);
		const c = this.stored[i];

		readValues(new Numbers(this.bytes, start), to,
			c.is_text ? 1 : c.quantum);
		return to;
	}

	get rows() {
		return (this.read || this.readAll()).rows;
	}

	get others() {
		return (this.read || this.readAll()).others;
	}
}

/* Its JSON, and its numbers. */
async function block(deflated) {
	const all = await inflate(deflated);
	const length = new DataView(all.buffer).getUint32(0, true);

	return { json: JSON.parse(new TextDecoder().decode(
		all.subarray(4, 4 + length))), numbers: new Numbers(all, 4 + length) };
}

/* The tables of a part, one after the other. */
function takeTables(data, part, from) {
	for (const t of data.head.tables.filter((x) => x.part === part)) {
		data.table[t.name].bytes = from.bytes;
		data.table[t.name].at = from.at;
		from.at += t.bytes;
	}
}

async function readBytes(deflated) {
	const { json, numbers } = await block(deflated);
	const [source, measured] = json;
	const head = { ...measured, ...source };
	const data = { head, texts: head.texts, table: {},
		steps: readSteps(numbers, head.steps), made: new Map() };

	for (const t of head.tables)
		data.table[t.name] = new Table(t);
	takeTables(data, 0, numbers);
	return data;
}

export function readText(text) {
	return readBytes(fromBase64(text.trim()));
}

/* The second block. */
async function addBytes(data, deflated) {
	const { json, numbers } = await block(deflated);

	data.texts = data.texts.concat(json);
	takeTables(data, 1, numbers);
}

export function addText(data, text) {
	return addBytes(data, fromBase64(text.trim()));
}

/* Both, behind the length of the first. */
export async function readBoth(buffer) {
	const all = new Uint8Array(buffer);
	const rest = 4 + new DataView(buffer).getUint32(0, true);
	const data = await readBytes(all.subarray(4, rest));

	await addBytes(data, all.subarray(rest));
	return data;
}

function idle() {
	return new Promise((done) => {
		if (window.requestIdleCallback)
			requestIdleCallback(done, { timeout: 500 });
		else
			setTimeout(done, 20);
	});
}

/* All tables, one by one, while a user does nothing. */
export async function readTables(data) {
	for (const t of Object.values(data.table)) {
		if (t.read)
			continue;
		await idle();
		if (!t.read) /* meanwhile */
			t.readAll();
	}
}

/* What was made of the data, or of a range of it, before, by a name; make() makes it. */
export function once(data, name, make) {
	if (!data.made.has(name))
		data.made.set(name, make());
	return data.made.get(name);
}
