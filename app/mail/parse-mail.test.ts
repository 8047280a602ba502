import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMail } from "./read-mail.server.ts";

const text = "Il a été l’an dernier à Besançon, « où » : 59 €";
const latin = Buffer.from([...text].map((letter) => byteOf(letter)));

/** The byte of a letter in windows-1252. */
function byteOf(letter: string): number {
	const decoder = new TextDecoder("windows-1252");
	for (let byte = 0; byte < 256; byte++) if (decoder.decode(new Uint8Array([byte])) === letter) return byte;
	throw new Error(`${letter} is not in windows-1252`);
}

const toQuotedPrintable = (bytes: Uint8Array) =>
	[...bytes]
		.map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)
		.join("")
		.replace(/.{72}/g, "$&=\r\n");
const encodings = {
	"8bit": (bytes: Uint8Array) => Buffer.from(bytes),
	"quoted-printable": (bytes: Uint8Array) => Buffer.from(toQuotedPrintable(bytes)),
	base64: (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString("base64")),
};
const compose = (headers: string, body: Uint8Array) =>
	new Uint8Array(Buffer.concat([Buffer.from(`From: ada@exemple.fr\r\n${headers}\r\n`), body, Buffer.from("\r\n")]));

describe("no letter is lost", () => {
	const declared = [
		...["", "Content-Type: text/plain\r\n", "Content-Type: text/plain;\r\n\tcharset=utf-8\r\n"],
		...["", '""', "utf-8", '"UTF-8"', "us-ascii", "iso-8859-1", "windows-1252", "unknown-8bit", "x-unknown", "cp1252"].map(
			(set) => `Content-Type: text/plain; charset=${set}\r\n`,
		),
	];
	for (const [encoding, encode] of Object.entries(encodings))
		test.each(declared)(`of an e-mail in windows-1252 or UTF-8 (${encoding}), declared « %s »`, async (header) => {
			for (const bytes of [latin, Buffer.from(text)]) {
				const raw = compose(`${header}Content-Transfer-Encoding: ${encoding}\r\n`, encode(bytes));
				expect((await readMail(raw)).text).toBe(text);
			}
		});

	test("of pages", async () => {
		for (const bytes of [latin, Buffer.from(text)]) expect((await readMail(compose("Content-Type: text/html\r\n", bytes))).text).toBe(text);
	});

	test("of parts of which some are UTF-8, and some say nothing", async () => {
		const body = [
			Buffer.from("--b\r\n\r\n"),
			latin,
			Buffer.from(`\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n--b--`),
		];
		const read = await readMail(compose("Content-Type: multipart/mixed; boundary=b\r\n", Buffer.concat(body)));
		expect(read.text?.split(/\n+/)).toEqual([text, text]);
	});

	test("of headers in 8 bit, and of encoded words with the wrong character set", async () => {
		const bytes = (line: string) =>
			Buffer.from([...line].map((letter) => (letter.charCodeAt(0) < 128 ? letter.charCodeAt(0) : byteOf(letter))));
		const plain = "From: Jérôme Noël <ada@exemple.fr>\r\nSubject: Où est l’extrait à 59 € ?\r\n\r\nx";
		const words =
			"From: =?utf-8?Q?J=E9r=F4me_No=EBl?= <ada@exemple.fr>\r\nSubject: =?utf-8?Q?O=F9_est_l=92extrait_=E0_59_=80_=3F?=\r\n\r\nx";
		for (const raw of [bytes(plain), Buffer.from(plain), Buffer.from(words)])
			expect(await readMail(new Uint8Array(raw))).toMatchObject({ name: "Jérôme Noël", subject: "Où est l’extrait à 59 € ?" });
	});

	test.each([
		["Subject: été", { subject: "été" }],
		["From: Noël <ada@exemple.fr>", { name: "Noël" }],
		["From: noël@exemple.fr", { from: "noël@exemple.fr" }],
		["Subject: =?iso-8859-1?Q?=C3=A9t=C3=A9?=", { subject: "été" }],
		["From: =?iso-8859-1?Q?No=C3=ABl?= <ada@exemple.fr>", { name: "Noël" }],
	])("of the header « %s »", async (header, read) => {
		const bytes = Buffer.from([...header].map((letter) => byteOf(letter)));
		expect(await readMail(new Uint8Array(Buffer.concat([bytes, Buffer.from("\r\n\r\nx")])))).toMatchObject({ ...read, text: "x" });
		expect(await readMail(new Uint8Array(bytes))).toMatchObject({ ...read, text: "" });
	});

	test("of a page in UTF-8 that is declared otherwise", async () => {
		const read = await readMail(compose("Content-Type: text/html; charset=iso-8859-1\r\n", Buffer.from(`<p>${text}</p>`)));
		expect(read.text).toBe(text);
	});

	test("where a line looks like the mark of a part", async () => {
		const read = await readMail(compose("", Buffer.concat([latin, Buffer.from("\r\n--Ada\r\n\r\nfin")])));
		expect(read.text).toBe(`${text}\n--Ada\n\nfin`);
	});

	test("of a text about letters that were lost", async () => {
		for (const line of ["Le signe « Ã© » est un é", "Ã© 你好 Ã©", "Ã©Ã©Ã©Ã©Ã©Ã©Ã© é"])
			expect((await readMail(compose("Content-Type: text/plain; charset=utf-8\r\n", Buffer.from(line)))).text).toBe(line);
	});

	test.each([
		["gb18030", "xOO6ww==", "你好"],
		["GB2312", "xOO6ww==", "你好"],
		["iso-2022-jp", "GyRCJDMkcyRLJEEkTxsoQg==", "こんにちは"],
		["koi8-r", "8NLJ18XU", "Привет"],
		["iso-8859-15", "NTkgpA==", "59 €"],
		["utf-16le", "6QB0AOkA", "été"],
	])("of the character set %s", async (set, base64, read) => {
		const header = `Content-Type: text/plain; charset=${set}\r\nContent-Transfer-Encoding: base64\r\n`;
		expect((await readMail(compose(header, Buffer.from(base64)))).text).toBe(read);
	});

	test("of capitals before a quotation mark, which look like UTF-8", async () => {
		for (const charset of ["utf-8", "iso-8859-1"]) {
			const line = "Sa « QUALITÉ» est là";
			const bytes = charset === "utf-8" ? Buffer.from(line) : Buffer.from([...line].map((letter) => byteOf(letter)));
			expect((await readMail(compose(`Content-Type: text/plain; charset=${charset}\r\n`, bytes))).text).toBe(line);
		}
	});

	test("of UTF-8 with a byte that is none, whatever is declared", async () => {
		const parts = [Buffer.from(`${text}\r\n${text}\r\n`), Buffer.from("Sa qualité"), Buffer.from([0xff])];
		for (const charset of ["utf-8", "iso-8859-1"]) {
			const read = await readMail(compose(`Content-Type: text/plain; charset=${charset}\r\n`, Buffer.concat(parts)));
			expect(read.text).toBe(`${text}\n${text}\nSa qualitéÿ`);
		}
	});

	test("of a French capital before a quotation mark, and nothing else", async () => {
		for (const line of ["Ma QUALITÉ»", "REÇ»", "« Ë»"])
			expect((await readMail(compose("Content-Type: text/plain; charset=utf-8\r\n", Buffer.from(line)))).text).toBe(line);
	});

	test("of any text of windows-1252, in any form", async () => {
		const letter = fc
			.integer({ min: 0xa1, max: 0xff })
			.map((byte) => String.fromCodePoint(byte))
			.filter((each) => each !== "\u00ad");
		const word = fc
			.array(fc.oneof(letter, fc.constantFrom(..."abc €’œ")), { minLength: 1, maxLength: 20 })
			.map((letters) => `à ${letters.join("").trim()} z`.normalize("NFC").replace(/\s+/g, " "));
		await fc.assert(
			fc.asyncProperty(word, fc.constantFrom(...Object.keys(encodings)), async (line, encoding) => {
				const bytes = Buffer.from([...line].map((each) => byteOf(each)));
				const encode = encodings[encoding as keyof typeof encodings];
				expect((await readMail(compose(`Content-Transfer-Encoding: ${encoding}\r\n`, encode(bytes)))).text).toBe(line);
			}),
		);
	});
});

