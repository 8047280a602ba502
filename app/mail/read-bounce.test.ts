import { describe, expect, test } from "vitest";
import { readBounce } from "./read-bounce.server.ts";

/** A report as mail servers send them (RFC 3464): what they say of each recipient, and of the mail that came back. */
function report(
	recipients: string[],
	{ type = "delivery-status", original = "", originalType = "text/rfc822-headers", encoding = "7bit" } = {},
) {
	const encode = (part: string) => (encoding === "base64" ? Buffer.from(part.replaceAll("\n", "\r\n")).toString("base64") : part);
	return new TextEncoder().encode(
		`From: MAILER-DAEMON@mx.example
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=us-ascii

Action: failed
Message-ID: <of-the-words@mx.example>

--b1
Content-Type: message/${type}
Content-Transfer-Encoding: ${encoding}

${encode(`Reporting-MTA: dns; mx.example\n\n${recipients.join("\n\n")}`)}

--b1
Content-Type: ${originalType}
Content-Transfer-Encoding: ${encoding}

${encode(original || "From: contact@boutique.example\nMessage-ID: <mail-1@boutique.example>\nSubject: Votre extrait")}

--b1--
`.replaceAll("\n", "\r\n"),
	);
}
const failed = (more = "") => `Final-Recipient: rfc822; ada@example.fr\nAction: failed\nStatus: 5.1.1${more}`;

test("a diagnosis of a megabyte is read as far as it is stored", async () => {
	const long = "x".repeat(1_000_000);
	for (const [diagnosis, reason] of [
		[long, "…"],
		[`550 <ada@example.fr> ${long}`, "550 <…@…> …"],
		[`550 ${"<ada@example.fr> ".repeat(60_000)}`, expect.stringMatching(/^550 (<…@…> )+<?…?/)],
	] as const)
		expect(await readBounce(report([failed(`\nDiagnostic-Code: smtp; ${diagnosis}`)]))).toEqual({
			...{ ok: true, messageId: "mail-1@boutique.example" },
			reason,
		});
});

test("a recipient after the first 65,536 bytes is not read", async () => {
	const delivered = `Action: delivered\nX-Long: ${"x".repeat(66_000)}`;
	expect(await readBounce(report([delivered, failed()]))).toEqual({ ok: false, code: "not-failed" });
	expect(await readBounce(report([delivered.slice(0, 60_000), failed()]))).toMatchObject({ ok: true, reason: "5.1.1" });
});

test("hundreds of nested parts are no report", async () => {
	const open = Array.from({ length: 400 }, (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary="b${i + 1}"\r\n\r\n`);
	const raw = `From: MAILER-DAEMON@mx.example\r\nContent-Type: multipart/report; boundary="b0"\r\n\r\n${open.join("")}`;
	expect(await readBounce(new TextEncoder().encode(raw))).toEqual({ ok: false, code: "not-a-report" });
});

test("a report gives the bounced e-mail and the server's reason, without addresses", async () => {
	expect(
		await readBounce(report([failed("\nDiagnostic-Code: smtp; 550 5.1.1 <ada@example.fr>:\n    Recipient address rejected")])),
	).toEqual({
		...{ ok: true, messageId: "mail-1@boutique.example" },
		reason: "550 5.1.1 <…@…>: Recipient address rejected",
	});
});

test("a report without a reason gives its status", async () => {
	expect(await readBounce(report([failed()]))).toMatchObject({ reason: "5.1.1" });
	expect(await readBounce(report(["Action: failed"]))).toMatchObject({ ok: true, reason: "" });
});

test.each(["delayed", "relayed", "delivered", "expanded"])("a report with the action « %s » is no failure", async (action) => {
	expect(await readBounce(report([failed().replace("failed", action)]))).toEqual({ ok: false, code: "not-failed" });
});

test("the failed one among several recipients counts, in any case of letters", async () => {
	const delivered = "Action: delivered\nStatus: 2.0.0\nDiagnostic-Code: smtp; 250 fine";
	const refused = "Action: FAILED\nStatus: 5.2.2\nDiagnostic-Code: SMTP ; 552 full";
	expect(await readBounce(report([delivered, refused]))).toMatchObject({ ok: true, reason: "552 full" });
});

test.each(["global-delivery-status", "delivery-status"])("a report of the type message/%s", async (type) => {
	expect(await readBounce(report([failed()], { type }))).toMatchObject({ ok: true, messageId: "mail-1@boutique.example" });
});

describe("the bounced e-mail", () => {
	const whole = "Message-ID:\n <mail-2@boutique.example>\nSubject: Votre extrait\n\nMessage-ID: <mail-3@boutique.example>";

	test.each(["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"])("as %s", async (originalType) => {
		for (const type of ["delivery-status", "global-delivery-status"])
			expect(await readBounce(report([failed()], { type, original: whole, originalType }))).toMatchObject({
				messageId: "mail-2@boutique.example",
			});
	});

	test("in a report whose parts are encoded", async () => {
		const diagnosis = failed("\nDiagnostic-Code: smtp; 550 no\n\tsuch user");
		expect(await readBounce(report([diagnosis], { original: whole, encoding: "base64" }))).toEqual({
			...{ ok: true, messageId: "mail-2@boutique.example" },
			reason: "550 no such user",
		});
	});

	test("that a report does not quote is unknown", async () => {
		expect(await readBounce(report([failed()], { originalType: "text/plain" }))).toEqual({ ok: false, code: "no-message" });
	});

	test("is identified by its headers, not by its text", async () => {
		const unnamed = "Subject: Votre extrait\n\nMessage-ID: <mail-3@boutique.example>";
		for (const original of [unnamed, "Message-ID: none", "X-Message-ID: <mail-4@boutique.example>"])
			for (const encoding of ["7bit", "base64"])
				expect(await readBounce(report([failed()], { original, originalType: "message/rfc822", encoding })), original).toEqual({
					ok: false,
					code: "no-message",
				});
	});
});

test("another message is not read as a report", async () => {
	for (const text of ["Subject: Bonjour\r\n\r\nAction: failed\r\nMessage-ID: <a@b.example>", ""])
		expect(await readBounce(new TextEncoder().encode(text))).toEqual({ ok: false, code: "not-a-report" });
});

test("the reason has no control characters and at most 500 characters, because a terminal shows it", async () => {
	const read = await readBounce(report([failed(`\nDiagnostic-Code: smtp; 550 \u001b[2J\u0007no ${"x".repeat(900)}`)]));
	expect(read).toMatchObject({ ok: true, reason: expect.stringMatching(/^550 \[2J no x+$/) });
	expect(read.ok && read.reason).toHaveLength(500);
});
