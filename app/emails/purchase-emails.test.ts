import { describe, expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { type ServiceCode, services } from "../catalogue/services.ts";
import { renderEmail } from "../mail/render-email.tsx";
import type { StoredDocument } from "../orders/documents/documents.store.server.ts";
import type { Order } from "../orders/order.ts";
import { orderEmails } from "./order-emails.server.ts";

// The e-mails of purchases of several orders, as their readers see them.

const parsed = parseEnvironment({ BASE_URL: "https://extraits.example" });
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { shop, baseUrl } = parsed.environment;
const at = (time: string) => new Date(`2026-11-23T${time}Z`);

/** The e-mails about purchases. */
type PurchaseEmailKind =
	| "confirmation"
	| "invoice-corrected"
	| "resume"
	| "cancelled"
	| "withdrawal-refunded"
	| "document-ready"
	| "document-ready-delivery"
	| "posted"
	| "purchase-problem"
	| "alert-late"
	| "alert-extract-needed";

/** An order of a purchase. Its number ends with its line. */
const line = (number: number, change: Partial<Order> = {}, service: ServiceCode = "standard") =>
	({
		...{ id: `id-${number}`, purchase_id: "id-1", purchase_line: number, order_number: `KB-7F3K-${String(number).padStart(4, "2")}` },
		...{ status: "completed", product_code: service, price_cents: services[service].price, siren: "552032534" },
		...{ company_name: `SOCIÉTÉ ${number}`, reference: null, customer_email: "ada@example.fr", delivery_email: null },
		...{ first_name: "Ada", last_name: "Lovelace", address: "1 rue de la Paix", postal_code: "75002", city: "Paris" },
		...{ billing_company: null, delivery_name: null, delivery_complement: null, delivery_address: null },
		...{ delivery_postal_code: null, delivery_city: null, paid_at: at("08:05:00"), promised_at: at("12:05:00") },
		...{ completed_at: at("09:00:00"), terms_accepted_at: at("08:01:00"), withdrawal_waived_at: null },
		...{ consent_text_version: "2026-11-21", tracking_number: null, failure_reason: null, late_at: null, disputed_at: null },
		...{ refunded_cents: 0 },
		...change,
	}) as Order;

const lines = (count: number, change: Partial<Order> = {}, service: ServiceCode = "standard") =>
	Array.from({ length: count }, (_, index) => line(index + 1, change, service));

function read(
	kind: PurchaseEmailKind,
	orders: readonly Order[],
	about: Order | undefined = orders[0],
	change: {
		trackingUrl?: string;
		filesUrl?: null;
		postings?: ReadonlyMap<string, Date>;
		refundDueBy?: Date;
		promiseMoved?: true;
		cancellingNote?: StoredDocument;
		creditNotes?: StoredDocument[];
	} = {},
) {
	if (about === undefined) throw new Error("the purchase has no order");
	const ready = orders.filter(
		({ product_code, status, delivery_email }) =>
			product_code === about.product_code &&
			status === "completed" &&
			(kind !== "document-ready-delivery" || delivery_email === about.delivery_email),
	);
	const document = { id: "0198c0de-0000-7000-8000-00000000d0c0" } as StoredDocument;
	const attached = { document, url: `${baseUrl}/documents/abc.def`, file: "attached" as const };
	const data = {
		// as they are loaded: the only extract of an e-mail is attached
		...{ line: ready[0] ?? about, extract: ready.length === 1 && change.filesUrl !== null ? attached : null },
		...{ baseUrl, shop, happenedAt: at("12:05:00"), trackingUrl: `${baseUrl}/suivi/KB-7F3K-2221/ensemble/acces/abc.def`, orders, ready },
		...{ customerEmail: "ada@example.fr", request: null, promiseMoved: false, refundDueBy: null },
		...{ invoice: null, invoiceNumber: "F2026-000002", cancellingNote: null, creditNotes: orders.map(() => document) },
		refunds: orders.map((line) => ({ line, amount: line.price_cents })),
		...{
			soleTrader: false,
			postings: new Map<string, Date>(),
			deskOrderUrl: `${baseUrl}/bureau/commandes/KB-7F3K-2221`,
			isDeskOpen: true,
		},
		terms: { fileName: "cgv.pdf", sha256: "0".repeat(64), bytes: new Uint8Array() },
		...{ resumeUrl: `${baseUrl}/paiement/reprendre/abc.def`, filesUrl: `${baseUrl}/documents/ensemble/abc.def` },
		...change,
	};
	const { subject, text, html } = renderEmail(orderEmails[kind].compose(about, data), shop);
	const plain = (words: string) => words.replaceAll("\u00a0", " ");
	expect([subject, text].join("\n")).not.toMatch(/undefined|null|NaN|Invalid Date|'| [:;!?€»%]|« /);
	return { subject: plain(subject), text: plain(text), html: plain(html) };
}

test("the e-mail with a corrected invoice has its number, and counts the extracts of each service", () => {
	const { subject, text } = read("invoice-corrected", [...lines(3), line(4, {}, "express")]);
	expect(subject).toBe("Facture corrigée F2026-000002 : 4 extraits — commande groupée KB-7F3K-2221");
	for (const part of [
		"Nouvelle facture : F2026-000002\nNuméro de commande groupée : KB-7F3K-2221\nKBIS Standard : 3 extraits\nKBIS Express : 1 extrait\n",
		"/suivi/KB-7F3K-2221/ensemble/acces/abc.def",
	])
		expect(text).toContain(part);
	expect(text).not.toContain("SOCIÉTÉ");
});

test.each<[number, Parameters<typeof read>[3], string, string, string]>([
	[1, {}, "SOCIÉTÉ 1", "39,00 €", "L’avoir qui corrige votre facture est joint à ce message."],
	[3, {}, "3 extraits", "117,00 €", "Les avoirs qui corrigent votre facture sont joints à ce message."],
	[3, { creditNotes: [] }, "3 extraits", "117,00 €", "joints à ce message, jusqu’à 5 Mo. Chacun est aussi sur la page de suivi"],
])("the e-mail with the refunds of %i withdrawn lines lists them with their sum", (count, change, begins, total, notes) => {
	const { subject, text } = read("withdrawal-refunded", lines(count), undefined, change);
	expect(subject).toBe(`${begins} : remboursement de votre rétractation — commande groupée KB-7F3K-2221`);
	for (const part of [`KB-7F3K-222${count === 1 ? 1 : 3}, SOCIÉTÉ ${count} : 39,00 € TTC`, `Total remboursé : ${total} TTC`, notes])
		expect(text).toContain(part);
});

describe("the confirmation", () => {
	test("lists the lines with their references, and the promise of each service", () => {
		const { subject, text } = read("confirmation", [
			...lines(2, { reference: "dossier 2026-114" }),
			line(3, { promised_at: at("10:05:00") }, "express"),
			line(4, { promised_at: at("11:05:00") }, "express"),
		]);
		expect(subject).toBe("4 extraits : commande groupée KB-7F3K-2221 confirmée");
		for (const part of [
			"votre commande de 4 extraits est confirmée",
			"KBIS Standard : 2 extraits, livrés au plus tard lundi 23 novembre 2026 à 13 h 05",
			"KBIS Express : 2 extraits, livrés au plus tard lundi 23 novembre 2026 à 11 h 05 pour les premiers, lundi 23 novembre 2026 à 12 h 05 pour le dernier, heure de Paris",
			"KB-7F3K-2222 : SOCIÉTÉ 2 (SIREN 552032534), dossier 2026-114, KBIS Standard",
			"Total payé : 196,00 € TTC",
			"Votre facture est jointe à ce message",
			"/suivi/KB-7F3K-2221/ensemble/acces/abc.def",
			"conditions générales de vente (version du 21 novembre 2026)",
			"quatorze jours pour vous rétracter",
		])
			expect(text).toContain(part);
	});

	test("of forty lines lists twenty and says how many more there are", () => {
		const { text } = read("confirmation", lines(40));
		expect(text).toContain("KB-7F3K-2220");
		expect(text).not.toContain("KB-7F3K-2221 : SOCIÉTÉ 21");
		expect(text).toContain("Et 20 autres, sur la page de suivi.");
	});

	test("with the waiver, says of PDF and letter when each loses the right to withdraw", () => {
		const waived = { withdrawal_waived_at: at("08:01:00") };
		const { text } = read("confirmation", [line(1, waived), line(2, waived, "postal")]);
		const law = "notre service est alors pleinement exécuté (C. conso. art. L221-28, 1°).";
		for (const part of [
			`Pour les extraits envoyés par e-mail, vous perdez votre droit de rétractation, comme vous l’avez reconnu, dès que l’extrait est prêt : ${law}`,
			`Pour les extraits envoyés par courrier, vous perdez votre droit de rétractation, comme vous l’avez reconnu, dès que le courrier est posté : ${law}`,
			"vous pouvez l’annuler depuis sa page : il vous est remboursé aussitôt.",
		])
			expect(text).toContain(part);
		expect(text).not.toContain("quatorze jours");
		expect(read("confirmation", lines(2, waived)).text).toContain("\nVous perdez votre droit de rétractation");
	});

	test("of an order that was bought alone speaks of no purchase", () => {
		expect(read("confirmation", [line(1)]).subject).toBe("SOCIÉTÉ 1 : commande KB-7F3K-2221 confirmée");
	});
});

// a change of these texts is agreed first, then written to the file: npx vitest run app/emails -u
test("each e-mail says word for word what its file says", async () => {
	const express = [line(1, {}, "express"), line(2, { late_at: at("11:00:00") }, "express")];
	const posted = line(3, { tracking_number: "6A01234567890" }, "postal");
	const failed = line(4, { status: "failed", failure_reason: "not-found" });
	const toRecipient = { delivery_email: "banque@example.fr" };
	const texts = [
		["confirmation", read("confirmation", [...express, posted, failed])],
		["resume", read("resume", [...express, posted])],
		["document-ready", read("document-ready", [...express, line(3, { status: "failed", failure_reason: "not-found" }, "express")])],
		["document-ready-delivery", read("document-ready-delivery", lines(2, toRecipient))],
		["posted", read("posted", [posted, { ...posted, order_number: "KB-7F3K-0009" } as Order])],
		["purchase-problem", read("purchase-problem", [...express, failed])],
		["document-ready: one extract of its service", read("document-ready", [line(1, {}, "express"), posted])],
		["document-ready-delivery: one extract of its service", read("document-ready-delivery", [line(1, toRecipient, "express"), posted])],
		["posted: one letter", read("posted", [line(1, {}, "express"), posted], posted)],
		["alert-late", read("alert-late", express)],
		["alert-extract-needed", read("alert-extract-needed", [...express, posted])],
	] as const;
	const all = texts.map(([kind, { subject, text }]) => `=== ${kind}\n${subject}\n\n${text.split("\n-- \n")[0]}`).join("\n");
	await expect(all).toMatchFileSnapshot("purchase-emails.txt");
});

describe("the e-mail at the end of a service", () => {
	test("announces all extracts with the archive and the page, and attaches none", () => {
		const { subject, text } = read("document-ready", [...lines(40), line(41, { status: "processing" }, "express")]);
		expect(subject).toBe("Vos 40 extraits sont prêts — commande groupée KB-7F3K-2221");
		for (const part of [
			"Les 40 extraits KBIS Standard de votre commande groupée KB-7F3K-2221 sont prêts.",
			"/documents/ensemble/abc.def",
			"/ensemble/acces/abc.def",
			"manifeste.csv",
		])
			expect(text).toContain(part);
		expect(text).not.toMatch(/n’a pas pu|n’ont pas pu|Voici/);
		expect(orderEmails["document-ready"].attaches?.({ extract: null } as never)).toEqual([]);
	});

	test("names what failed with its refund, and what was late", () => {
		const failed = line(3, { status: "failed", failure_reason: "not-found" }, "express");
		const cancelled = line(4, { status: "failed", failure_reason: "cancelled" }, "express");
		const { subject, text } = read("document-ready", [...lines(2, { late_at: at("11:00:00") }, "express"), failed, cancelled]);
		expect(subject).toBe("Vos 2 extraits sont prêts — commande groupée KB-7F3K-2221");
		for (const part of [
			"Un extrait n’a pas pu être obtenu",
			"KB-7F3K-2223 : SOCIÉTÉ 3 (SIREN 552032534). Le registre",
			"Il vous est remboursé en totalité.",
			"2 extraits de ce service ont été livrés après l’heure promise",
			"Conformément à notre engagement, ils vous sont remboursés en totalité.",
		])
			expect(text).toContain(part);
		expect(text).not.toContain("SOCIÉTÉ 4");
	});

	test("without any extract offers no download", () => {
		const { subject, text } = read("document-ready", lines(2, { status: "failed", failure_reason: "not-available" }));
		expect(subject).toBe("Aucun extrait KBIS Standard n’a pu être obtenu — commande groupée KB-7F3K-2221");
		expect(text).not.toContain("/documents/");
		expect(text).toContain("Ils vous sont remboursés en totalité.");
	});

	test("to the second address has names and the archive, and nothing of the order", () => {
		const orders = [
			...lines(2, { delivery_email: "banque@example.fr", reference: "dossier 7" }),
			line(3, { delivery_email: "autre@example.fr" }),
		];
		const { subject, text, html } = read("document-ready-delivery", orders);
		expect(subject).toBe("2 extraits du registre du commerce envoyés par Ada Lovelace");
		expect(text).toContain("- SOCIÉTÉ 2 (SIREN 552032534)");
		expect(text).toContain("https://extraits.example/verifier");
		expect(text).toContain("/documents/ensemble/abc.def");
		expect(subject + text + html).not.toMatch(/KB-|\/suivi\/|page de suivi|rembours|€|ada@|dossier 7|SOCIÉTÉ 3/);
	});

	test("to the second address of one extract has it, as that of an order of one", () => {
		const toBank = { delivery_email: "banque@example.fr", billing_company: "SOCIÉTÉ 2" };
		const { subject, text } = read("document-ready-delivery", [line(1, toBank), line(2)]);
		expect(subject).toBe("SOCIÉTÉ 1 : extrait Kbis envoyé par Ada Lovelace");
		// a company of the purchase was chosen, not typed
		expect(text).toContain("Ada Lovelace vous envoie l’extrait Kbis de SOCIÉTÉ 1");
		for (const part of [
			"Il est joint à ce message",
			"Télécharger l’extrait",
			"Enregistrez le fichier",
			"que le fichier n’a pas été modifié",
		])
			expect(text).toContain(part);
		expect(text).not.toMatch(/(?<!\/)extraits|fichiers|KB-|SOCIÉTÉ 2/);
	});

	test("of the only extract that is ready has it, whichever line it is, and says what failed", () => {
		const { subject, text } = read("document-ready", [
			line(1, { status: "failed", failure_reason: "not-found" }),
			line(2, { reference: "dossier 7" }),
			line(3, { tracking_number: "6A01234567890" }, "postal"),
		]);
		expect(subject).toBe("SOCIÉTÉ 2 : votre extrait Kbis est prêt — commande groupée KB-7F3K-2221");
		for (const part of [
			"Il est joint à ce message",
			"Votre référence : dossier 7\n",
			"/documents/abc.def",
			"Un extrait n’a pas pu être obtenu",
		])
			expect(text).toContain(part);
		expect(text).not.toMatch(/SOCIÉTÉ 3|manifeste/);
	});

	test("of letters has their tracking numbers and references", () => {
		const letters = lines(2, { reference: "dossier 7" }, "postal").map((order, index) => ({
			...order,
			tracking_number: `6A0123456789${index}`,
		}));
		const { subject, text } = read("posted", letters);
		expect(subject).toBe("Vos 2 courriers sont partis — commande groupée KB-7F3K-2221");
		expect(text).toContain("KB-7F3K-2222 : SOCIÉTÉ 2 (SIREN 552032534), dossier 7. Numéro de suivi : 6A01234567891");
		expect(text).toContain("sont postés. Arrivée prévue entre le mardi 24 et le jeudi 26 novembre.");
		// posted on different days, each says its own
		const postings = new Map([["id-1", new Date("2026-11-20T10:00:00Z")]]);
		const apart = read("posted", letters, undefined, { postings }).text;
		expect(apart).toContain("Numéro de suivi : 6A01234567890. Arrivée prévue entre le lundi 23 et le mercredi 25 novembre.");
		expect(apart).toContain("Numéro de suivi : 6A01234567891. Arrivée prévue entre le mardi 24 et le jeudi 26 novembre.");
		expect(apart).toContain("sont postés.\n");
	});

	test("of letters names their common address once, and else that of each", () => {
		const letters = lines(2, {}, "postal");
		const once = "Service : KBIS Postal\nDestination : 1 rue de la Paix, 75002 Paris\n";
		expect(read("posted", letters).text).toContain(once);
		expect(read("posted", letters).text.match(/Destination/g)).toHaveLength(1);
		const moved = { delivery_address: "2 rue du Lac", delivery_postal_code: "69003", delivery_city: "Lyon" };
		const { text } = read(
			"posted",
			letters.map((letter, index) => (index === 1 ? { ...letter, ...moved } : letter)),
		);
		expect(text).toContain("Service : KBIS Postal\n\n");
		expect(text).toContain("SOCIÉTÉ 1 (SIREN 552032534). Destination : 1 rue de la Paix, 75002 Paris. Numéro de suivi");
		expect(text).toMatch(/SOCIÉTÉ 2 \(SIREN 552032534\)\. Destination : .*2 rue du Lac, 69003 Lyon\. Numéro de suivi/);
	});
});

describe("the e-mail of the first delay or failure", () => {
	test("names every line whose promise has run out, and promises the refund of express ones", () => {
		const late = [line(1, { status: "processing", late_at: at("12:05:00") }, "express"), line(2, { status: "processing" }, "express")];
		const { subject, text } = read("purchase-problem", [...late, line(3, { status: "processing", promised_at: at("16:00:00") })]);
		expect(subject).toBe("2 extraits sont en retard — commande groupée KB-7F3K-2221");
		for (const part of [
			"SOCIÉTÉ 1",
			"SOCIÉTÉ 2",
			"chaque extrait express en retard vous est remboursé en entier",
			"Vous recevrez quand même",
			"tant que l’extrait n’est pas prêt (par e-mail) ou posté (par courrier)",
		])
			expect(text).toContain(part);
		expect(text).not.toContain("SOCIÉTÉ 3");
	});

	test("of a standard line promises no refund", () => {
		const { subject, text } = read("purchase-problem", [line(1, { status: "processing", late_at: at("12:05:00") }), line(2)]);
		expect(subject).toBe("Un extrait est en retard — commande groupée KB-7F3K-2221");
		expect(text).not.toContain("rembours");
	});

	test("that leaves after the late line was delivered still names it; of two, it says which one is missing", () => {
		const delivered = line(1, { late_at: at("12:05:00") }, "express");
		const alone = read("purchase-problem", [delivered, line(2)]);
		expect(alone.subject).toBe("Un extrait a été livré en retard — commande groupée KB-7F3K-2221");
		expect(alone.text).toMatch(/SOCIÉTÉ 1[^\n]+, livré depuis/);
		expect(alone.text).not.toMatch(/SOCIÉTÉ 2|Vous recevrez quand même/);
		const { subject, text } = read("purchase-problem", [delivered, line(2, { status: "processing", late_at: at("12:05:00") }, "express")]);
		expect(subject).toBe("2 extraits sont en retard — commande groupée KB-7F3K-2221");
		expect(text).toContain("Vous recevrez quand même l’extrait qui manque");
	});

	test("says why a line failed, and that it is refunded", () => {
		const { subject, text } = read("purchase-problem", [line(1), line(2, { status: "failed", failure_reason: "not-found" })]);
		expect(subject).toBe("Un extrait n’a pas pu être obtenu — commande groupée KB-7F3K-2221");
		expect(text).toContain("La totalité de son prix vous est remboursée.");
	});
});

test("the reminder and the cancellation of an unpaid purchase are for the whole", () => {
	const orders = lines(3, { paid_at: null, status: "pending", promised_at: null, completed_at: null });
	const reminder = read("resume", orders);
	expect(reminder.subject).toBe("Votre commande groupée KB-7F3K-2221 n’est pas payée");
	expect(reminder.text).toContain("KBIS Standard : 3 extraits");
	expect(reminder.text).toContain("Total : 117,00 € TTC");
	const cancelled = read("cancelled", orders, orders[1]);
	expect(cancelled.subject).toBe("Annulation de votre commande groupée KB-7F3K-2221");
	for (const part of [
		"Votre commande groupée est annulée",
		"Numéro de commande groupée : KB-7F3K-2221\nKBIS Standard : 3 extraits\nAnnulée le",
	])
		expect(cancelled.text).toContain(part);
	const paid = lines(3);
	expect(read("cancelled", paid, paid[1]).subject).toMatch(/^\S.* : annulation de l’extrait, commande KB-7F3K-2222$/);
});

test.each([
	[12, []],
	[13, ["- et un autre"]],
	[50, ["- et 38 autres"]],
])("the e-mail of %i extracts names the first twelve with the customer's references", (count, rest) => {
	const orders = lines(count).map((order, n) => (n === 1 ? { ...order, reference: "dossier 2026-114" } : order));
	const items = read("document-ready", orders).text.match(/^- .*/gm) ?? [];
	expect(items.slice(0, 2)).toEqual([
		"- SOCIÉTÉ 1 (SIREN 552032534) — KB-7F3K-2221",
		"- SOCIÉTÉ 2 (SIREN 552032534), dossier 2026-114 — KB-7F3K-2222",
	]);
	expect(items.slice(12)).toEqual(rest);
});

describe("the sentences agree with how many extracts they are about", () => {
	const [late, failed] = [
		{ status: "processing", late_at: at("12:00:00") },
		{ status: "failed", failure_reason: "not-found" },
	] as const;
	const delivered = { late_at: at("12:00:00") };
	const recipient = { delivery_email: "banque@example.fr" };

	type Row = [name: string, kind: PurchaseEmailKind, orders: Order[], told: string[], untold: RegExp, change?: Parameters<typeof read>[3]];
	test.each<Row>([
		[
			"two delivered late",
			"purchase-problem",
			lines(2, delivered),
			["2 extraits ont été livrés en retard", "pour ces extraits.", "SOCIÉTÉ 2 (SIREN 552032534), KBIS Standard, promis lundi 23"],
			/rembours|Vous recevrez/,
		],
		[
			"one late",
			"purchase-problem",
			[line(1, { ...late, promised_at: null }, "express"), line(2)],
			[
				...[
					"Un extrait est en retard",
					"pour cet extrait.",
					"SOCIÉTÉ 1 (SIREN 552032534), KBIS Express\n",
					"l’extrait express en retard vous",
				],
				...["recevrez quand même cet extrait, dès que nous l’aurons. Vous pouvez aussi annuler sa commande", "5 à 10 jours ouvrés"],
			],
			/promis lundi|livré depuis|part au plus tard/,
		],
		[
			"two late, whose refund waits for a person",
			"purchase-problem",
			lines(2, late, "express"),
			[
				...["2 extraits sont en retard", "chaque extrait express en retard vous", "ces extraits, dès que nous les aurons."],
				"Ce remboursement vous est dû et part au plus tard le mardi 24 novembre 2026 à 10 h, heure de Paris. Un autre",
			],
			/livré depuis/,
			{ refundDueBy: new Date("2026-11-24T09:00:00Z") },
		],
		[
			"two late of three, and one disputed",
			"purchase-problem",
			[...lines(2, late), line(3, delivered), line(4, { ...late, disputed_at: at("12:00:00") }, "express")],
			["4 extraits sont en retard", "Vous recevrez quand même les extraits qui manquent, dès que nous les aurons."],
			/rembours/,
		],
		[
			"two failed",
			"purchase-problem",
			[
				...lines(2, failed),
				line(3, { status: "failed", failure_reason: "cancelled" }),
				line(4, { status: "processing", promised_at: null }),
			],
			[
				...[
					"2 extraits n’ont pas pu être obtenus",
					"Ces extraits n’ont pas pu être obtenus.",
					"La totalité de leur prix vous est remboursée.",
				],
				...["confirme pour chacun, avec l’avoir.", "SOCIÉTÉ 2 (SIREN 552032534). Le registre du commerce"],
			],
			/SOCIÉTÉ [34]|en retard\b.*excuses/,
		],
		[
			"one failed",
			"purchase-problem",
			[line(1, failed), line(2)],
			["Un extrait n’a pas pu être obtenu", "Cet extrait n’a pas pu être obtenu.", "Un autre e-mail vous le confirme, avec l’avoir."],
			/SOCIÉTÉ 2/,
		],
		[
			"one that was late before it failed",
			"purchase-problem",
			[line(1, { ...failed, late_at: at("11:00:00") }), line(2)],
			["Un extrait n’a pas pu être obtenu", "Cet extrait n’a pas pu être obtenu."],
			/nos excuses|SOCIÉTÉ 2/,
		],
		[
			"one late and one failed",
			"purchase-problem",
			[line(1, late), line(2, failed)],
			["2 extraits sont en retard ou n’ont pas pu être obtenus", "pour cet extrait.", "Cet extrait n’a pas pu"],
			/SOCIÉTÉ 3/,
		],
		[
			"one ready, one failed, and a second address",
			"document-ready",
			[line(1, { ...delivered, ...recipient }, "express"), line(2, { ...failed, late_at: at("12:00:00") }, "express"), line(3)],
			[
				...["Votre extrait Kbis est prêt", "Voici l’extrait Kbis de SOCIÉTÉ 1", "Télécharger l’extrait"],
				...["Nous l’envoyons aussi à banque@example.fr", "1 extrait de ce service a été livré après", "il vous est remboursé en totalité."],
				...["Un extrait n’a pas pu être obtenu", "Ce lien est valable 24 heures."],
			],
			/SOCIÉTÉ 3|extraits KBIS|ZIP/,
		],
		[
			"none ready of two, with a second address",
			"document-ready",
			[line(1, { ...failed, ...recipient }), line(2, failed)],
			["Aucun extrait KBIS Standard de votre commande groupée KB-7F3K-2221 n’a pu être obtenu.", "2 extraits n’ont pas pu être obtenus"],
			/banque|À savoir|manifeste|être prêts/,
		],
		[
			"two ready, one of them late in a service without that promise, and no download",
			"document-ready",
			[line(1, delivered), line(2)],
			["Les 2 extraits KBIS Standard de votre commande groupée KB-7F3K-2221 sont prêts."],
			/après l’heure|manifeste|Nous écrivons|pas pu/,
			{ filesUrl: null },
		],
		[
			"two ready, of which one was late",
			"document-ready",
			[line(1, delivered, "express"), line(2, {}, "express")],
			["1 extrait de ce service a été"],
			/pas pu/,
		],
		[
			"one whose purchase is not known any more",
			"document-ready",
			[line(3)],
			["commande groupée KB-7F3K-2223", "/suivi/x"],
			/documents/,
			{ trackingUrl: `${baseUrl}/suivi/x`, filesUrl: null },
		],
		[
			"one letter",
			"posted",
			[line(1, { tracking_number: null }, "postal"), line(2, failed, "postal")],
			[
				...["Votre courrier est parti", "L’extrait sur papier de votre commande groupée KB-7F3K-2221 est posté. Arrivée prévue entre"],
				...["Numéro de suivi : sur la page de suivi", "Un extrait n’a pas pu être obtenu", "Suivre votre commande"],
			],
			/laposte/,
		],
		[
			"one letter beside a PDF",
			"posted",
			[line(1, { tracking_number: "6A01234567890" }, "postal"), line(2)],
			["est posté. Arrivée prévue entre", "https://www.laposte.fr/outils/suivre-vos-envois?code=6A01234567890"],
			/recevrez/,
		],
		["twenty for a second address", "document-ready-delivery", lines(20, recipient), ["SOCIÉTÉ 20"], /et une autre|autres/],
		[
			"twenty-one",
			"document-ready-delivery",
			lines(21, recipient),
			["SOCIÉTÉ 20", "et une autre", "qu’aucun fichier n’a été"],
			/SOCIÉTÉ 21/,
		],
		[
			"twenty-two",
			"document-ready-delivery",
			lines(22, recipient),
			["et 2 autres", "les fichiers", "Télécharger les extraits"],
			/SOCIÉTÉ 21/,
		],
		[
			"one without a download",
			"document-ready-delivery",
			lines(1, recipient),
			["l’extrait de cette entreprise, commandé"],
			/lien|Vérifier/,
			{ filesUrl: null },
		],
		["a confirmation of twenty", "confirmation", lines(20), ["KB-7F3K-2220"], /Et un autre|autres, sur/],
		["a confirmation of twenty-one", "confirmation", lines(21), ["Et un autre, sur la page de suivi."], /autres, sur/],
		[
			"a confirmation of one service",
			"confirmation",
			lines(2, recipient, "express"),
			[
				...[
					"Livraison des PDF : sur la page de suivi, annoncée par e-mail à ada@example.fr et à banque@example.fr\n",
					"Facturé à : Ada Lovelace",
				],
				...["\nEn retard : remboursé en totalité", "Payé le : lundi 23 novembre 2026 à 9 h 05", "(98,33 € HT et 19,67 € de TVA à 20 %)"],
				"\nTant qu’un extrait n’est pas prêt, vous pouvez l’annuler depuis sa page",
			],
			/Courrier|KBIS Express\. En retard|ont changé/,
		],
		[
			"a confirmation of a letter and PDF, with a moved promise and a corrected invoice",
			"confirmation",
			[line(1), line(2, {}, "postal")],
			[
				...[
					"Livraison du PDF : sur la page de suivi, annoncée par e-mail à ada@example.fr\n",
					"Courrier : envoyé en suivi\nAdresse de livraison : 1 rue de la Paix, 75002 Paris\n",
				],
				...[
					"KBIS Standard : 1 extrait, livré au plus tard",
					"KBIS Postal : 1 extrait, posté au plus tard",
					"les heures ci-dessus nous engagent",
				],
				...["\nKBIS Standard. Extrait erroné", "\nKBIS Postal. Courrier suivi", "Votre facture corrigée est jointe"],
				...[
					"\nTant qu’un extrait n’est pas prêt (par e-mail) ou posté (par courrier), vous pouvez",
					"à compter de la conclusion",
					"à compter de la réception",
				],
			],
			/Facturé à/,
			{ promiseMoved: true, cancellingNote: {} as StoredDocument },
		],
		[
			"a confirmation of two letters without a promise or a payment",
			"confirmation",
			lines(2, { ...recipient, paid_at: null, promised_at: null }, "postal"),
			[
				"Courriers : envoyés en suivi\nAdresse de livraison : ",
				"KBIS Postal : 2 extraits\n",
				"\nTant qu’un courrier n’est pas posté, vous pouvez",
			],
			/Livraison d(?:u|es) PDF|Payé le|Facturé à|Lovelace,$|conclusion du contrat|ou tant que/m,
			{ filesUrl: null },
		],
	])("%s (%s)", (_, kind, orders, told, untold, change) => {
		const { subject, text } = read(kind, orders, orders[0], change);
		const all = `${subject}\n${text}\n`;
		for (const part of told) expect(all).toContain(part);
		expect(all).not.toMatch(untold);
	});

	test.each<[PurchaseEmailKind, Order[], string]>([
		["document-ready", lines(2), "KBIS Standard. Téléchargez-les en une fois."],
		["document-ready", [line(1), line(2, failed)], "Il est joint à ce message."],
		["document-ready", lines(2, failed), "KBIS Standard. Le prix vous est remboursé."],
		["document-ready-delivery", lines(2, recipient), "Téléchargez-les dans les 7 jours."],
		["document-ready-delivery", [line(1, recipient), line(2)], "Il est joint à ce message."],
		["confirmation", lines(2), "2 extraits, 78,00 € TTC. Votre facture est jointe."],
	])("in the preview of %s", (kind, orders, preheader) => {
		expect(read(kind, orders).html).toContain(preheader);
	});
});
