/** E-mails as the world sends them, of our own making: each form of a notice, an automatic answer and a person's e-mail once. */

const to = "ada@exemple.fr";
const shop = "contact@boutique.example";
const id = "<3f0e8a52-6c1d-4b7e-9a40-1d2c3b4a5f60@boutique.example>";
const returned = `Return-Path: <${shop}>\nReceived: from mx.boutique.example\nMessage-ID: ${id}\nFrom: Boutique <${shop}>\nTo: ${to}\nSubject: Votre extrait\n\nBonjour,`;

const join = (headers: string, body: string) => `${headers}\nTo: ${shop}\n\n${body}\n`;
const report = (status: string, { original = returned, originalType = "message/rfc822", text = "Voir ci-dessous." } = {}) =>
	join(
		'From: MAILER-DAEMON@mx.example\nSubject: Undelivered Mail Returned to Sender\nContent-Type: multipart/report; report-type=delivery-status; boundary="b1"',
		`--b1\nContent-Type: text/plain; charset=utf-8\n\n${text}\n\n--b1\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n${status}\n\n--b1\nContent-Type: ${originalType}\n\n${original}\n\n--b1--`,
	);
const daemon = (subject: string, body: string, { from = "MAILER-DAEMON@mx.example", more = "" } = {}) =>
	join(`From: ${from}\nSubject: ${subject}${more}`, body);

interface NoticeCase {
	form: string;
	raw: string;
	verdict: "failed" | "delayed" | "received" | "complaint" | "unreadable";
	recipients?: string[];
	reason?: string;
}

const failed = (form: string, raw: string, reason: string, recipients = [to]): NoticeCase => ({
	form,
	raw,
	verdict: "failed",
	recipients,
	reason,
});

