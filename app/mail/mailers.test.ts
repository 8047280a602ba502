import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import nodemailer from "nodemailer";
import PostalMime from "postal-mime";
import { afterEach, expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { senderNames } from "../../test/sender-names.ts";
import { isEmail, toAsciiEmail } from "./email-address.ts";
import { isRecipientRefused } from "./is-recipient-refused.ts";
import type { OutgoingMail } from "./mailer.ts";
import { folderMailer, smtpMailer } from "./mailers.server.ts";
import { readDemoMails } from "./read-demo-mails.server.ts";
import { renderEmail } from "./render-email.tsx";

const parsed = parseEnvironment({});
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { shop } = parsed.environment;

const closing: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

const from = { name: "Extraits du Marché, père & fils", address: "bonjour@marche.example" };
const pdf = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7919) % 256);
const mail: OutgoingMail = {
	id: "5f0c6a52-5a0e-4f3a-9a52-0c6f1f5a0e4f",
	to: "ada@example.fr",
	subject: "Commande KB-7F3K-92QD confirmée : « à bientôt »",
	text: "Bonjour Zoë,\n\nVotre commande est confirmée.\n",
	html: "<p>Bonjour Zoë,</p><p>Votre commande est confirmée.</p>",
};

type SmtpOptions = Parameters<typeof startFakeSmtp>[0];

async function post(options: SmtpOptions = {}, limits: Parameters<typeof smtpMailer>[2] = {}) {
	const server = await startFakeSmtp(options);
	closing.push(server.close);
	const mailer = smtpMailer(server.url, from, limits);
	closing.push(() => mailer.close());
	return { ...server, mailer };
}

const header = (content: { headers: { key: string; value: string }[] }, name: string) =>
	content.headers.find(({ key }) => key === name)?.value;

test("an e-mail arrives with its accents, its two parts and its files unchanged", async () => {
	const { mailer, mails } = await post();
	const attachments = [
		{ fileName: "Facture n° F2026-000001.pdf", contentType: "application/pdf", content: pdf },
		{ fileName: "Avoir d’été.pdf", contentType: "application/pdf", content: pdf.slice(1) },
	];
	expect(await mailer.send({ ...mail, attachments })).toEqual({ ok: true });
	const [{ content, to, from: envelopeFrom } = expect.fail("nothing came")] = mails;
	expect(to).toEqual(["ada@example.fr"]);
	expect(envelopeFrom).toBe("bonjour@marche.example");
	expect(content.from).toMatchObject({ name: "Extraits du Marché, père & fils", address: "bonjour@marche.example" });
	expect(content.subject).toBe(mail.subject);
	expect(content.text?.trim()).toBe(mail.text.trim());
	expect(content.html?.trim()).toBe(mail.html);
	expect(content.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual(
		attachments.map(({ fileName, contentType }) => [fileName, contentType]),
	);
	for (const [i, { content: sent }] of attachments.entries())
		expect(Buffer.from(content.attachments[i]?.content as ArrayBuffer).equals(sent)).toBe(true);
});

test("the pictures at the head of an e-mail lie beside its HTML, small, and its files follow as before", async () => {
	const server = await post();
	const { html, text, subject } = renderEmail({ subject: "Prêt", preheader: "", title: "Prêt", blocks: [] }, shop);
	const attachments = [{ fileName: "Facture.pdf", contentType: "application/pdf", content: pdf }];
	expect(await server.mailer.send({ ...mail, html, text, subject, attachments })).toEqual({ ok: true });
	const raw = server.mails[0]?.raw ?? expect.fail("nothing came");
	const { attachments: parts, html: arrived } = await PostalMime.parse(raw);
	const [pictures, files] = [parts.filter(({ related }) => related), parts.filter(({ related }) => !related)];
	expect(files.map(({ filename, disposition }) => [filename, disposition])).toEqual([["Facture.pdf", "attachment"]]);
	expect(pictures.map(({ mimeType, disposition, contentId }) => [mimeType, disposition, contentId])).toEqual([
		["image/png", "inline", "<guilloche@letterhead>"],
		["image/png", "inline", "<mark@letterhead>"],
	]);
	for (const { contentId = "" } of pictures) expect(arrived).toContain(`src="cid:${contentId.slice(1, -1)}"`);
	const sizes = pictures.map(({ content }) => (content as ArrayBuffer).byteLength);
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3000);
	for (const { content } of pictures)
		expect(
			Buffer.from(content as ArrayBuffer)
				.subarray(1, 4)
				.toString(),
		).toBe("PNG");
});

