import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noticeCases, personCases } from "../../test/incoming-mails.ts";
import { readNotice } from "./read-notice.server.ts";

const encode = (text: string) => new TextEncoder().encode(text.replaceAll("\n", "\r\n"));

describe("a notice of a mail server", () => {
	test.each(noticeCases.map((each) => [each.form, each] as const))("%s", async (_, { raw, verdict, recipients, reason }) => {
		const notice = await readNotice(encode(raw));
		expect(notice?.verdict).toBe(verdict);
		if (recipients) expect(notice?.recipients.flatMap(({ addresses }) => addresses)).toEqual(recipients);
		if (reason !== undefined) expect(notice?.recipients[0]?.reason).toBe(reason);
	});

	test.each(noticeCases.map((each) => [each.form, each] as const))(
		"%s, with other line ends and in base64",
		async (_, { raw, verdict }) => {
			expect((await readNotice(new TextEncoder().encode(raw)))?.verdict).toBe(verdict);
			const [headers = "", ...body] = raw.trimStart().split("\n\n");
			if (/^content-type:/im.test(headers)) return;
			const encoded = Buffer.from(body.join("\n\n")).toString("base64");
			expect((await readNotice(encode(`${headers}\nContent-Transfer-Encoding: base64\n\n${encoded}\n`)))?.verdict).toBe(verdict);
		},
	);
});

test.each(personCases)("a person wrote: %s", async (_, raw) => {
	expect(await readNotice(encode(raw))).toBeNull();
});

describe("the e-mail that came back", () => {
	const bounced = (returned: string, type = "message/rfc822") =>
		encode(
			`From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ada@exemple.fr\nAction: failed\nStatus: 5.1.1\n\n--b\nContent-Type: ${type}\n\n${returned}\n--b--\n`,
		);

	test.each(["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"])("as %s", async (type) => {
		const returned =
			"Message-ID:\n <mail-2@boutique.example>\nSubject: Votre\n extrait\nX-Message-ID: <x@y>\n\nMessage-ID: <mail-3@boutique.example>";
		expect(await readNotice(bounced(returned, type))).toMatchObject({
			...{ messageIds: ["mail-2@boutique.example"], subject: "Votre extrait", isSubscription: false },
		});
	});

	test("has the subject that its reader saw", async () => {
		const returned = "Subject: =?UTF-8?Q?Votre_extrait_Kbis_=C2=AB=C2=A0?=\n =?UTF-8?B?w4l0w6k=?=\n\nx";
		expect(await readNotice(bounced(returned))).toMatchObject({ subject: "Votre extrait Kbis «\u00a0Été" });
	});

	test("is an issue of a newsletter when its header says how to end it", async () => {
		const returned = "Message-ID: <m@boutique.example>\nList-Unsubscribe: <https://boutique.example/fin>\n\nx";
		expect(await readNotice(bounced(returned))).toMatchObject({ isSubscription: true });
	});

	test("is read below the words of a notice, also quoted or set in, and not from its own text", async () => {
		const headers = ["Message-ID: <mail-2@boutique.example>", "To: ada@exemple.fr", "Subject: Votre extrait"];
		for (const mark of ["", "> ", "  ", "| "]) {
			const returned = headers.map((line) => `${mark}${line}`).join("\n");
			const raw = `From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\n<ada@exemple.fr>:\nRemote: mx.exemple.fr\n\n    550 unknown user\n${returned}\n\nMessage-ID: <mail-3@boutique.example>\n`;
			expect(await readNotice(encode(raw)), mark).toMatchObject({
				...{
					verdict: "failed",
					messageIds: ["mail-2@boutique.example"],
					subject: "Votre extrait",
					recipients: [{ reason: "550 unknown user" }],
				},
			});
		}
	});

	test("is not known where a notice does not quote it", async () => {
		for (const returned of ["Subject: Votre extrait\n\nMessage-ID: <mail-3@boutique.example>", "Message-ID: none"])
			expect(await readNotice(bounced(returned))).toMatchObject({ verdict: "failed", messageIds: [] });
	});
});