export const noticeCases: readonly NoticeCase[] = [
	failed(
		"RFC 3464",
		report(`Final-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 inconnu`),
		"550 5.1.1 inconnu",
	),
	failed(
		"Exchange: no blank, a tail",
		report(
			`Final-recipient: RFC822;${to}\nAction: failed (5.1.10)\nStatus: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound`,
		),
		"550 5.1.10 RESOLVER.ADR.RecipientNotFound",
	),
	failed(
		"an alias: Original-Recipient too",
		report(`Original-Recipient: rfc822;${to}\nFinal-Recipient: rfc822;boite-7@interne.example\nAction: failed\nStatus: 5.2.2`),
		"5.2.2",
		["boite-7@interne.example", to],
	),
	failed(
		"expired after four days",
		report(
			`Final-Recipient: rfc822; ${to}\nAction: failed\nStatus: 4.4.7\nDiagnostic-Code: X-Postfix; connect to mx.exemple.fr: timed out`,
		),
		"connect to mx.exemple.fr: timed out",
	),
	failed("SendGrid: expired", report(`Final-Recipient: rfc822; ${to}\nAction: expired\nStatus: `), ""),
	failed("no Action, a Status", report(`Final-Recipient: rfc822; ${to}\nStatus: 5.0.0`), "5.0.0"),
	failed(
		"two recipients without a blank line",
		report(
			`Final-Recipient: rfc822; a@exemple.fr\nAction: failed\nStatus: 5.1.1\nFinal-Recipient: rfc822; b@exemple.fr\nAction: failed\nStatus: 5.1.1`,
		),
		"5.1.1",
		["a@exemple.fr", "b@exemple.fr"],
	),
	failed(
		"one of two recipients",
		report(
			`Final-Recipient: rfc822; a@exemple.fr\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.2.2`,
		),
		"5.2.2",
	),
	failed("angle brackets", report(`Final-Recipient: RFC822; <${to}>\nAction: failed\nStatus: 5.1.1`), "5.1.1"),
	failed("a status without a recipient", report("Action: failed\nStatus: 5.1.1", { text: `<${to}>: 550 5.1.1 boîte inconnue` }), "5.1.1"),
	failed(
		"the report as plain text",
		daemon(
			"Undelivered Mail Returned to Sender",
			`Votre message est revenu.\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 inconnu\n\n${returned}`,
		),
		"550 inconnu",
	),
	failed(
		"a report whose boundary is not there",
		join(
			'From: MAILER-DAEMON@mx.example\nSubject: Delivery Status Notification (Failure)\nContent-Type: multipart/report; report-type=delivery-status; boundary="ailleurs"',
			`--b9\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.1.1\n--b9--`,
		),
		"5.1.1",
	),
	failed(
		"qmail",
		daemon(
			"failure notice",
			`Hi. This is mx.exemple.fr.\n\n<${to}>:\n192.0.2.7 does not like recipient.\nRemote host said: 550 5.1.1 no such user\n\n--- Below this line is a copy of the message.\n\n${returned}`,
		),
		"Remote host said: 550 5.1.1 no such user",
	),
	failed(
		"qmail: given up after a temporary reply",
		daemon(
			"failure notice",
			`<${to}>:\nRemote host said: 421 4.7.0 busy, retry later\nI'm not going to try again; this message has been in the queue too long.\n\n${returned}`,
		),
		"Remote host said: 421 4.7.0 busy, retry later I'm not going to try again; this message has been in the queue too long.",
	),
	failed(
		"Exim",
		daemon(
			"Mail delivery failed: returning message to sender",
			`A message could not be delivered to one of its recipients.\n\n  ${to}\n    host mx.exemple.fr [192.0.2.7]: 550 unknown user\n\n------ This is a copy of the message ------\n\n${returned}`,
			{ more: `\nX-Failed-Recipients: ${to}` },
		),
		"host mx.exemple.fr [192.0.2.7]: 550 unknown user",
	),
	failed(
		"Gmail: a field, and HTML",
		daemon("Delivery Status Notification (Failure)", "<p>Address not found</p><p>550 5.1.1 The email account does not exist.</p>", {
			from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
			more: `\nX-Failed-Recipients: ${to}\nContent-Type: text/html`,
		}),
		"550 5.1.1 The email account does not exist.",
	),
	failed(
		"Sendmail",
		daemon(
			"Returned mail: see transcript for details",
			`   ----- The following addresses had permanent fatal errors -----\n<${to}>\n    (reason: 550 5.7.1 denied)\n\n   ----- Transcript of session follows -----\n>>> RCPT To:<${to}>\n\n   ----- Original message follows -----\n\n${returned}`,
		),
		"(reason: 550 5.7.1 denied)",
	),
	failed(
		"Exchange, in French",
		daemon(
			"Non remis : Votre extrait",
			`Échec de la remise pour ces destinataires ou groupes :\n\n${to}\nL’adresse de messagerie que vous avez entrée est introuvable.\n`,
			{ from: "postmaster@exemple.fr" },
		),
		"Échec de la remise pour ces destinataires ou groupes : …@… L’adresse de messagerie que vous avez entrée est introuvable.",
	),
	failed(
		"Exchange 2003",
		daemon(
			"Undeliverable: Votre extrait",
			`Your message\n\n  To:      ${to}\n  Subject: Votre extrait\n\ndid not reach the following recipient(s):\n\n${to} on Thu, 26 Nov 2026\n    The recipient name is not recognized`,
			{ from: "System Administrator <postmaster@exemple.fr>" },
		),
		"did not reach the following recipient(s): …@… on Thu, 26 Nov 2026 The recipient name is not recognized",
	),
	failed(
		"Domino",
		daemon(
			"DELIVERY FAILURE: User Ada not listed in Domino Directory",
			`Your message\n\n  Subject: Votre extrait\n\nwas not delivered to:\n\n  ${to}\n\nbecause:\n\n  User Ada (${to}) not listed in Domino Directory`,
			{ from: "Postmaster@exemple.fr" },
		),
		"was not delivered to: …@… because: User Ada (…@…) not listed in Domino Directory",
	),
	failed(
		"a French host: box full",
		daemon(
			"Retour de message : boîte pleine",
			`La boîte aux lettres du destinataire ${to} est pleine.\nVotre message n'a pas été remis.\n\n${returned}`,
			{ from: "Postmaster <postmaster@laposte.example>" },
		),
		"La boîte aux lettres du destinataire …@… est pleine. Votre message n'a pas été remis.",
	),
	failed(
		"a French host: refused by content",
		daemon("Échec de distribution", `Le message destiné à <${to}> a été refusé : 554 5.7.1 OFR_506 [506]\n\n${returned}`),
		"Le message destiné à <…@…> a été refusé : 554 5.7.1 OFR_506 [506]",
	),
	failed(
		"a French host: no such account",
		daemon("Avis de non-remise", `Bonjour,\n\nLe compte ${to} n'existe pas ou a été désactivé.\n`, {
			from: "Système de messagerie <mailer-daemon@free.example>",
		}),
		"Le compte …@… n'existe pas ou a été désactivé.",
	),
	failed(
		"Germany: web hosts",
		daemon(
			"Mail delivery failed: returning message to sender",
			`The following address failed:\n\n"${to}":\nSMTP error from remote server after RCPT command:\n5.2.2 Mailbox full\n\n--- The header of the original message is following. ---\n\n${returned}`,
		),
		"5.2.2 Mailbox full",
	),
	failed(
		"only the headers that came back",
		daemon(
			"Returned mail: User unknown",
			`   ----- Transcript of session follows -----\n550 5.1.1 User unknown\n\n   ----- Unsent message follows -----\n\n${returned}`,
		),
		"550 5.1.1 User unknown",
	),
	failed(
		"the e-mail named before the reason",
		daemon(
			"Delivery Notification: Delivery has failed",
			`This report relates to a message with these fields:\n\n  Message-id: ${id}\n  From: ${shop}\n  To: ${to}\n  Subject: Votre extrait\n\nYour message cannot be delivered to the following recipients:\n\n  Recipient address: ${to}\n  Reason: 550 5.1.1 unknown`,
		),
		"Reason: 550 5.1.1 unknown",
	),
	failed(
		"a host whose sender is a person's name",
		daemon("Undelivered Mail Returned to Sender", `<${to}>: 550 inconnu\n\n${returned}`, {
			from: "Mail Delivery System <nepasrepondre@exemple.fr>",
		}),
		"<…@…>: 550 inconnu",
	),
	failed(
		"help is no recipient",
		daemon(
			"Undelivered Mail Returned to Sender",
			`For assistance, contact <support@exemple.fr> or postmaster@exemple.fr.\n\n<${to}>: 550 5.1.1 unknown user\n\n${returned}`,
		),
		"<…@…>: 550 5.1.1 unknown user",
	),
	failed(
		"an address that is no recipient, in the words",
		daemon(
			"Undelivered Mail Returned to Sender",
			`Le message pour ${to} n'a pas été remis. Écrivez aussi à ada.l@exemple.net.\n\n${returned}`,
		),
		"Le message pour …@… n'a pas été remis. Écrivez aussi à …@….",
	),
	failed(
		"a sender without an address",
		join("From: <>\nSubject: Delivery failure", `<${to}>: host said: 550 unknown`),
		"<…@…>: host said: 550 unknown",
	),
	failed(
		"blank lines before the first header",
		`\n\n${daemon("failure notice", `<${to}>:\n550 unknown user\n\n${returned}`)}`,
		"550 unknown user",
	),
	failed(
		"a notice in another notice",
		report("", {
			original: report(`Final-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.1.1`).replaceAll("b1", "b2"),
			text: "Transmis.",
		}),
		"5.1.1",
	),
	failed(
		"a recipient that looks like help",
		daemon("Undeliverable Mail", `Delivery failed 10 attempts: info@exemple.fr\n\n${returned.replaceAll(to, "info@exemple.fr")}`, {
			from: "postmaster@mx.example",
		}),
		"Delivery failed 10 attempts: …@…",
		["info@exemple.fr"],
	),
	failed(
		"Postfix: a wrapped reply, which asks to try again",
		daemon(
			"Undelivered Mail Returned to Sender",
			`Your message could not be delivered to one or more recipients.\n\n<${to}>: host mx.exemple.fr said: 421 4.7.0 temporarily deferred, will\n    be retried (in reply to MAIL FROM command)\n<b@exemple.fr>: host mx.exemple.fr said: 421 4.7.0\n\n${returned}`,
		),
		"<…@…>: host mx.exemple.fr said: 421 4.7.0 temporarily deferred, will be retried (in reply to MAIL FROM command)",
		[to, "b@exemple.fr"],
	),
	failed(
		"InterMail: the words in a part of their own type of status",
		join(
			"From: Mail Administrator <Postmaster@mx.example>\nSubject: Mail System Error - Returned Mail\nContent-Type: multipart/report; boundary=b1",
			`--b1\nContent-Type: message/delivery-status\n\nThis message was undeliverable.\n--b1\nContent-Type: message/delivery-status\n\nFinal-Recipient: RFC822; <${to}>\nAction: failed\nStatus: 5.3.0\n--b1--`,
		),
		"5.3.0",
	),
	failed(
		"the fields in an attached text",
		join(
			"From: MAILER-DAEMON@mx.example\nSubject: Returned mail\nContent-Type: multipart/mixed; boundary=b1",
			`--b1\n\nUnable to deliver.\n--b1\nContent-Type: text/plain\nContent-Disposition: attachment; filename=details.txt\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.1.1\n--b1--`,
		),
		"5.1.1",
	),
	failed(
		"a server that answers in the thread",
		daemon("Votre extrait", `Your message to ${to} was rejected: over quota`, { more: `\nIn-Reply-To: ${id}` }),
		`Your message to …@… was rejected: over quota`,
	),
	failed(
		"a postmaster who answers in the thread, with the subject of a notice",
		daemon("Non remis : Votre extrait", `L’adresse ${to} est introuvable.`, {
			from: "postmaster@exemple.fr",
			more: `\nIn-Reply-To: ${id}`,
		}),
		"L’adresse …@… est introuvable.",
	),
	failed(
		"Exchange Online, by its own mailbox",
		daemon("Unzustellbar: Votre extrait", `Ihre Nachricht an ${to} konnte nicht zugestellt werden.`, {
			from: "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@exemple.onmicrosoft.com>",
		}),
		"Ihre Nachricht an …@… konnte nicht zugestellt werden.",
	),
	failed(
		"an end in French, after a delay",
		daemon("Avis de non-remise", `La remise à ${to} est retardée : 451 occupé\nErreur définitive, le serveur abandonne.`),
		"La remise à …@… est retardée : 451 occupé Erreur définitive, le serveur abandonne.",
	),
	failed("unusual signs in an address", report("Final-Recipient: rfc822; a#b!c@exemple.fr\nAction: failed"), "", ["a#b!c@exemple.fr"]),
	failed("letters that no address of ours has", report("Final-Recipient: utf-8; j\\x{E9}@b.fr jé@b.fr\nAction: failed"), ""),
	failed(
		"a filter",
		daemon(
			"BANNED contents from you",
			`Our content checker found a banned name in an email to ${to}\n\nDelivery of the email was stopped!`,
			{
				from: "Content-filter at mx <postmaster@mx.example>",
			},
		),
		"Delivery of the email was stopped!",
	),
	{
		form: "Postfix: a delay",
		raw: report(`Final-Recipient: rfc822; ${to}\nAction: delayed\nStatus: 4.4.1`),
		verdict: "delayed",
		recipients: [to],
	},
	{
		form: "Exim: a delay",
		raw: daemon(
			"Warning: message 1abc-000 delayed 24 hours",
			`A message that you sent has not yet been delivered:\n\n  ${to}\n    host mx [192.0.2.7]: 450 busy\n\nNo action is required on your part. Eventually the server will give up, and the message will be returned to you.`,
		),
		verdict: "delayed",
	},
	{
		form: "Gmail: a delay",
		raw: daemon(
			"Delivery Status Notification (Delay)",
			`THIS IS A WARNING MESSAGE ONLY.\n\nDelivery to the following recipient has been delayed:\n\n   ${to}\n\n${returned}`,
		),
		verdict: "delayed",
	},
	{
		form: "a delay in French",
		raw: daemon(
			"Avis de retard",
			`La remise de votre message à ${to} est retardée. De nouvelles tentatives seront faites pendant 3 jours.`,
		),
		verdict: "delayed",
	},
	{
		form: "delivered",
		raw: report(`Final-Recipient: rfc822; ${to}\nAction: delivered\nStatus: 2.1.5`),
		verdict: "received",
		recipients: [to],
	},
	{ form: "relayed", raw: report(`Final-Recipient: rfc822; ${to}\nAction: relayed\nStatus: 2.0.0`), verdict: "received", recipients: [to] },
	{
		form: "read (RFC 8098)",
		raw: join(
			`From: Ada <${to}>\nSubject: Lu : Votre extrait\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b1`,
			`--b1\n\nLu.\n--b1\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822;${to}\nOriginal-Message-ID: ${id}\nDisposition: manual-action/MDN-sent-manually; displayed\n--b1--`,
		),
		verdict: "received",
		recipients: [],
	},
	{
		form: "a complaint (RFC 5965)",
		raw: join(
			"From: <fbl@fournisseur.example>\nSubject: FW: Votre extrait\nContent-Type: multipart/report; report-type=feedback-report; boundary=b1",
			`--b1\n\nAbuse.\n--b1\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: <${to}>\n\n--b1\nContent-Type: message/rfc822\n\nCc: autre@exemple.fr\n${returned.replace(to, "alias@exemple.fr")}\n--b1--`,
		),
		verdict: "complaint",
		recipients: [to],
	},
	{
		form: "a complaint of Outlook.com",
		raw: join(
			"From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.1\nContent-Type: multipart/mixed; boundary=b1",
			`--b1\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: ${to}\n${returned}\n--b1--`,
		),
		verdict: "complaint",
		recipients: [to],
		reason: "abuse",
	},
	{
		form: "no complaint: an authentication report",
		raw: join(
			"From: dmarc@fournisseur.example\nSubject: Report\nContent-Type: multipart/report; report-type=feedback-report; boundary=b1",
			"--b1\nContent-Type: message/feedback-report\n\nFeedback-Type: auth-failure\n--b1--",
		),
		verdict: "received",
		recipients: [],
	},
	failed(
		"parts in base64, with line ends of their own",
		join(
			"From: MAILER-DAEMON@mx.example\nContent-Type: multipart/report; boundary=b1",
			`--b1\nContent-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n${btoa(`Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822;\r\n ${to}\r\nAction: failed\r\nStatus: 5.1.1\r\n`)}\n--b1--`,
		),
		"5.1.1",
	),
	failed(
		"an address below a list of recipients",
		daemon("failure notice", `<${to}>:\n550 unknown user\n\nÉcrivez plutôt à ada.l@exemple.net.`),
		"550 unknown user",
	),
	failed(
		"a part of a type that is none",
		join(
			"From: MAILER-DAEMON@mx.example\nSubject: Returned Mail\nContent-Type: multipart/mixed; boundary=b1",
			`--b1\n\n \n--b1\nContent-Type: text/plain\n charset="iso-2022-jp"\n\n${to} [550 User unknown]\n--b1--`,
		),
		"…@… [550 User unknown]",
	),
	{
		form: "a failure of nobody knows what",
		raw: daemon("failure notice", "Your message could not be delivered."),
		verdict: "unreadable",
		recipients: [],
	},
	{
		form: "a server that says nothing",
		raw: daemon("Delivery Status Notification", "Message removed"),
		verdict: "unreadable",
		recipients: [],
	},
];

