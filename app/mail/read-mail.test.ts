import { describe, expect, test } from "vitest";
import { automaticHeaders, personCases } from "../../test/incoming-mails.ts";
import { readMail } from "./read-mail.server.ts";

const encode = (text: string) => new TextEncoder().encode(text.replaceAll("\n", "\r\n"));

const mail = (headers: string, body = "Bonjour,\nmon extrait ?") =>
	encode(`From: "Ada Lovelace" <ada@example.fr>\nTo: contact@boutique.example\n${headers}\n\n${body}\n`);

test("an e-mail gives its sender, its ids and its text", async () => {
	const raw = mail(
		"Subject: =?utf-8?Q?Re=3A_Votre_commande?=\nMessage-ID: <a1@mx.example>\nIn-Reply-To: <b2@boutique.example>\nReferences: <a0@boutique.example>\n <b2@boutique.example>",
	);
	expect(await readMail(raw)).toEqual({
		messageId: "a1@mx.example",
		references: ["a0@boutique.example", "b2@boutique.example", "b2@boutique.example"],
		from: "ada@example.fr",
		name: "Ada Lovelace",
		replyTo: null,
		subject: "Re: Votre commande",
		text: "Bonjour,\nmon extrait ?",
		attachments: [],
		isAutomatic: false,
	});
});

test("HTML alone is read as text, without its scripts and styles", async () => {
	const raw = mail(
		"Content-Type: text/html; charset=utf-8",
		"<html><head><title>x</title><style>p{}</style></head><body><p>Bonjour&nbsp;!</p><script>alert(1)</script><div>1 &lt; 2<br>fin</div></body></html>",
	);
	expect((await readMail(raw))?.text).toBe("Bonjour !\n\n1 < 2\nfin");
});

test("the number of a card is not read", async () => {
	expect((await readMail(mail("Subject: carte", "Ma carte : 4242 4242 4242 4242.")))?.text).toBe("Ma carte : •••• 4242.");
});

test("the text is read where an e-mail has one, and its HTML where the text is blank", async () => {
	const both = (text: string) =>
		readMail(
			mail(
				'Content-Type: multipart/alternative; boundary="b"',
				`--b\nContent-Type: text/plain\n\n${text}\n--b\nContent-Type: text/html\n\n<p>de la page</p>\n--b--`,
			),
		);
	expect([(await both("du texte"))?.text, (await both("  \n "))?.text]).toEqual(["du texte", "de la page"]);
});

test.each([
	["This message is in HTML.", "<p>de la page</p>", "de la page"],
	["This message is in HTML.", "<p></p>", "This message is in HTML."],
	[`Ma page HTML ${"x".repeat(300)}`, "<p>de la page</p>", `Ma page HTML ${"x".repeat(300)}`],
	["Le xhtml", "<p>de la page</p>", "Le xhtml"],
])("beside « %.30s », the HTML « %s » gives « %.30s »", async (text, html, read) => {
	const body = `--b\nContent-Type: text/plain\n\n${text}\n--b\nContent-Type: text/html\n\n${html}\n--b--`;
	expect((await readMail(mail('Content-Type: multipart/alternative; boundary="b"', body))).text).toBe(read);
});

test.each([
	["<a@b.fr>", ["a@b.fr"]],
	["a@b.fr", ["a@b.fr"]],
	["a@b.fr, c@d.fr\n\te@f.fr", ["a@b.fr", "c@d.fr", "e@f.fr"]],
	["<a@b.fr>c@d.fr", ["a@b.fr"]],
	["Votre message du 12", []],
	["a@b@c", []],
])("an e-mail with the References « %s » answers %j", async (field, ids) => {
	expect((await readMail(mail(`References: ${field}`))).references).toEqual(ids);
	expect((await readMail(mail(`Message-ID: ${field}`))).messageId).toBe(ids[0] ?? null);
});

test("an e-mail of headers alone has no id, no subject and no text", async () => {
	expect(await readMail(encode("From: ada@example.fr\n\n"))).toEqual({
		...{ messageId: null, references: [], from: "ada@example.fr", name: "", replyTo: null, subject: "", text: "" },
		...{ attachments: [], isAutomatic: false },
	});
});