test("other fields and lines between those of a recipient say nothing of it", async () => {
	const status = "Final-Recipient: rfc822; ada@exemple.fr\nX-Note: a\nX-Note: b\nAction: failed\nX-Note: c\nDiagnostic-Code: smtp; 550 no";
	const raw = `From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n${status}\n--b--\n`;
	expect((await readNotice(encode(raw)))?.recipients).toEqual([{ addresses: ["ada@exemple.fr"], reason: "550 no" }]);
	const two = `${status}\n\nFinal-Recipient: unknown; x\nAction: failed`;
	expect((await readNotice(encode(raw.replace(status, two))))?.recipients.map(({ addresses }) => addresses)).toEqual([
		["ada@exemple.fr"],
		[],
	]);
	const told = "Recipient: ada@exemple.fr\nReason: 550 no\nFrom: mx.exemple.fr";
	expect((await readNotice(encode(`From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\n${told}\n`)))?.recipients).toEqual([
		{ addresses: ["ada@exemple.fr"], reason: "Reason: 550 no From: mx.exemple.fr" },
	]);
});

test("five addresses of a recipient are read, in lower case", async () => {
	const addresses = Array.from({ length: 7 }, (_, n) => `Ada${n}@Exemple.fr`);
	const raw = `From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ${addresses.join(" ")}\nAction: failed\n--b--\n`;
	expect((await readNotice(encode(raw)))?.recipients[0]?.addresses).toEqual(addresses.slice(0, 5).map((each) => each.toLowerCase()));
});

test("a line that looks like a header is one of the words", async () => {
	const returned = "Message-ID: <m@boutique.example>\nTo: ada@exemple.fr\nSubject: x";
	const raw = `From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\nReason: 550 no\n\n${returned}\n`;
	expect(await readNotice(encode(raw))).toMatchObject({
		messageIds: ["m@boutique.example"],
		recipients: [{ addresses: ["ada@exemple.fr"] }],
	});
});

test("somebody who wrote to themselves is the recipient", async () => {
	const raw = "From: MAILER-DAEMON@mx.example\nTo: ada@exemple.fr\nSubject: failure notice\n\n<ada@exemple.fr>:\n550 no\n";
	expect((await readNotice(encode(raw)))?.recipients).toEqual([{ addresses: ["ada@exemple.fr"], reason: "550 no" }]);
});

test("twenty recipients in the words of a notice are read", async () => {
	const told = Array.from({ length: 30 }, (_, n) => `<a${n}@exemple.fr>: 550 no`).join("\n");
	expect((await readNotice(encode(`From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\n${told}\n`)))?.recipients).toHaveLength(20);
});

test("a delay without a recipient is one all the same", async () => {
	const raw =
		"From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\n\nada@exemple.fr\n--b\nContent-Type: message/delivery-status\n\nAction: delayed\n--b--\n";
	expect(await readNotice(encode(raw))).toMatchObject({ verdict: "delayed", recipients: [{ addresses: ["ada@exemple.fr"] }] });
});

test("a failure without a reason has none", async () => {
	const raw =
		"From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\n\nada@exemple.fr\n--b\nContent-Type: message/delivery-status\n\nAction: failed\n--b--\n";
	expect((await readNotice(encode(raw)))?.recipients).toEqual([{ addresses: ["ada@exemple.fr"], reason: "" }]);
});

test("a reason has no address, no control character, and at most 500 characters", async () => {
	const report = (diagnosis: string) =>
		encode(
			`From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nAction: failed\nDiagnostic-Code: smtp; ${diagnosis}\n\n--b--\n`,
		);
	const read = async (diagnosis: string) => (await readNotice(report(diagnosis)))?.recipients[0]?.reason;
	expect(await read("550 5.1.1 <ada@example.fr>:\n    Recipient address rejected")).toBe("550 5.1.1 <…@…>: Recipient address rejected");
	expect(await read("550 \u001b[2J\u0007no")).toBe("550 [2J no");
	expect(await read(`550 ${"x".repeat(900)}`)).toHaveLength(500);
	expect(await read(`550 ${"<ada@example.fr> ".repeat(60_000)}`)).toMatch(/^550 (<…@…> )+<?…?/);
});

test.each([
	...["failed", "FAILURE", "fail (x)", "expired", "fatal", "error"].map((action) => [action, "failed"]),
	...["delayed", "Delay", "deferred"].map((action) => [action, "delayed"]),
	...["delivered", "relayed", "expanded", "deliverable"].map((action) => [action, "received"]),
])("the action « %s » is %s, and stands above the code", async (action, verdict) => {
	const status = `Final-Recipient: rfc822; ada@exemple.fr\nAction: ${action}\nStatus: ${verdict === "failed" ? "4.0.0" : "5.0.0"}`;
	const raw = `From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n${status}\n--b--\n`;
	expect(await readNotice(encode(raw))).toMatchObject({ verdict, recipients: [{ addresses: ["ada@exemple.fr"] }] });
});

