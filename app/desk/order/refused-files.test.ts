import { connect } from "node:net";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { extractLines, generatePdf, generateScan, illegibleLine, stream } from "../../../test/fixtures/pdf.ts";
import { fourColours, generateJpeg } from "../../../test/fixtures/photo.ts";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createServing, plain } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { formatDay } from "../../catalogue/instants.ts";
import { listDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";
import { inspectPdf } from "../../fulfilment/extracts/inspect-pdf.server.ts";
import type { ExtractFacts } from "../../fulfilment/extracts/judge-extract.ts";
import { convertPhoto } from "../../fulfilment/extracts/photos/photo-to-pdf.server.ts";
import { replaceExtract } from "../../fulfilment/replace-extract.server.ts";
import { uploadExtract } from "../../fulfilment/upload-extract.server.ts";

// Each file that an order refuses, over HTTP as a browser without scripts sends it. serving.test.ts has an example of each kind.

let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
let copies = 0;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	serving = await createServing(shop);
});
afterAll(() => shop?.close());

const newOrder: typeof serving.newOrder = (...how) => serving.newOrder(...how);
const drop: typeof serving.drop = (...dropped) => serving.drop(...dropped);
const act: typeof serving.act = (...asked) => serving.act(...asked);
const findDraftId: typeof serving.findDraftId = (orderId) => serving.findDraftId(orderId);

// R206
describe("by e-mail leaves the file of the greffe, or nothing", () => {
	/** A different one each time: a photo that was delivered is refused. */
	const makePhoto = () => generateJpeg({ squares: Array(++copies).fill(fourColours[0]) });
	const makePdf = async () => {
		const made = await convertPhoto(makePhoto());
		return made.ok ? made.pdf : expect.fail("no PDF was made");
	};
	const makeLines = () => [...extractLines({ dated: `à jour au ${formatDay(shop.shop.now())}` }), String(++copies)];
	const makeScan = () => generateScan(makeLines());
	const sentences = {
		photo:
			"Cette commande part par e-mail : le client reçoit le fichier du greffe, pas une photo. Téléchargez le PDF auprès du greffe, puis déposez-le.",
		scan: "Ce PDF est une image numérisée. Cette commande part par e-mail : le client reçoit le fichier du greffe, pas une image. Téléchargez le PDF auprès du greffe, puis déposez-le.",
	};
	const pictures: [string, () => Uint8Array | Promise<Uint8Array>, keyof typeof sentences][] = [
		["a photo", makePhoto, "photo"],
		["the PDF that the shop makes of one", makePdf, "photo"],
		["a scan", () => generateScan(), "scan"],
		["a scan with text that was recognised", makeScan, "scan"],
	];
	const makeIllegible = () => generatePdf({ lines: [illegibleLine, String(++copies)] });
	const upload = (orderId: string, bytes: Uint8Array) => {
		const confirmed = { unreadable: true, old: true, issuedAt: shop.shop.now() };
		return uploadExtract({ ...shop.shop, inspectPdf }, { orderId, bytes, confirmed, by: "Ada" });
	};

	test.each(["express", "standard"] as const)("%s: the desk and the terminal refuse pictures, and take illegible text", async (service) => {
		const order = await newOrder(service);
		for (const [what, make, code] of pictures) {
			const dropped = await drop(order.number, await make());
			expect([dropped.status, plain(await dropped.text())], what).toEqual([200, expect.stringContaining(sentences[code])]);
			expect(await listDrafts(shop.shop.db, order.id), what).toEqual([]);
			expect(await upload(order.id, await make()), what).toEqual({ ok: false, code, confirm: null });
		}
		expect((await drop(order.number, makeIllegible())).status).toBe(302);
		expect(await upload(order.id, makeIllegible())).toMatchObject({ ok: true, warnings: ["unreadable", "date-given"] });
	});

	test("a letter: the desk takes pictures, and the terminal those that are PDFs", async () => {
		const order = await newOrder("postal");
		for (const [what, make] of pictures) expect((await drop(order.number, await make())).status, what).toBe(302);
		expect(await upload(order.id, makePhoto())).toMatchObject({ ok: false, code: "picture" });
		expect(await upload(order.id, makeScan())).toMatchObject({ ok: true });
	});

	test.each<[string, Partial<ExtractFacts>, keyof typeof sentences]>([
		["photo", { isScan: true, isPhoto: true }, "photo"],
		["photo without a mark of scans", { isPhoto: true }, "photo"],
		["scan", { isScan: true }, "scan"],
	])("a %s that was dropped before is not delivered, and its page says why", async (_what, marks, code) => {
		const order = await newOrder();
		await drop(order.number, serving.newExtract());
		const draft = await findDraftId(order.id);
		const facts = { problem: null, readable: false, siren: null, sirens: [], issueDate: null, pages: 1, ...marks };
		await shop.shop.db
			.updateTable("extract_drafts")
			.set({ facts: anyJson(facts) })
			.where("id", "=", draft)
			.execute();
		expect(plain(await serving.readPage(order.number))).toContain(sentences[code]);
		const asked = await act("deliver", order.id, { draft, "confirm-scan": "on", date: formatDay(shop.shop.now()) });
		expect(plain(asked?.text ?? "")).toContain(sentences[code]);
	});

	test.each([
		["a photo", makePhoto, sentences.photo],
		["a scan", makeScan, sentences.scan],
	])("%s does not move from a letter to an order by e-mail", async (_what, make, sentence) => {
		const [letter, order] = [await newOrder("postal"), await newOrder()];
		await drop(letter.number, make());
		const moved = await act("move-draft", letter.id, { draft: await findDraftId(letter.id), to: order.id });
		expect(plain(moved?.text ?? "")).toContain(sentence);
		expect(await findDraftId(letter.id)).not.toBe("");
	});

	test("a scan replaces no extract that was sent", async () => {
		const order = await newOrder();
		expect(await upload(order.id, serving.newExtract())).toMatchObject({ ok: true });
		await shop.untilOrderIs("completed", order.id);
		const replaced = await replaceExtract({ ...shop.shop, inspectPdf }, { orderId: order.id, bytes: makeScan(), because: "illisible" });
		expect(replaced).toEqual({ ok: false, code: "scan", confirm: null });
	});

	test("a scan among several files goes to a letter of its company, not to a more pressing order by e-mail", async () => {
		const companies = await knownCompanies(shop.connection);
		const { siren, name: companyName } = companies.find((company) => company.siren !== "552032534") ?? expect.fail();
		const [order, letter] = [
			await newOrder("express", { order: { siren, companyName } }),
			await newOrder("postal", { order: { siren, companyName } }),
		];
		const make = () => generateScan(extractLines({ siren, dated: `à jour au ${formatDay(shop.shop.now())}` }));
		const send = async () => plain(await (await serving.upload("/bureau/fichiers", [{ name: "scan.pdf", bytes: make() }])).text());
		expect(await send()).toContain(letter.number);
		expect([await listDrafts(shop.shop.db, letter.id), await listDrafts(shop.shop.db, order.id)]).toEqual([[expect.anything()], []]);
		expect(await send()).toContain(sentences.scan);
		expect(await listDrafts(shop.shop.db, order.id)).toEqual([]);
	});
});