test("an e-mail that is forwarded inside another is a part of its text", async () => {
	const inner = "From: Grace <grace@example.fr>\nSubject: Dedans\nContent-Type: text/plain\n\nle texte de Grace";
	const raw = mail(
		'Content-Type: multipart/mixed; boundary="b"',
		`--b\nContent-Type: text/plain\n\nvoir dessous\n--b\nContent-Type: message/rfc822\n\n${inner}\n--b--`,
	);
	const read = await readMail(raw);
	expect(read).toMatchObject({ from: "ada@example.fr", attachments: [] });
	expect(read?.text).toMatch(/voir dessous[\s\S]+le texte de Grace/);
});

test("at most one blank line is left between two others, and no blank at the end", async () => {
	expect((await readMail(mail("Content-Type: text/plain", "a\n\n\n\n\nb\n\nc \u0007")))?.text).toBe("a\n\nb\n\nc");
});

test("control characters and direction overrides are dropped, and long texts cut", async () => {
	const raw = mail("Content-Type: text/plain; charset=utf-8", `a\u202eb\u0007c ${"x".repeat(30_000)}`);
	const text = (await readMail(raw))?.text ?? "";
	expect(text.slice(0, 4)).toBe("abc ");
	expect(text).toHaveLength(20_000);
});

test("unclosed tags give no text, and many of them are read in one pass", async () => {
	expect(await readMail(mail("Content-Type: text/html", "<style".repeat(150_000)))).toMatchObject({ text: "" });
});

/** An e-mail whose parts are inside each other. */
const nested = (headers: string, depth: number) => {
	const open = Array.from({ length: depth }, (_, i) => `--b${i}\nContent-Type: multipart/mixed; boundary="b${i + 1}"\n\n`);
	return encode(`${headers}\nContent-Type: multipart/mixed;\n boundary="b0"\n\n${open.join("")}`);
};

test("of hundreds of nested parts, who wrote is read, and no text", async () => {
	const headers = 'From: "Ada Lovelace" <ada@example.fr>\nSubject: Mon\n extrait\nMessage-ID: <n1@mx.example>';
	expect((await readMail(nested(headers, 200)))?.text).toBe("");
	expect(await readMail(nested(headers, 400))).toEqual({
		...{ messageId: "n1@mx.example", references: [], from: "ada@example.fr", name: "Ada Lovelace", subject: "Mon extrait" },
		...{ replyTo: null, text: null, attachments: [], isAutomatic: false },
	});
	expect(await readMail(nested("Subject: Mon extrait", 400))).toMatchObject({ from: null, subject: "Mon extrait", text: null });
	expect((await readMail(nested(`Auto-Submitted: auto-replied\n${headers}`, 400)))?.isAutomatic).toBe(true);
});

test("headers of megabytes are read as far as they name the sender", async () => {
	const raw = mail(`Subject: Mon extrait\nX-Long: ${"a".repeat(3_000_000)}`);
	expect(await readMail(raw)).toMatchObject({ from: "ada@example.fr", subject: "Mon extrait", text: null });
});

test("the last hundred e-mails that one answers are read", async () => {
	const ids = Array.from({ length: 150 }, (_, i) => `<r${i}@mx.example>`);
	const { references = [] } = (await readMail(mail(`References: ${ids.join("\n ")}`))) ?? {};
	expect([references.length, references[0], references.at(-1)]).toEqual([100, "r50@mx.example", "r149@mx.example"]);
});

test("attachments are named", async () => {
	const raw = encode(`From: ada@example.fr
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain

Voir le fichier.
--b
Content-Type: application/pdf; name="statuts.pdf"
Content-Disposition: attachment; filename="statuts.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQ=
--b--
`);
	expect((await readMail(raw))?.attachments).toEqual([{ name: "statuts.pdf", bytes: 8 }]);
});

test("twenty attachments are named, those without a name by their type", async () => {
	const parts = Array.from({ length: 21 }, (_, i) => {
		const name = i === 0 ? "" : `; filename="${i}.txt"`;
		return `--b\nContent-Type: text/csv\nContent-Disposition: attachment${name}\n\n${"x".repeat(i)}\n`;
	});
	const { attachments = [] } = (await readMail(mail('Content-Type: multipart/mixed; boundary="b"', `${parts.join("")}--b--`))) ?? {};
	expect(attachments.map(({ name }) => name)).toEqual(["text/csv", ...Array.from({ length: 19 }, (_, i) => `${i + 1}.txt`)]);
});