test.each([
	["undelivered", "5.0.0", "failed"],
	["", "4.4.1", "delayed"],
	["", "2.0.0", "received"],
	["", "", "unreadable"],
])("without an action that is known (« %s »), the code « %s » is %s", async (action, code, verdict) => {
	const status = `Final-Recipient: rfc822; ada@exemple.fr\nAction: ${action}\nStatus: ${code}`;
	const raw = `From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n${status}\n--b--\n`;
	expect((await readNotice(encode(raw)))?.verdict).toBe(verdict);
});

describe("the words of servers", () => {
	const read = async (subject: string, text: string, from = "serveur@exemple.net") =>
		(await readNotice(encode(`From: ${from}\nSubject: ${subject}\n\n${text}\n`)))?.verdict;

	test.each([
		...["Undeliverable: x", "Delivery Status Notification (Failure)", "Returned mail: x", "Unzustellbar: x", "Non remis : x"],
		...["No se puede entregar: x", "User unknown", "Considered UNSOLICITED BULK EMAIL"],
	])("the subject « %s »", async (subject) => {
		expect(await read(subject, "ada@exemple.fr: 550 unknown user")).toBe("failed");
		expect(await read(`Question : ${subject}`, "ada@exemple.fr: 550 unknown user")).toBeUndefined();
	});

	test.each([
		...["We are still trying to reach ada@exemple.fr.", "Your message to ada@exemple.fr is delayed: delivery temporarily suspended."],
		...["De nouvelles tentatives seront faites pour ada@exemple.fr.", "Die Zustellung an ada@exemple.fr wird weiterhin versucht."],
	])("a delay: « %s »", async (text) => {
		expect(await read("failure notice", text, "mailer-daemon@exemple.net")).toBe("delayed");
		for (const end of ["We have given up.", "Erreur définitive."])
			expect(await read("failure notice", `${text}\n${end}`, "mailer-daemon@exemple.net")).toBe("failed");
	});

	test.each([
		...["ada@exemple.fr could not be reached.", "Delivery to ada@exemple.fr failed.", "ada@exemple.fr: mailbox full"],
		...["L’adresse ada@exemple.fr est introuvable.", "ada@exemple.fr ist unbekannt.", "ada@exemple.fr 宛先不明"],
	])("a failure: « %s »", async (text) => {
		expect(await read("Bonjour", text, "mailer-daemon@exemple.net")).toBe("failed");
		expect(await read("Bonjour", "ada@exemple.fr", "mailer-daemon@exemple.net")).toBeUndefined();
	});
});

describe("who did not get it", () => {
	const daemon = "From: MAILER-DAEMON@mx.example\nTo: CONTACT@boutique.example\nReply-To: service@exemple.net";
	const read = async (text: string, headers = `${daemon}\nSubject: failure notice`) => {
		const notice = await readNotice(encode(`${headers}\n\n${text}\n`));
		return notice && { verdict: notice.verdict, to: notice.recipients.flatMap(({ addresses }) => addresses) };
	};
	const ada = { verdict: "failed", to: ["ada@exemple.fr"] };
	const returned = "Message-ID: <x@y>\nFrom: alias@boutique.example\nTo: ada@exemple.fr\nSubject: x";

	test.each([
		["is no help", "Write to support@exemple.net or postmaster@exemple.net. Your e-mail to ada@exemple.fr could not be delivered."],
		["does not send the notice, or get it", "Answer service@exemple.net: contact@boutique.example, ada@exemple.fr could not be reached."],
		["did not write what came back", `The e-mail of alias@boutique.example could not be delivered.\n\n${returned}`],
		["stands first in a line", "<ada@exemple.fr> (now autre@exemple.net): 550 unknown"],
		["is named above what came back", `Le message à\nada@exemple.fr\nest refusé.\n\n${returned}\n\nautre@exemple.net: 550 5.1.1 inconnu`],
		...["To", "Cc", "X-Envelope-To", "Envelope-To", "X-Original-To"].map((name) => [
			`stands in the header ${name}`,
			`550 unknown\n\nMessage-ID: <x@y>\nFrom: alias@boutique.example\n${name}: ada@exemple.fr\nSubject: x\nDate: y`,
		]),
	])("%s", async (_, text) => {
		expect(await read(text)).toEqual(ada);
	});

	test("may be named by the subject alone, by a field, or by nothing", async () => {
		expect(await read("x", `${daemon}\nSubject: Delivery to ada@exemple.fr failed`)).toEqual(ada);
		expect(await read("550 no", "From: serveur@exemple.net\nX-Failed-Recipients: ada@exemple.fr")).toEqual(ada);
		expect(await read("550 no\n\nMessage-ID: <x@y>\nFrom: a@boutique.example\nDate: y\nSubject: x")).toEqual({ verdict: "failed", to: [] });
		const many = Array.from({ length: 30 }, (__, n) => `a${n}@exemple.fr`).join(", ");
		expect((await read("550 no", `${daemon}\nX-Failed-Recipients: ${many}`))?.to).toHaveLength(20);
	});

	test("is unknown where nothing says that it failed, or too late", async () => {
		expect(await read("ada@exemple.fr", `${daemon}\nSubject: Delivery Status Notification`)).toEqual({ verdict: "unreadable", to: [] });
		expect(await read(`Bonjour\n\n${returned}`, `${daemon}\nSubject: Bonjour`)).toEqual({ verdict: "unreadable", to: [] });
		expect(await read(`${"x\n".repeat(33_000)}<ada@exemple.fr>: 550 unknown`)).toEqual({ verdict: "unreadable", to: [] });
	});

	test("is that of the server that passes a notice on, if it says", async () => {
		const report = (mark: string, to: string, more: string) =>
			`From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=${mark}\n\n--${mark}\nContent-Type: message/delivery-status\n\n${to}\nAction: failed\n--${mark}\nContent-Type: message/rfc822\n\n${more}\n--${mark}--`;
		const inner = report("c", "Final-Recipient: rfc822; autre@exemple.net", "From: a@b.fr");
		const outer = async (to: string) => (await readNotice(encode(report("b", to, inner))))?.recipients.map(({ addresses }) => addresses);
		expect(await outer("Final-Recipient: rfc822; ada@exemple.fr")).toEqual([["ada@exemple.fr"]]);
		expect(await outer("X-Actual-Recipient: rfc822; ada@exemple.fr")).toEqual([["ada@exemple.fr"]]);
		expect(await outer("X-Note: x")).toEqual([["autre@exemple.net"]]);
	});
});