test.each(senderNames)("the sender keeps its name: %s", async (name) => {
	const server = await startFakeSmtp();
	closing.push(server.close);
	const mailer = smtpMailer(server.url, { ...from, name });
	closing.push(() => mailer.close());
	expect(await mailer.send(mail)).toEqual({ ok: true });
	expect(server.mails[0]).toMatchObject({ from: from.address, content: { from: { name, address: from.address } } });
	const folder = mkdtempSync(join(tmpdir(), "sender-"));
	closing.push(() => rmSync(folder, { recursive: true }));
	await folderMailer(folder, { ...from, name }).send(mail);
	const stored = await PostalMime.parse(readFileSync(join(folder, `${mail.id}.eml`)));
	expect(stored.from).toMatchObject({ name, address: from.address });
});

test("an e-mail sent twice has one Message-ID, and a header that suppresses absence notices; one connection stays open", async () => {
	const { mailer, mails, countConnections } = await post();
	await mailer.send(mail);
	await mailer.send(mail);
	expect(mails.map(({ content }) => content.messageId)).toEqual(Array(2).fill(`<${mail.id}@marche.example>`));
	expect(header(mails[0]?.content ?? expect.fail(), "auto-submitted")).toBe("auto-generated");
	expect(header(mails[0]?.content ?? expect.fail(), "list-unsubscribe")).toBeUndefined();
	expect(countConnections()).toBe(1);
});

