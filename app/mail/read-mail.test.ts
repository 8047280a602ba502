import { describe, expect, test } from "vitest";
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
		...{ text: null, attachments: [], isAutomatic: false },
	});
	expect(await readMail(nested("Subject: Mon extrait", 400))).toBeNull();
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

describe("nobody wrote", () => {
	test.each(["Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <x.example>"])("%s", async (header) => {
		expect((await readMail(mail(header)))?.isAutomatic).toBe(true);
	});
	test("an e-mail without a sender", async () => {
		expect(await readMail(encode("Subject: x\n\nbonjour"))).toBe(null);
		expect(await readMail(encode("From: MAILER-DAEMON\n\nbonjour"))).toBe(null);
	});
});