describe("the reason", () => {
	const read = async (text: string, status = "") => {
		const body = `--b\n\n${text}\n--b\nContent-Type: message/delivery-status\n\n${status}\n--b--`;
		return (await readNotice(encode(`From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n${body}\n`)))
			?.recipients[0]?.reason;
	};

	test("is that of the words where the fields have none", async () => {
		expect(await read("<ada@exemple.fr>: 550 5.1.1 boîte inconnue", "Action: failed")).toBe("<…@…>: 550 5.1.1 boîte inconnue");
		expect(await read("ada@exemple.fr\n--b\nContent-Type: text/plain; name=a.txt\n\nBonjour", "Action: failed")).toBe("");
	});

	test("goes on to the end of its paragraph, and five lines at most", async () => {
		expect(await read("Non remis à :\n\nada@exemple.fr\nadresse inconnue\n\nBonjour")).toBe("Non remis à : …@… adresse inconnue");
		expect(await read("ada@exemple.fr : 550 un\ndeux\ntrois\nquatre\ncinq\nsix")).toBe("…@… : 550 un deux trois quatre cinq");
	});
});

describe("a server without a server's address", () => {
	const returned = "Return-Path: <contact@boutique.example>\nFrom: contact@boutique.example\nTo: ada@exemple.fr\nSubject: x";
	const read = (headers: string, text: string) => readNotice(encode(`${headers}\n\n${text}\n`));
	const [named, unnamed] = ["Subject: Undelivered Mail", "Subject: Bonjour"];
	test.each(["From: Mail Delivery System <mds@exemple.fr>", "From: no-reply@exemple.fr", "From: x@exemple.fr\nReturn-Path: <>"])(
		"%s",
		async (from) => {
			for (const subject of [named, unnamed])
				expect((await read(`${from}\n${subject}`, `550 unknown user\n\n${returned}`))?.verdict).toBe("failed");
			expect((await read(`${from}\n${named}`, "<ada@exemple.fr>: 550 unknown user"))?.verdict).toBe("failed");
			expect(await read(`${from}\n${unnamed}`, "<ada@exemple.fr>: 550 unknown user")).toBeNull();
			expect(await read(`${from}\n${unnamed}`, `Bonjour\n\n${returned}`)).toBeNull();
			expect(await read(`${from}\n${named}\nIn-Reply-To: <x@y>`, `550 unknown user\n\n${returned}`)).toBeNull();
		},
	);
	test("which says nothing that is understood", async () => {
		const read_ = async (headers: string, text: string) => (await read(headers, text))?.verdict;
		expect(await read_("From: Mail Delivery System <mds@exemple.fr>\nSubject: Undelivered Mail", "Votre message n’a pas été remis.")).toBe(
			"unreadable",
		);
		expect(await read_("From: Mail Delivery System <mds@exemple.fr>\nSubject: Undelivered Mail", "Votre message est abandonné.")).toBe(
			"unreadable",
		);
		expect(await read_("From: <>\nSubject: Bonjour", "<ada@exemple.fr>: 550 unknown user")).toBe("failed");
		expect(await read_("From: postmaster@exemple.fr\nSubject: Bonjour", "L’adresse ada@exemple.net est introuvable.\nfin")).toBe("failed");
		expect(await read_("From: serveur@exemple.fr\nSubject: Undelivered Mail", "L’adresse ada@exemple.net est introuvable.\nfin")).toBe(
			"failed",
		);
	});
	test("which says so by a code alone", async () => {
		expect((await read(`From: no-reply@exemple.fr\n${named}`, "<ada@exemple.fr>: 554 5.7.1 OFR_506"))?.verdict).toBe("failed");
	});
	test("which says so in words alone", async () => {
		expect((await read(`From: no-reply@exemple.fr\n${named}`, "Le message pour ada@exemple.fr n’a pas été remis."))?.verdict).toBe(
			"failed",
		);
		expect((await read(named, "Le message pour ada@exemple.fr n’a pas été remis."))?.verdict).toBe("failed");
	});
	test("somebody with nothing of a server is none", async () => {
		expect(await read(`From: ada@exemple.fr\n${unnamed}`, `550 unknown user\n\n${returned}`)).toBeNull();
	});
});