/** A few kilobytes that become 130 MB. */
const inflating = { dictionary: "/Filter /FlateDecode", bytes: deflateSync(Buffer.alloc(130 * 2 ** 20), { level: 9 }) };

describe("files that are no extract", () => {
	test.each<[string, Uint8Array, string]>([
		["a photo in another format", new Uint8Array(Buffer.from("\0\0\0\x24ftypheic\0\0\0\0", "latin1")), "Enregistrez-la en JPEG"],
		["a text", new TextEncoder().encode("bonjour"), "n’est ni un PDF ni une photo"],
		["an empty file", new Uint8Array(0), "Ce fichier est vide."],
		["400 pages", generatePdf({ pages: 400 }), "plus de 50 pages"],
		["a file with a password", generatePdf({ trailer: "/Encrypt 9 0 R" }), "protégé"],
		["a page that expands", generatePdf({ content: inflating }), "se décompresse"],
		[
			"objects that expand",
			generatePdf({ objects: [stream(`/Type /ObjStm /N 1 /First 5 ${inflating.dictionary}`, inflating.bytes)] }),
			"se décompresse",
		],
		["a script", generatePdf({ objects: ["<< /S /JavaScript /JS (1) >>"] }), "contient du JavaScript"],
	])("%s gets its sentence", async (_, bytes, sentence) => {
		const order = await newOrder();
		const answer = await drop(order.number, bytes);
		expect(answer.status).toBe(200);
		expect(plain(await answer.text())).toContain(sentence);
		expect(await listDrafts(shop.shop.db, order.id)).toEqual([]);
	});

	test("200 MB is refused before it is read, and the browser reads the sentence", async () => {
		const order = await newOrder();
		const cookies = [...serving.operator.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const { port } = new URL(shop.url);
		const answer = await new Promise<string>((resolve, reject) => {
			const socket = connect(Number(port), "127.0.0.1");
			let text = "";
			socket.on("data", (data) => {
				text += data;
				if (text.includes("</html>")) socket.end();
			});
			socket.on("close", () => resolve(text));
			socket.on("error", reject);
			const head = `POST /bureau/commandes/${order.number}/extrait HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookies}\r\n`;
			socket.write(`${head}content-type: multipart/form-data; boundary=x\r\ncontent-length: ${200 * 2 ** 20}\r\nconnection: close\r\n\r\n`);
			const megabyte = Buffer.alloc(2 ** 20);
			let sent = 0;
			const send = () => {
				while (sent++ < 200) if (!socket.write(megabyte)) return void socket.once("drain", send);
			};
			send();
		});
		expect(answer).toMatch(/^HTTP\/1\.1 413 /);
		expect(answer).toContain("trop volumineux");
	});

	test("a body of two megabytes is accepted on the routes for files only", async () => {
		const large = { name: "x.pdf", bytes: new Uint8Array(2 * 2 ** 20) };
		const order = await newOrder();
		expect((await serving.upload(`/bureau/commandes/${order.number}/extrait`, [large])).status).toBe(200);
		expect((await serving.upload("/bureau/commandes", [large])).status).toBe(413);
		expect((await serving.upload("/contact", [large])).status).toBe(413);
	});
});
