// A folder as a ZIP without compression: small enough to write here, and all that a tez needs.

const CRC = Uint32Array.from({ length: 256 }, (_, index) => {
	let value = index;
	for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
	return value >>> 0;
});

const crc32 = (bytes) => {
	let value = 0xffffffff;
	for (const byte of bytes) value = CRC[(value ^ byte) & 255] ^ (value >>> 8);
	return (value ^ 0xffffffff) >>> 0;
};

async function* files(entry, path = "") {
	if (entry.isFile) {
		yield [path, await new Promise((resolve, reject) => entry.file(resolve, reject))];
		return;
	}
	const reader = entry.createReader();
	for (;;) {
		const found = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
		if (!found.length) return;
		for (const one of found)
			if (!one.name.startsWith(".")) yield* files(one, path ? `${path}/${one.name}` : one.name);
	}
}

export async function packed(folder) {
	const parts = [],
		directory = [];
	let offset = 0,
		number = 0;
	for await (const [path, file] of files(folder)) {
		const name = new TextEncoder().encode(path),
			content = new Uint8Array(await file.arrayBuffer());
		const facts = [20, 0x800, 0, 0, 0x21, crc32(content), content.length, content.length, name.length, 0];
		const sizes = [2, 2, 2, 2, 2, 4, 4, 4, 2, 2];
		const local = fields([0x04034b50, ...facts], [4, ...sizes]);
		directory.push(
			fields([0x02014b50, 20, ...facts, 0, 0, 0, 0, offset], [4, 2, ...sizes, 2, 2, 2, 4, 4]),
			name,
		);
		parts.push(local, name, content);
		offset += local.length + name.length + content.length;
		number += 1;
	}
	const size = directory.reduce((sum, one) => sum + one.length, 0);
	return new Blob([
		...parts,
		...directory,
		fields([0x06054b50, 0, 0, number, number, size, offset, 0], [4, 2, 2, 2, 2, 4, 4, 2]),
	]);
}

function fields(values, sizes) {
	const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
	const view = new DataView(bytes.buffer);
	let at = 0;
	values.forEach((value, index) => {
		if (sizes[index] === 2) view.setUint16(at, value, true);
		else view.setUint32(at, value, true);
		at += sizes[index];
	});
	return bytes;
}