test.each([
	["delivery-status", "Final-Recipient: rfc822; ada@exemple.fr\nAction: failed", "failed"],
	["global-delivery-status", "Final-Recipient: utf-8; ada@exemple.fr\nAction: failed", "failed"],
	["feedback-report", "Feedback-Type: abuse", "complaint"],
	["disposition-notification", "Disposition: automatic-action/MDN-sent-automatically; displayed", "received"],
])("a report of the type message/%s is one of a server without being declared", async (type, part, verdict) => {
	const body = (from: string) =>
		encode(
			`From: ${from}\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/${type}\n\n${part}\n--b--\n`,
		);
	expect((await readNotice(body("Mail Delivery System <mds@exemple.fr>")))?.verdict).toBe(verdict);
	const unnamed = new TextDecoder().decode(body("MAILER-DAEMON@exemple.fr")).replace("Subject: x\r\n", "");
	expect((await readNotice(new TextEncoder().encode(unnamed)))?.verdict).toBe(verdict);
	expect(await readNotice(body("Ada <ada@exemple.fr>"))).toBeNull();
});

test("twenty recipients of a notice are read, of its first 65,536 bytes", async () => {
	const recipients = Array.from({ length: 30 }, (_, n) => `Final-Recipient: rfc822; a${n}@exemple.fr\nAction: failed`).join("\n\n");
	const report = (status: string) =>
		encode(
			`From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n${status}\n\n--b--\n`,
		);
	expect((await readNotice(report(recipients)))?.recipients).toHaveLength(20);
	expect((await readNotice(report(`X-Long: ${"x".repeat(66_000)}\n\n${recipients}`)))?.verdict).toBe("unreadable");
});

test("hundreds of nested parts of a mail server are a notice that cannot be read", async () => {
	const open = Array.from({ length: 400 }, (_, i) => `--b${i}\nContent-Type: multipart/mixed; boundary="b${i + 1}"\n\n`);
	const raw = `From: MAILER-DAEMON@mx.example\nSubject: failure notice\nContent-Type: multipart/report; boundary="b0"\n\n${open.join("")}`;
	expect(await readNotice(encode(raw))).toMatchObject({ verdict: "unreadable", recipients: [] });
});

test("any bytes are read, and give few and short texts", async () => {
	const words = [
		"Final-Recipient: rfc822; ",
		"Action: failed\n",
		"550 ",
		"a@b.fr",
		"<",
		">",
		"\n",
		"\n\n",
		"From: ",
		"To: ",
		"Message-ID: <x@y>",
		"\0",
		"é",
		" ",
	];
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 20 })), { maxLength: 80 }), async (parts) => {
			const notice = await readNotice(encode(`From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\n${parts.join("")}`));
			expect(notice?.recipients.length).toBeLessThanOrEqual(20);
			for (const { addresses, reason } of notice?.recipients ?? []) {
				expect(addresses.every((address) => /^[^\s@]+@[^\s@]+$/.test(address))).toBe(true);
				expect(reason.length).toBeLessThanOrEqual(500);
			}
		}),
	);
});