test.each([
	["multipart/mixed; boundary=ailleurs", "--b\r\n\r\nDécembre\r\n--b--", "--b\n\nDécembre\n--b--"],
	["multipart/mixed", "--b\r\n\r\nDécembre\r\n--b--", "--b\n\nDécembre\n--b--"],
	["multipart/mixed; boundary=b", "Décembre\r\n--b--\r\nFin", "Décembre"],
	["multipart/mixed; boundary=b", "--b--", ""],
	["text", "Décembre", "Décembre"],
	["", "Décembre", "Décembre"],
	["text/enriched", "<bold>Décembre</bold>", "<bold>Décembre</bold>"],
	["multipart/mixed; boundary=b", "--b\r\nContent-Type: text/x-note\r\n\r\nDécembre\r\n--b--", "Décembre"],
	["multipart/mixed; boundary=b", "--b\r\nContent-Type: text/x-note; name=a\r\n\r\nDécembre\r\n--b--", ""],
	["multipart/mixed; boundary=b", "--b\r\nContent-Type: text/x-note\r\nContent-Disposition: attachment\r\n\r\nDécembre\r\n--b--", ""],
	["text/calendar; method=REPLY", "BEGIN:VCALENDAR", ""],
	["application/pdf", "%PDF", ""],
])("an e-mail of the type « %s » with « %s » has the text « %s »", async (type, body, text) => {
	const { text: read, attachments } = await readMail(compose(`Content-Type: ${type}\r\n`, Buffer.from(body)));
	expect(read).toBe(text);
	expect(attachments).toHaveLength(text === "" && body !== "--b--" ? 1 : 0);
});

test("any bytes are an e-mail that can be shown", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.uint8Array({ maxLength: 400 }),
			fc.constantFrom("", "From: a@b.fr\r\n", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"),
			async (bytes, head) => {
				const read = await readMail(new Uint8Array(Buffer.concat([Buffer.from(head), bytes])));
				expect((read.text ?? "").length).toBeLessThanOrEqual(20_000);
				expect(read.subject.length).toBeLessThanOrEqual(400);
			},
		),
	);
});
