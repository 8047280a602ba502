import fc from "fast-check";
import { expect, test } from "vitest";
import { type ListPiece, splitList } from "./split-list.ts";

async function split(
	bytes: Buffer,
	sizes: readonly number[],
	{ entryDepth = 2 as 1 | 2 | 3, maxBytes = 1 << 20 } = {},
): Promise<ListPiece[]> {
	async function* chunks() {
		for (let at = 0, turn = 0; at < bytes.length; turn++) {
			const size = sizes[turn % sizes.length] ?? bytes.length;
			yield bytes.subarray(at, at + size);
			at += size;
		}
	}
	const pieces: ListPiece[] = [];
	for await (const block of splitList(chunks(), { entryDepth, maxBytes })) pieces.push(...block);
	return pieces;
}

const anyList = fc.array(fc.oneof(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), fc.array(fc.jsonValue())));
const anySizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });

test("any list, cut into any chunks, has the entries that JSON.parse finds, alone or in an object", async () => {
	await fc.assert(
		fc.asyncProperty(anyList, anySizes, fc.integer({ min: 0, max: 2 }), async (list, sizes, indent) => {
			const entries = JSON.parse(JSON.stringify(list));
			const bare = await split(Buffer.from(JSON.stringify(list, null, indent)), sizes);
			expect(bare.map(({ text }) => JSON.parse(text ?? ""))).toEqual(entries);
			const held = await split(Buffer.from(JSON.stringify({ "a [{": 1, list }, null, indent)), sizes, { entryDepth: 3 });
			expect(held.map(({ text }) => JSON.parse(text ?? ""))).toEqual(entries);
			const loose = await split(Buffer.from(list.map((entry) => JSON.stringify(entry, null, indent)).join("\r\n")), sizes, {
				entryDepth: 1,
			});
			expect(loose.map(({ text }) => JSON.parse(text ?? ""))).toEqual(entries);
		}),
	);
});

test("any bytes are read to their end, and only whole entries have a text", async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string(), anySizes, async (bytes, text, sizes) => {
			for (const content of [Buffer.from(bytes), Buffer.from(`[{"a":${text}}`), Buffer.from(`[${text}`)])
				for (const piece of await split(content, sizes)) if (piece.fault === null) expect(piece.text).toMatch(/^[{[].*[}\]]$/s);
		}),
	);
});

test("an entry that is too long is named once, and the next one is read", async () => {
	const long = `{"a":"${"x".repeat(100)}"}`;
	for (const size of [1, 7, 50, 1000])
		expect(await split(Buffer.from(`[${long},\n{}]`), [size], { maxBytes: long.length - 1 })).toEqual([
			{ line: 1, text: null, fault: "too-long" },
			{ line: 2, text: "{}", fault: null },
		]);
	expect(await split(Buffer.from(`[${long}]`), [7], { maxBytes: long.length })).toEqual([{ line: 1, text: long, fault: null }]);
});

test("a million open brackets are one entry that does not end", async () => {
	expect(await split(Buffer.alloc(1 << 20, "["), [1 << 16])).toEqual([{ line: 1, text: null, fault: "cut-entry" }]);
});

test("between objects one after another, each other text is one fault, and the last may be cut", async () => {
	expect(await split(Buffer.from('{"a":\n1}} , x "{"\n{"b":2}\ny {"c":'), [3], { entryDepth: 1 })).toEqual([
		{ line: 1, text: '{"a":\n1}', fault: null },
		{ line: 2, text: null, fault: "no-object" },
		{ line: 2, text: null, fault: "no-object" },
		{ line: 3, text: '{"b":2}', fault: null },
		{ line: 4, text: null, fault: "no-object" },
		{ line: 4, text: null, fault: "cut-entry" },
	]);
});