describe("nobody wrote", () => {
	test.each(automaticHeaders)("%s", async (header) => {
		const from = header.startsWith("From:") ? "" : "From: ada@exemple.fr\n";
		expect((await readMail(encode(`${from}${header}\n\nJe suis absente.\n`))).isAutomatic).toBe(true);
		// what a person says of themselves stands above all signs
		const manual = header.startsWith("Auto-Submitted") ? header : `Auto-Submitted: no\n${header}`;
		expect((await readMail(encode(`${from}${manual}\n\nBonjour.\n`))).isAutomatic).toBe(header.startsWith("Auto-Submitted"));
	});

	test.each(personCases)("but not: %s", async (_, raw) => {
		expect((await readMail(encode(raw))).isAutomatic).toBe(false);
	});
});

describe("the sender", () => {
	test.each([
		["From: Ada <ada@exemple.fr>", "ada@exemple.fr"],
		['From: "jean.dupont"@exemple.fr', "jean.dupont@exemple.fr"],
		['From: <"jean dupont"@exemple.fr>', '"jean dupont"@exemple.fr'],
		['From: "jean dupont"@exemple.fr', '"jean dupont"@exemple.fr'],
		['From: <"a\\"b"@exemple.fr>', '"a\\"b"@exemple.fr'],
		["From: jérôme@exemple.fr", "jérôme@exemple.fr"],
		["From: jean.@exemple.fr", "jean.@exemple.fr"],
		["From: jean@[192.0.2.1]", "jean@[192.0.2.1]"],
		["From: <mailto:jean@exemple.fr>", "jean@exemple.fr"],
		["\t\n \nFrom: Ada <ada@exemple.fr>", "ada@exemple.fr"],
		[' \t\nFrom: ""@exemple.fr', null],
		["From: <a\u200bb@exemple.fr>", null],
		["From: < ada@exemple.fr >", "ada@exemple.fr"],
		["From: Ada, Groupe: ada@exemple.fr;", "ada@exemple.fr"],
		["From: Lovelace, Ada <ada@exemple.fr>", "ada@exemple.fr"],
		["From: Dr, Lovelace, Ada <ada@exemple.fr>, b@exemple.fr", "ada@exemple.fr"],
		["From: Groupe: a@exemple.fr, b@exemple.fr;", "a@exemple.fr"],
		["From: a@exemple.fr, b@exemple.fr", "a@exemple.fr"],
		["From: <>\nSender: b@exemple.fr", "b@exemple.fr"],
		["From: Ada\nReply-To: c@exemple.fr", "c@exemple.fr"],
		["Return-Path: <d@exemple.fr>", "d@exemple.fr"],
		["From: undisclosed-recipients:;", null],
		["From: MAILER-DAEMON", null],
		["Subject: x", null],
	])("of « %s » is %s", async (headers, from) => {
		expect((await readMail(encode(`${headers}\n\nBonjour\n`))).from).toBe(from);
	});

	test.each([
		["Lovelace, Ada <ada@exemple.fr>", "Lovelace, Ada"],
		["=?utf-8?Q?No=EBl?=, =?utf-8?Q?J=E9r=F4me?= <ada@exemple.fr>", "Noël, Jérôme"],
		["ada@exemple.fr (Ada)", "Ada"],
		["Ada", "Ada"],
	])("« %s » has the name %s", async (from, name) => {
		expect((await readMail(encode(`From: ${from}\n\nBonjour\n`))).name).toBe(name);
	});

	test.each([
		["Reply-To: Ada <autre@exemple.fr>", "autre@exemple.fr"],
		["Reply-To: ada@example.fr, autre@exemple.fr", "autre@exemple.fr"],
		["Reply-To: ADA@example.fr", null],
		["Reply-To: ne-pas-repondre@exemple.fr", null],
		["Reply-To: ne-pas-repondre@exemple.fr, autre@exemple.fr", "autre@exemple.fr"],
		["Reply-To: <>", null],
		["Reply-To: personne", null],
	])("may ask for the answer elsewhere: %s", async (header, replyTo) => {
		expect((await readMail(mail(header))).replyTo).toBe(replyTo);
	});
});