/** Headers and text of e-mails that a person wrote, which look like a notice or an automatic answer. */
export const personCases: readonly [form: string, raw: string][] = [
	[
		"a notice that is passed on",
		join(
			`From: Ada <${to}>\nSubject: Fwd: Undelivered Mail Returned to Sender`,
			`Que faire ?\n\n> From: MAILER-DAEMON@mx.example\n> <${to}>: 550 5.1.1 unknown user`,
		),
	],
	[
		"a notice passed on in French",
		join(
			`From: Ada <${to}>\nSubject: TR: Non remis : Votre extrait`,
			`Voici.\n\nÉchec de la remise à ces destinataires : ${to}\n550 5.1.1`,
		),
	],
	[
		"a notice as an attachment",
		join(
			`From: Ada <${to}>\nSubject: Votre e-mail\nContent-Type: multipart/mixed; boundary=b2`,
			`--b2\n\nJ’ai reçu ceci.\n--b2\nContent-Type: message/rfc822\n\n${report(`Final-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.1.1`)}\n--b2--`,
		),
	],
	[
		"a quoted notice",
		join(`From: Ada <${to}>\nSubject: Re: failure notice`, `Mon adresse marche de nouveau.\n\n> <${to}>:\n> 550 no such user`),
	],
	[
		"a report's part that is passed on",
		join(
			`From: Ada <${to}>\nSubject: Fwd: Undelivered Mail Returned to Sender\nContent-Type: multipart/mixed; boundary=b2`,
			`--b2\n\nVoir.\n--b2\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\n--b2--`,
		),
	],
	[
		"a quoted notice about somebody else",
		join(`From: Ada <${to}>\nSubject: Re: failure notice`, "Et ceci ?\n\n> <autre@exemple.fr>:\n> 550 no such user"),
	],
	["a complaint", join(`From: Ada <${to}>\nSubject: complaint about message from 12 November`, "Je n’ai rien reçu.")],
	["somebody at postmaster@", join("From: Jean <postmaster@exemple.fr>\nSubject: Ma commande", "Bonjour, où en est mon extrait ? Merci.")],
	["an answer to an absence notice", join(`From: Ada <${to}>\nSubject: Re: Réponse automatique : Commande`, "Merci, je reviens lundi.")],
	["a subject of a notice", join(`From: Ada <${to}>\nSubject: Non délivré`, "Mon extrait n’a pas été délivré : introuvable.")],
	[
		"a notice about the sender, quoted",
		join(`From: Ada <${to}>\nSubject: Votre message n’est pas arrivé`, `Mon serveur dit :\n<${to}>: 550 5.1.1 unknown user`),
	],
	[
		"a postmaster who answers",
		join(`From: Jean <postmaster@exemple.fr>\nSubject: Re: Votre extrait\nIn-Reply-To: ${id}`, "Le lien est refusé, impossible de lire."),
	],
	["a subject with a failure", join(`From: Ada <${to}>\nSubject: Echec du paiement`, "Le paiement a été refusé, impossible de commander.")],
	["an absence that is a reason", join(`From: Ada <${to}>\nSubject: Absence de réponse`, "Vous ne répondez pas.")],
	...["Message auto-école", "Lu et approuvé : Kbis", "Répondeur téléphonique", "Accusé de réception manquant", "Autoroute : commande"].map(
		(subject): [string, string] => [subject, join(`From: Ada <${to}>\nSubject: ${subject}`, "Bonjour")],
	),
	["a name with no and a reply", join("From: casino-replyx@no-reply.exemple.fr\nSubject: Commande", "Bonjour")],
	["Auto-Submitted: no", join(`From: Ada <${to}>\nAuto-Submitted: no\nSubject: Automatic reply?`, "Bonjour")],
	["Precedence: first-class", join(`From: Ada <${to}>\nPrecedence: first-class\nSubject: Commande`, "Bonjour")],
	["only read receipts are suppressed", join(`From: Ada <${to}>\nX-Auto-Response-Suppress: DR, RN, NRN\nSubject: Commande`, "Bonjour")],
	["X-Autoreply: no", join(`From: Ada <${to}>\nX-Autoreply: no\nSubject: Commande`, "Bonjour")],
	[
		"a form at a site that answers for somebody",
		join(`From: Site <noreply@site.example>\nReply-To: Ada <${to}>\nSubject: Commande`, "Bonjour"),
	],
	[
		"a read receipt is asked for",
		join(`From: Ada <${to}>\nDisposition-Notification-To: ${to}\nReturn-Receipt-To: ${to}\nSubject: Commande`, "Bonjour"),
	],
];