test("a newsletter has a one-click unsubscription, and replies go to the given address", async () => {
	const { mailer, mails } = await post();
	const unsubscribeUrl = `https://marche.example/desinscription/${"x".repeat(120)}`;
	await mailer.send({ ...mail, unsubscribeUrl, replyTo: "grace@example.fr" });
	const { content } = mails[0] ?? expect.fail("nothing came");
	expect(header(content, "list-unsubscribe")).toBe(`<${unsubscribeUrl}>`);
	expect(header(content, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
	expect(content.replyTo).toMatchObject([{ address: "grace@example.fr" }]);
});

test("an answer names the e-mails before it, ours by their id, and follows the last; a person's may be answered by an absence notice", async () => {
	const { mailer, mails } = await post();
	await mailer.send({ ...mail, isPersonal: true, references: ["first@mail.example", "second", "third@mail.example"] });
	await mailer.send({ ...mail, references: ["alone"] });
	await mailer.send(mail);
	const [answer, follower, first] = mails.map(({ content }) => content);
	expect([answer?.references, answer?.inReplyTo]).toEqual([
		"<first@mail.example> <second@marche.example> <third@mail.example>",
		"<third@mail.example>",
	]);
	expect([follower?.references, follower?.inReplyTo]).toEqual(["<alone@marche.example>", "<alone@marche.example>"]);
	const submitted = [answer, follower].map((content) => header(content ?? expect.fail(), "auto-submitted"));
	expect(submitted).toEqual([undefined, "auto-generated"]);
	for (const name of ["references", "in-reply-to", "reply-to"]) expect(header(first ?? expect.fail(), name)).toBeUndefined();
});

test("an address with a comma is one address, and a subject with a line break one subject", async () => {
	const { mailer, mails } = await post();
	await mailer.send({ ...mail, to: "ada,grace@example.fr", subject: "Bonjour\r\nBcc: eve@example.fr" });
	expect(mails.map(({ to }) => to)).toEqual([['"ada,grace"@example.fr']]);
	expect(mails[0]?.content.bcc).toBeUndefined();
});

test("each accepted address leaves in ASCII, in the envelope and in the header", async () => {
	const { mailer, mails } = await post();
	await fc.assert(
		fc.asyncProperty(
			fc.oneof(
				fc.emailAddress(),
				fc.emailAddress().map((email) => email.replace("@", "@société.")),
			),
			async (to) => {
				fc.pre(isEmail(to));
				expect(await mailer.send({ ...mail, to, replyTo: to })).toEqual({ ok: true });
				const [{ to: recipients, raw } = expect.fail("nothing came")] = mails.splice(0);
				// this server writes domains in the letters of their readers
				expect(recipients.map(toAsciiEmail)).toEqual([toAsciiEmail(to)]);
				const { envelope } = await nodemailer
					.createTransport({ streamTransport: true })
					.sendMail({ from, to: { name: "", address: to }, text: "" });
				expect(envelope.to).toEqual([toAsciiEmail(to)]);
				const [headers = ""] = raw.toString("latin1").split("\r\n\r\n");
				expect(headers).toMatch(/^[\t\r\n -~]*$/);
				expect(headers.replace(/\s/g, "")).toContain(`Reply-To:${toAsciiEmail(to)}Subject:`);
			},
		),
		{ numRuns: 50 },
	);
});

test("an old address with accents is refused before any server sees it; as a reply address it is left out", async () => {
	const { mailer, mails, countConnections } = await post();
	const refused = await mailer.send({ ...mail, to: "jérôme@exemple.fr" });
	expect(refused).toEqual({ ok: false, code: "refused", reply: expect.stringContaining("SMTPUTF8") });
	expect([countConnections(), isRecipientRefused(refused.ok ? "" : refused.reply)]).toEqual([0, true]);
	const folder = mkdtempSync(join(tmpdir(), "accents-"));
	closing.push(() => rmSync(folder, { recursive: true }));
	expect(await folderMailer(folder, from).send({ ...mail, to: "jérôme@exemple.fr" })).toEqual(refused);
	expect(readdirSync(folder)).toEqual([]);
	await mailer.send({ ...mail, replyTo: "jérôme@exemple.fr" });
	expect(header(mails[0]?.content ?? expect.fail(), "reply-to")).toBeUndefined();
});

test("sending throws while the server is down, and passes when it is back", async () => {
	const { mailer, mails, controls } = await post();
	await mailer.send(mail);
	await controls.down();
	await expect(mailer.send({ ...mail, subject: "pendant" })).rejects.toThrow();
	expect(await mailer.ready()).toBe(false);
	await controls.up();
	expect(await mailer.send({ ...mail, subject: "après" })).toEqual({ ok: true });
	expect(mails.map(({ content }) => content.subject)).toEqual([mail.subject, "après"]);
});

test("a greylisted e-mail throws, and passes the next time", async () => {
	const { mailer, mails, controls } = await post();
	controls.greylist();
	await expect(mailer.send(mail)).rejects.toThrow(/450/);
	expect(await mailer.send(mail)).toEqual({ ok: true });
	expect(mails).toHaveLength(1);
});

test("an unknown recipient is a refusal, whose reply omits the address", async () => {
	const { mailer, mails, controls } = await post();
	controls.reject(mail.to, `550 5.1.1 <${mail.to}>: no such user`);
	expect(await mailer.send(mail)).toEqual({ ok: false, code: "refused", reply: expect.stringMatching(/^550 5\.1\.1 <…@…>: no such user/) });
	expect(await mailer.send({ ...mail, to: "grace@example.fr" })).toEqual({ ok: true });
	expect(mails).toHaveLength(1);
});

test.each([550, 551, 552, 553, 554, 500])("a reply %i to the recipient is a refusal", async (code) => {
	const { mailer, controls } = await post();
	controls.reject(mail.to, `${code} no, not for eve@example.fr`);
	expect(await mailer.send(mail)).toEqual({
		ok: false,
		code: "refused",
		reply: expect.stringMatching(new RegExp(`^${code} no, not for …@…`)),
	});
});

// a sequence error, a login that the server wants or refuses (RFC 5321, RFC 4954); the rest is put off
test.each([503, 530, 534, 535, 538, 421, 450, 499])("a reply %i is about the sender or temporary, and throws", async (code) => {
	const { mailer, controls } = await post();
	controls.reject(mail.to, `${code} not so`);
	await expect(mailer.send(mail)).rejects.toThrow(String(code));
});

test("a message refused after its data is a refusal, one deferred is not", async () => {
	const { mailer, controls } = await post();
	controls.refuseData("552 5.3.4 Message too big for ada@example.fr");
	expect(await mailer.send(mail)).toEqual({
		ok: false,
		code: "refused",
		reply: expect.stringMatching(/^552 5\.3\.4 Message too big for …@…/),
	});
	controls.refuseData("452 4.3.1 Mailbox full");
	await expect(mailer.send(mail)).rejects.toThrow(/452/);
	controls.refuseData();
	expect(await mailer.send(mail)).toEqual({ ok: true });
});

test("an address that nodemailer refuses before any connection is a refusal", async () => {
	const { mailer, mails } = await post();
	expect(await mailer.send({ ...mail, to: "" })).toMatchObject({ ok: false });
	expect(mails).toEqual([]);
});

test("a refusal leaves out an address with any characters", async () => {
	const to = "a!da=x@example.fr";
	const { mailer, controls } = await post();
	controls.reject(to, `550 <${to}> is not here`);
	expect(await mailer.send({ ...mail, to })).toEqual({
		ok: false,
		code: "refused",
		reply: expect.stringMatching(/^550 <…@…> is not here/),
	});
});

test("a server that answers a recipient without a code throws", async () => {
	const server = createServer((socket) => {
		socket.on("error", () => {});
		socket.write("220 here\r\n");
		socket.on("data", (line) => socket.write(line.toString().startsWith("RCPT") ? "what recipient?\r\n" : "250 fine\r\n"));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	closing.push(() => server.close());
	const mailer = smtpMailer(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, from);
	closing.push(() => mailer.close());
	await expect(mailer.send(mail)).rejects.toThrow("what recipient?");
});

test("a silent server throws, and is not ready", async () => {
	const { mailer, controls } = await post({}, { greetingTimeout: 200 });
	controls.silence();
	await expect(mailer.send(mail)).rejects.toThrow(/greeting/i);
	expect(await mailer.ready()).toBe(false);
});

test("TLS with the right password passes; a wrong one throws, because it is not the fault of the e-mail", async () => {
	const login = { user: "boutique", password: "mot de passe : é@/" };
	const { mailer, mails, url } = await post({ secure: true, login });
	expect(await mailer.ready()).toBe(true);
	expect(await mailer.send(mail)).toEqual({ ok: true });
	expect(mails).toHaveLength(1);
	const stranger = smtpMailer(url.replace("boutique", "personne"), from);
	closing.push(() => stranger.close());
	await expect(stranger.send(mail)).rejects.toThrow(/535/);
	expect(await stranger.ready()).toBe(false);
	const distrustful = smtpMailer(url.replace(/\?.*/, ""), from);
	closing.push(() => distrustful.close());
	await expect(distrustful.send(mail)).rejects.toThrow(/certificate/i);
	expect(mails).toHaveLength(1);
});

test("a URL with requireTLS=true sends nothing in clear text, nor to an untrusted certificate", async () => {
	const { mails, url } = await post();
	const strict = smtpMailer(`${url}?requireTLS=true`, from);
	closing.push(() => strict.close());
	await expect(strict.send(mail)).rejects.toThrow(/certificate/i);
	expect(await strict.ready()).toBe(false);
	expect(mails).toEqual([]);
});

test("a server that requires a missing login throws", async () => {
	const { url } = await post({ login: { user: "boutique", password: "secret" } });
	const anonymous = smtpMailer(url.replace(/\/\/.*@/, "//"), from);
	closing.push(() => anonymous.close());
	await expect(anonymous.send(mail)).rejects.toThrow(/530/);
});

test("the demo's mail folder has one file per e-mail, also when it is sent twice", async () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-mails-"));
	closing.push(() => rmSync(folder, { recursive: true }));
	const mailer = folderMailer(join(folder, "mails"), from);
	const attachments = [{ fileName: "Facture.pdf", contentType: "application/pdf", content: pdf }];
	await mailer.send({ ...mail, attachments });
	expect(await mailer.send({ ...mail, attachments })).toEqual({ ok: true });
	expect(readdirSync(join(folder, "mails"))).toEqual([`${mail.id}.eml`]);
	// what customers are written is for nobody else on the machine
	const modes = [statSync(join(folder, "mails")), statSync(join(folder, "mails", `${mail.id}.eml`))].map(({ mode }) => mode & 0o777);
	expect(modes).toEqual([0o700, 0o600]);
	const content = await PostalMime.parse(readFileSync(join(folder, "mails", `${mail.id}.eml`)));
	expect(content.subject).toBe(mail.subject);
	expect(Buffer.from(content.attachments[0]?.content as ArrayBuffer).equals(pdf)).toBe(true);
	const other = join(folder, "var", "mails");
	expect(await folderMailer(other, from).ready()).toBe(true);
	expect(statSync(other).mode & 0o777).toBe(0o700);
});

test("a file of the mail folder without a header is an e-mail to nobody", async () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-mails-"));
	closing.push(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, "empty.eml"), "");
	expect(await readDemoMails(folder, 1)).toMatchObject([{ id: "empty", to: "", subject: "", text: "" }]);
});

test("the mail folder lists the given number of newest e-mails, and no other file", async () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-mails-"));
	closing.push(() => rmSync(folder, { recursive: true }));
	const mailer = folderMailer(folder, from);
	for (const [index, id] of ["second", "first", "third"].entries()) {
		await mailer.send({ ...mail, id, to: `${id}@example.fr` });
		const seconds = [2000, 1000, 3000][index] ?? 0;
		utimesSync(join(folder, `${id}.eml`), seconds, seconds);
	}
	writeFileSync(join(folder, "half.eml.new"), "Subject: half");
	const shown = await readDemoMails(folder, 2);
	expect(shown).toMatchObject([
		{ id: "third", to: "third@example.fr", subject: mail.subject, sentAt: new Date(3_000_000) },
		{ id: "second", to: "second@example.fr", sentAt: new Date(2_000_000) },
	]);
	expect(shown[0]?.text).toContain("Votre commande est confirmée.");
	expect(await readDemoMails(folder, 10)).toHaveLength(3);
	expect(await readDemoMails(join(folder, "nowhere"), 10)).toEqual([]);
});

test("a mail folder that is no directory is not ready", async () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-mails-"));
	closing.push(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, "mails"), "a file");
	expect(await folderMailer(join(folder, "mails"), from).ready()).toBe(false);
});

test("the SMTP server is asked each time; the result may be reused for five seconds", async () => {
	const { mailer, controls } = await post();
	expect(await mailer.ready()).toBe(true);
	await controls.down();
	expect(await mailer.ready()).toBe(false);
	expect(mailer.readyTtlMs).toBe(5000);
});