/** Headers of e-mails that nobody wrote. */
export const automaticHeaders: readonly string[] = [
	"Auto-Submitted: auto-replied",
	"Auto-Submitted: auto-replied (vacation)",
	"Auto-Submitted: auto-generated",
	"Auto-Submitted: auto-notified; owner-email=x@exemple.fr",
	"Precedence: bulk",
	"Precedence: LIST",
	"Precedence: junk",
	"Precedence: auto_reply",
	"X-Precedence: auto-reply",
	"Preference: auto_reply",
	"List-Id: <x.example>",
	"X-Autoreply: yes",
	"X-Auto-Reply: vacation",
	"X-Autorespond: Commande",
	"X-Autoresponder: 1.2",
	"X-Autoreply-From: client@exemple.fr",
	"X-Mail-Autoreply: vacation",
	"X-Autogenerated: Reply",
	"X-Auto-Response-Suppress: All",
	"X-Auto-Response-Suppress: DR, OOF, AutoReply",
	"X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",
	"Return-Path: <>",
	"Delivered-To: Autoresponder",
	"X-FC-MachineGenerated: true",
	"X-POST-MessageClass: 9; Autoresponder",
	"X-Vacation: yes",
	"X-OTRS-AutoReply: yes",
	"Subject: Réponse automatique : Commande",
	"Subject: =?utf-8?Q?R=C3=A9ponse_automatique_=3A_x?=",
	"Subject: Absence du bureau",
	"Subject: Message d’absence",
	"Subject: Automatic reply: Order",
	"Subject: Out of Office: Order",
	"Subject: OOO: Order",
	"Subject: Abwesenheitsnotiz: Bestellung",
	"Subject: Respuesta automática: pedido",
	"Subject: Risposta automatica: ordine",
	"Subject: Automatisch antwoord: bestelling",
	"Subject: Resposta automática: pedido",
	"Subject: Automatiskt svar: x",
	"Subject: Odpowiedź automatyczna: x",
	"Subject: [Ticket#2026112] Votre demande a bien été enregistrée",
	"Subject: We have received your request",
	"X-Amazon-Auto-Reply: true",
	"X-VacationMessage: yes",
	"X-Away: yes",
	"X-Cron-Env: <HOME=/>",
	"Feedback-Type: abuse",
	"Autosubmitted: auto-replied",
	"Subject: REPONSE AUTOMATIQUE",
	"Subject: =?utf-8?Q?Re=CC=81ponse_automatique_=3A_x?=",
	"Subject: [Réponse automatique] Commande",
	"Subject: Auto-réponse : Commande",
	"Subject: Répondeur : Commande",
	"Subject: Accusé de réception de votre message",
	"Subject: Nous avons bien reçu votre message",
	"Subject: OutOfOffice: Order",
	"Subject: Away from my office",
	"Subject: On leave: Order",
	"Subject: Your request (123) has been received",
	"Subject: Autom. Antwort: Bestellung",
	"Subject: Автоматический ответ: x",
	"Subject: Αυτόματη απάντηση: x",
	"Subject: Lu : Votre extrait",
	"Subject: Not read: Votre extrait",
	"From: ne-pas-repondre@exemple.fr",
	"From: ne_pas_répondre@exemple.fr",
	"From: noreply2@exemple.fr",
	"From: noreply_gestion@exemple.fr",
	"From: gestion-noreply@exemple.fr",
	"From: NO-REPLY@exemple.fr",
];
