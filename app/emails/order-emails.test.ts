import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { cents } from "../catalogue/money.ts";
import { isPosted, type ServiceCode, serviceCodes, services } from "../catalogue/services.ts";
import { unnamed } from "../companies/company-name.ts";
import { describeEvent } from "../customer/tracking/event-labels.ts";
import { renderEmail } from "../mail/render-email.tsx";
import type { StoredDocument } from "../orders/documents/documents.store.server.ts";
import type { Order } from "../orders/order.ts";
import { bankDays, refundReasonLabels } from "../orders/refunds/refund-reason-labels.ts";
import { nameSender } from "./email-parts.ts";
import {
	bulkEmailKinds,
	getOrderEmail,
	listKindsTo,
	type OrderEmail,
	type OrderEmailKind,
	orderEmailKinds,
	orderEmails,
} from "./order-emails.server.ts";

const parsed = parseEnvironment({ BASE_URL: "https://extraits.example" });
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { shop, baseUrl } = parsed.environment;
const at = (time: string) => new Date(`2026-11-23T${time}Z`);

const order = (change: Partial<Order> = {}, service: ServiceCode = "express") =>
	({
		...{ id: "0198c0de-0000-7000-8000-000000000001", order_number: "KB-7F3K-92QD", status: "completed", product_code: service },
		...{ purchase_line: 1 },
		...{ price_cents: services[service].price, siren: "552032534", company_name: "DANONE" },
		...{ customer_email: "ada@example.fr", delivery_email: "grace@example.fr", first_name: "Ada", last_name: "Lovelace" },
		...{ phone: "06 12 34 56 78", address: "1 rue de la Paix", postal_code: "75002", city: "Paris", billing_company: null },
		...{ delivery_name: null, delivery_complement: null, delivery_address: null, delivery_postal_code: null, delivery_city: null },
		...{ created_at: at("08:00:00"), paid_at: at("08:05:00"), promised_at: at("10:05:00"), completed_at: at("09:00:00") },
		...{ terms_accepted_at: at("08:01:00"), withdrawal_waived_at: at("08:01:00"), consent_text_version: "2026-11-21" },
		...{
			tracking_number: service === "postal" ? "6A01234567890" : null,
			failure_reason: null,
			late_at: null,
			disputed_at: null,
			refunded_cents: 0,
		},
		...change,
	}) as Order;

type Intersection<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void ? All : never;

/** What all e-mails load together. `orders`, `declared` and `refunds`: by default the order alone. */
type EmailData = Intersection<Parameters<OrderEmail["compose"]>[1]>;
type Facts = Omit<EmailData, "orders" | "declared" | "line" | "refunds"> & Partial<Pick<EmailData, "orders" | "declared" | "refunds">>;

const document = { id: "0198c0de-0000-7000-8000-00000000d0c0" } as StoredDocument;

const nothing: Facts = {
	...{ baseUrl, shop, happenedAt: at("09:30:00"), trackingUrl: `${baseUrl}/suivi/KB-7F3K-92QD` },
	...{ customerEmail: "ada@example.fr", opensOrder: false },
	extract: { document, url: `${baseUrl}/documents/abc.def`, file: null },
	postings: new Map(),
	...{ soleTrader: false, ready: [], filesUrl: null, resumeUrl: `${baseUrl}/paiement/reprendre/abc.def` },
	...{ invoice: null, invoiceNumber: "F2026-000002", cancellingNote: null, terms: null, request: null, promiseMoved: false },
	...{ refundDueBy: null, because: "unknown", refund: { amount: cents(5900), reason: "late" }, creditNote: null, creditNotes: [] },
	withdrawal: { declared_at: at("09:15:00"), outcome: "refunded", reason: null, refund_cents: 5900 } as EmailData["withdrawal"],
	...{ answer: "Le document est conforme.", deskOrderUrl: `${baseUrl}/bureau/commandes/KB-7F3K-92QD`, isDeskOpen: true },
	...{ extractOn: "2026-11-03", endsOn: "2027-02-01", importedAt: at("09:00:00") },
	entries: [
		{
			...{ id: "B202602342014", withdraws: null, publishedOn: "2026-11-12", note: null },
			sentence: "Une modification a été publiée le 12 novembre 2026\u00a0: capital.",
			doubt: "ne la montre peut-être pas",
			url: "https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:B202602342014",
		},
	],
	orderUrl: `${baseUrl}/commande/552032534?service=express`,
	endUrl: `${baseUrl}/suivi/surveillance/abc.def`,
};
const everything: Facts = {
	...nothing,
	trackingUrl: `${baseUrl}/suivi/KB-7F3K-92QD/acces/abc.def`,
	extract: { ...nothing.extract, file: "attached" },
	terms: { fileName: "cgv.pdf", sha256: "0".repeat(64), bytes: new Uint8Array() },
	creditNote: document,
	creditNotes: [document],
};

function compose(kind: OrderEmailKind, of: Order, facts: Facts) {
	const { orders = [of], declared = [{ order: of, withdrawal: facts.withdrawal }], refunds = [{ line: of, amount: cents(5900) }] } = facts;
	const data = { ...facts, orders, declared, refunds, line: of };
	// a letter has no file
	if (kind === "extract-replaced" && isPosted(of.product_code)) return orderEmails[kind].compose(of, { ...data, extract: null });
	return orderEmails[kind].compose(of, data);
}
const rendered = (kind: OrderEmailKind, of = order(), facts = everything) => renderEmail(compose(kind, of, facts), shop);
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const read = (...of: Parameters<typeof rendered>) => plain(rendered(...of).text);

/** The words of the HTML as a reader sees them, without the hidden preheader. */
function splitHtmlWords(html: string): string[] {
	const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1]?.replace(/<div style="display:none[^>]*>.*?<\/div>/s, "") ?? "";
	const text = body
		.replace(/<[^>]+>/g, " ")
		.replace(/&#x27;/g, "'")
		.replace(/&quot;/g, '"')
		.replace(/&lt;/g, "<")
		.replace(/&gt;/g, ">")
		.replace(/&amp;/g, "&");
	return splitWords(text);
}
const splitWords = (text: string) =>
	plain(text)
		.split(/[\s:]+/)
		.filter(Boolean);

/** Each service, with an order that has all data and one that has little. */
const variants = serviceCodes.flatMap((service) => [
	{ of: order({}, service), facts: everything },
	{
		of: order(
			{ ...{ paid_at: null, promised_at: null, tracking_number: null, withdrawal_waived_at: null }, terms_accepted_at: null },
			service,
		),
		facts: nothing,
	},
]);

/** To a person who did not order. */
const toRecipient = listKindsTo("delivery");

describe.each(orderEmailKinds)("%s", (kind) => {
	test("is complete and follows French typography", () => {
		for (const { of, facts } of variants) {
			const email = compose(kind, of, facts);
			const { subject, text, html } = rendered(kind, of, facts);
			expect(subject.includes(of.order_number)).toBe(!toRecipient.includes(kind));
			expect(text.includes(of.order_number)).toBe(!toRecipient.includes(kind));
			expect([subject, email.preheader, text].join("\n")).not.toMatch(/undefined|null|NaN|\[object|Invalid Date/);
			expect([subject, text].join("\n")).not.toMatch(/'| [:;!?€»%]|« /);
			expect(html).not.toMatch(/undefined|\[object/);
			expect(email.preheader).not.toBe("");
		}
	});

	test("has the same words as text and as HTML", () => {
		for (const { of, facts } of variants) {
			const { text, html } = rendered(kind, of, facts);
			const words = splitWords(text.replace(/^https:\S+$/gm, "").replace(/^(-+ ?|> )/gm, ""));
			expect(splitHtmlWords(html)).toEqual([shop.name, ...words]);
		}
	});

	test("links only to the shop, to published notices and to the way of a letter, and repeats each link in the text", () => {
		for (const { of, facts } of variants) {
			const { text, html } = rendered(kind, of, facts);
			const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address ?? "");
			for (const link of links)
				expect(link).toMatch(
					/^https:\/\/(extraits\.example\/[\w/.-]+(\?service=express|#[a-z]+)?|www\.bodacc\.fr\/[\w/.?=:-]+|www\.laposte\.fr\/outils\/suivre-vos-envois\?code=\w+)$/,
				);
			expect(text.match(/^https:\S+$/gm) ?? []).toEqual(links);
		}
	});
});

test.each(listKindsTo("operator"))(
	"%s tells the operator what happened and leads to the order at the desk, without the customer's data",
	(kind) => {
		const { subject, text, html } = rendered(kind);
		expect(plain(text)).toContain(plain(compose(kind, order(), everything).preheader));
		expect(text).toContain(`${baseUrl}/bureau/commandes/KB-7F3K-92QD`);
		for (const private_ of ["ada@", "grace@", "Ada", "Lovelace", "06 12", "rue de la Paix"])
			expect(plain(subject + text + html)).not.toContain(private_);
		expect(text).toContain("DANONE");
		const invitation = "npm run desk -- invite";
		expect(text).not.toContain(invitation);
		expect(JSON.stringify(compose(kind, order(), { ...everything, isDeskOpen: false }))).toContain(invitation);
	},
);

/** « resume » only offers the payment; a cancelled order needs nothing more. */
const withoutTracking: OrderEmailKind[] = ["resume", "cancelled"];

test.each(listKindsTo("customer").filter((kind) => !withoutTracking.includes(kind)))("%s links its customer to the order", (kind) => {
	expect(rendered(kind).html).toContain(`href="${everything.trackingUrl}"`);
});

test.each(toRecipient)("%s has nothing of the buyer but the name: no order, no price, no step that only the buyer can take", (kind) => {
	for (const of of [order(), order({ billing_company: "CABINET EXEMPLE" })]) {
		const { subject, text, html } = rendered(kind, of);
		expect(plain(subject + text + html)).not.toMatch(/KB-|\/suivi\/|page de suivi|rembours|€|ada@|06 12|rue de la Paix/);
		expect(plain(text)).toContain(of.billing_company ? "Ada Lovelace (CABINET EXEMPLE)" : "Ada Lovelace");
		for (const expected of [`${baseUrl}/documents/abc.def`, `${baseUrl}/verifier/${document.id}`, "est joint à ce message"])
			expect(plain(text)).toContain(expected);
	}
});

test.each<[string, Partial<Order>, string]>([
	["a typed company is named", { billing_company: "CABINET EXEMPLE" }, "Ada Lovelace (CABINET EXEMPLE)"],
	["no company is named without one", { billing_company: null }, "Ada Lovelace"],
	["the company ordered is not the sender's", { billing_company: "DANONE" }, "Ada Lovelace"],
	["nor under another name", { billing_company: "DANONE SA", billing_siren: "552032534" as Order["siren"] }, "Ada Lovelace"],
	["nor another company of the purchase", { billing_company: "LA POSTE" }, "Ada Lovelace"],
	[
		"one with a SIREN that is not ordered is",
		{ billing_company: "CABINET", billing_siren: "423435544" as Order["siren"] },
		"Ada Lovelace (CABINET)",
	],
])("in an e-mail to a second recipient, %s", (_, change, sender) => {
	const one = order({ siren: "552032534" as Order["siren"], company_name: "DANONE", billing_siren: null, ...change });
	const other = order({ siren: "356000000" as Order["siren"], company_name: "LA POSTE" });
	expect(nameSender(one, [one, other])).toBe(sender);
});

test.each(orderEmailKinds)("%s tells companies without a name to show apart by their SIREN", (kind) => {
	const masked = order({ company_name: unnamed });
	const [named, subject] = [order(), masked].map((of) => plain(rendered(kind, of).subject));
	expect(subject).toBe(named?.replace("DANONE", "SIREN 552 032 534"));
	for (const because of ["removed", "no-kbis", "unknown"] as const)
		expect(`${compose(kind, masked, everything).preheader}\n${read(kind, masked, { ...everything, because })}`).not.toMatch(
			/(?:d’|\b(?:pour|sur|à) )Entreprise|^Entreprise(?! :)|, Entreprise$/m,
		);
});

test("the e-mails that end a paid order say how long the refund takes", () => {
	for (const kind of ["failed", "withdrawal-receipt"] as const) expect(read(kind, order({}, "standard"))).toContain(plain(bankDays));
});

// a change of these texts is agreed first, then written to the file: npx vitest run app/emails -u
test("each e-mail says word for word what its file says", async () => {
	const file = readFileSync(join(import.meta.dirname, "order-emails.txt"), "utf8");
	const inOrderOfFile = orderEmailKinds.toSorted((a, b) => file.indexOf(`=== ${a}\n`) - file.indexOf(`=== ${b}\n`));
	const texts = inOrderOfFile.map((kind) => {
		const { subject, text } = rendered(kind);
		return `=== ${kind}\n${subject}\n${compose(kind, order(), everything).preheader}\n\n${text.split("\n-- \n")[0]}`;
	});
	await expect(plain(texts.join("\n"))).toMatchFileSnapshot("order-emails.txt");
});

test("an e-mail about notices counts them, says what was cancelled and what to do, and proposes a new extract where there is a doubt", () => {
	const [entry] = everything.entries;
	if (!entry) throw new Error("there is no notice");
	const tell = (...entries: (typeof entry)[]) => {
		const facts = { ...everything, entries };
		return [plain(rendered("extract-notices", order(), facts).subject), read("extract-notices", order(), facts)] as const;
	};
	const [subject, text] = tell(entry, { ...entry, note: "Un extrait récent le précise." });
	expect(subject).toBe("2 annonces ont été publiées sur DANONE depuis votre extrait — commande KB-7F3K-92QD");
	expect(text).toContain("2026 : capital. Un extrait récent le précise. Votre extrait du 3 novembre 2026 ne la montre peut-être pas.");
	expect(text).toContain("vous pouvez en commander un nouveau");
	const [cancelled, withoutDoubt] = tell({ ...entry, withdraws: "B202602342000", doubt: null });
	expect(cancelled).toBe("Une annonce sur DANONE a été annulée depuis votre extrait — commande KB-7F3K-92QD");
	expect(withoutDoubt).not.toMatch(/commander un nouveau|Commander à jour|peut-être/);
});

test("an e-mail of an unknown kind is refused", () => {
	for (const kind of orderEmailKinds) expect(getOrderEmail(kind).name).toBe(kind);
	// rows of earlier versions
	for (const [kind, name] of [
		["purchase-ready", "document-ready"],
		["purchase-ready-delivery", "document-ready-delivery"],
		["purchase-posted", "posted"],
		["alert-lines-late", "alert-late"],
		["alert-extracts-needed", "alert-extract-needed"],
	] as const)
		expect(getOrderEmail(kind).name).toBe(name);
	expect(() => getOrderEmail("newsletter")).toThrow("no e-mail about an order is called « newsletter »");
});

test("only the e-mails about notices come by thousands", () => {
	expect(bulkEmailKinds).toEqual(["extract-notices"]);
});

test("the confirmation repeats the contract: service, price, deadline, consents, and how to withdraw", () => {
	const text = read("confirmation");
	expect(text).toMatch(
		/Retrouver toutes vos commandes et vos factures, sans mot de passe[^\n]*\n?[^\n]*https?:\/\/[^\s/]+\/mes-commandes(?!\/)/,
	);
	for (const expected of [
		"KB-7F3K-92QD",
		"DANONE (SIREN 552032534)",
		"KBIS Express",
		"59,00 € TTC (49,17 € HT et 9,83 € de TVA à 20 %)",
		"lundi 23 novembre 2026 à 11 h 05",
		"En retard : remboursé en totalité, sans que vous ayez à le demander.",
		"Aucun abonnement : il s’agit d’un achat unique",
		"Vous avez accepté les conditions générales de vente (version du 21 novembre 2026) le lundi 23 novembre 2026 à 9 h 01.",
		"Vous avez demandé l’exécution immédiate le lundi 23 novembre 2026 à 9 h 01",
		"L221-28, 1°",
		`${baseUrl}/cgv`,
		`${baseUrl}/retractation`,
		shop.mediator,
	])
		expect(text).toContain(expected);
});

test("the confirmation names the customer's reference, if there is one", () => {
	expect(read("confirmation", order({ reference: "dossier 2026-114" }))).toContain("Votre référence : dossier 2026-114");
	expect(read("confirmation")).not.toContain("référence");
});

test("the e-mail with the extract names the reference to its customer, and not to a second recipient", () => {
	const withReference = order({ reference: "dossier 2026-114", delivery_email: "grace@example.fr" });
	expect(read("document-ready", withReference)).toContain("Votre référence : dossier 2026-114\n");
	expect(read("document-ready")).not.toContain("référence");
	expect(read("document-ready-delivery", withReference)).not.toContain("2026-114");
});

test("the confirmation names whom the invoice names, unless a correction changed it", () => {
	expect(read("confirmation")).toContain("Facturé à : Ada Lovelace, 1 rue de la Paix, 75002 Paris");
	expect(read("confirmation", order({ billing_company: "Cabinet Exemple" }))).toContain("Facturé à : Cabinet Exemple, 1 rue de la Paix");
	const corrected = read("confirmation", order(), { ...everything, cancellingNote: document });
	expect(corrected).toContain("Votre facture corrigée est jointe à ce message, avec l’avoir qui annule la précédente.");
	expect(corrected).not.toMatch(/Facturé à|Votre facture est jointe/);
});

test.each([
	["98800", "Nouméa", "le mercredi 2 et le lundi 7 décembre"],
	["97400", "Saint-Denis", "le lundi 30 novembre et le mercredi 2 décembre"],
	["98000", "Monaco", "le mardi 24 et le jeudi 26 novembre"],
])("a letter to %s %s arrives when its territory allows, in every e-mail", (delivery_postal_code, delivery_city, days) => {
	const letter = order({ delivery_name: "Grace Hopper", delivery_address: "1 rue A", delivery_postal_code, delivery_city }, "postal");
	for (const name of ["posted", "extract-replaced"] as const) expect(read(name, letter)).toContain(`Arrivée prévue entre ${days}.`);
	expect(read("confirmation", { ...letter, promised_at: at("17:00:00") })).toContain(`Arrivée prévue : entre ${days}`);
});

test("a posted letter has its way on the site of La Poste, in every e-mail; one of the demo has none", () => {
	const way = "https://www.laposte.fr/outils/suivre-vos-envois?code=6A01234567890";
	for (const name of ["posted", "extract-replaced", "tracking-corrected"] as const) {
		expect(read(name, order({}, "postal"))).toContain(way);
		expect(read(name, order({ tracking_number: "DEMO01234567890" }, "postal"))).not.toContain("laposte");
	}
});

test("a letter arrives as many days after its posting, however late its e-mail leaves", () => {
	const letter = order({}, "postal");
	const postings = new Map([[letter.id, new Date("2026-11-19T10:00:00Z")]]);
	expect(read("posted", letter, { ...everything, postings })).toContain("Arrivée prévue entre le vendredi 20 et le mardi 24 novembre.");
});

test("the time limit for a cancellation has the same words as on the pages, for each delivery method", () => {
	for (const [service, until] of [
		["express", "tant que l’extrait n’est pas prêt"],
		["postal", "tant que le courrier n’est pas posté"],
	] as const) {
		const sentence = `annuler ${until}, depuis la page de suivi : vous serez remboursé immédiatement de la totalité.`;
		expect(read("confirmation", order({}, service))).toContain(`Vous pouvez ${sentence}`);
	}
	expect(read("late", order({}, "postal"))).toContain("annuler tant que le courrier n’est pas posté, depuis la page de suivi");
});

test.each(["v3.1", "2026", "2026-13-45"])("a version of the terms that is no day is repeated unchanged: %s", (version) => {
	expect(read("confirmation", order({ consent_text_version: version }))).toContain(`(version ${version})`);
});

test("without the waiver, the confirmation names the right of withdrawal, for a letter from its receipt", () => {
	expect(read("confirmation", order({ withdrawal_waived_at: null }))).toContain(
		"quatorze jours pour vous rétracter, à compter de la conclusion du contrat",
	);
	const postal = read("confirmation", order({ withdrawal_waived_at: null }, "postal"));
	expect(postal).toContain("quatorze jours pour vous rétracter, à compter de la réception du courrier");
	expect(postal).toContain("Adresse de livraison : 1 rue de la Paix, 75002 Paris");
});

test("the document's e-mail has the PDF, a link for a day, and how to verify the document", () => {
	const text = read("document-ready");
	expect(text).toContain("est joint à ce message");
	expect(text).toContain(`${baseUrl}/documents/abc.def`);
	expect(text).toContain("valable 24 heures");
	expect(text).toContain(`${baseUrl}/verifier/${document.id}`);
});

test.each(["document-ready", "document-ready-delivery", "extract-replaced", "extract-replaced-delivery"] as const)(
	"%s says whether the file is attached, and why it is not",
	(kind) => {
		const say = (file: EmailData["extract"]["file"]) => read(kind, order(), { ...everything, extract: { ...everything.extract, file } });
		expect(say("attached")).toContain("joint à ce message, au format PDF");
		expect(say("too-large")).toContain("dépasse 5 Mo : il n’est pas joint à ce message");
		expect(say(null)).not.toMatch(/joint à ce message|5 Mo/);
	},
);

test("the customer reads that the document was also sent to the recipient, if there is one", () => {
	expect(read("document-ready").match(/.*grace@example.fr.*/g)).toEqual([
		"Nous l’envoyons aussi à grace@example.fr, avec un message qui indique votre nom.",
	]);
	for (const mine of [null, "ada@example.fr", " ADA@example.fr"]) {
		const own = read("document-ready", order({ delivery_email: mine }));
		expect(own).toContain("Bonjour Ada Lovelace,");
		expect(own).not.toContain("Nous l’envoyons aussi");
		expect(own).toMatch(/qui suivent la livraison : après vérification, nous vous remboursons/);
	}
});

test.each([
	"confirmation",
	"document-ready",
	"document-ready-delivery",
	"posted",
	"extract-replaced",
	"extract-replaced-delivery",
	"tracking-corrected",
	"late",
	"failed",
	"company-changed",
	"refunded",
	"refund-request-received",
	"refund-request-refused",
	"letter-corrected",
] as const)("the subject of « %s » begins with the company", (kind) => {
	expect(plain(rendered(kind).subject)).toMatch(/^DANONE : /);
});

test("a delivery names company, service and destination in this order, by e-mail and by post", () => {
	const [file, letter] = [read("document-ready"), read("posted", order({ reference: "dossier 7" }, "postal"))];
	for (const ready of [file, read("document-ready", order({ delivery_email: null }))])
		expect(ready).toContain("DANONE (SIREN 552032534).\n\nService : KBIS Express\nDestination : ada@example.fr\n");
	expect(read("extract-replaced")).toContain("Service : KBIS Express\nDestination : ada@example.fr et grace@example.fr\n");
	expect(letter).toMatch(
		/DANONE \(SIREN 552032534\) est posté\..*\n\nService : KBIS Postal\nDestination : 1 rue de la Paix, 75002 Paris\nNuméro de suivi : 6A01234567890\nVotre référence : dossier 7\n/,
	);
});

test("every e-mail elides « de » before a company that asks for it", () => {
	for (const kind of orderEmailKinds) {
		const { subject, text } = rendered(kind, order({ company_name: "HERMÈS" }));
		expect(plain(`${subject}\n${text}`), kind).not.toMatch(/\b(?:de|que) HERMÈS/);
	}
	expect(read("document-ready", order({ company_name: "HERMÈS" }))).toContain("l’extrait Kbis d’HERMÈS");
});

test("a sole trader's extract is an extract K", () => {
	for (const kind of ["document-ready", "document-ready-delivery"] as const) {
		const asK = rendered(kind, order(), { ...everything, soleTrader: true });
		expect([asK.subject, rendered(kind).subject]).toEqual([expect.stringMatching(/extrait K /), expect.stringMatching(/extrait Kbis /)]);
		expect([plain(asK.text), read(kind)]).toEqual([expect.stringContaining("extrait K de"), expect.stringContaining("extrait Kbis de")]);
	}
});

test("a late express order is refunded and still delivered; for another service there is an apology; a disputed order is promised no refund", () => {
	expect(read("late", order({}, "express"))).toMatch(/remboursons votre commande en entier.*Vous recevrez quand même votre extrait/s);
	for (const other of [order({}, "standard"), order({}, "postal"), order({ disputed_at: at("09:00:00") })]) {
		expect(read("late", other)).not.toContain("remboursons votre commande en entier");
		expect(read("late", other)).toContain("nos excuses");
	}
});

test.each(["not-found", "not-available", "operator", null])("a failed order (%s) has its reason and a full refund", (reason) => {
	const text = read("failed", order({ failure_reason: reason as Order["failure_reason"] }), nothing);
	expect(text).toContain("La totalité de ce que vous avez payé vous est remboursée.");
	expect(text.includes("Le registre du commerce et des sociétés ne contient pas")).toBe(reason === "not-found");
});

test.each(Object.keys(refundReasonLabels) as (keyof typeof refundReasonLabels)[])(
	"a refund (%s) has its amount, reason and delay",
	(reason) => {
		const text = read("refunded", order(), { ...everything, refund: { amount: cents(1234), reason } });
		expect(text).toContain("12,34 €");
		expect(text).toContain(plain(refundReasonLabels[reason]).slice(0, 30));
		expect(text).toContain("5 à 10 jours ouvrés");
	},
);

test("an order cancelled before its payment is promised no refund", () => {
	expect(read("cancelled")).toContain("lundi 23 novembre 2026 à 10 h 30");
	expect(read("cancelled")).toContain("vous est remboursée");
	const unpaid = read("cancelled", order({ paid_at: null }));
	for (const part of ["Votre commande est annulée", "Numéro de commande : KB-7F3K-92QD", "Entreprise : DANONE"])
		expect(unpaid).toContain(part);
	expect(unpaid).not.toContain("remboursée");
});

test.each<[string, OrderEmailKind, Order, Partial<Facts>, string]>([
	[
		"an extract behind its link",
		"document-ready",
		order(),
		{ extract: { ...everything.extract, file: "too-large" } },
		"Téléchargez-le dans les 24 heures.",
	],
	[
		"that of a recipient",
		"document-ready-delivery",
		order(),
		{ extract: { ...everything.extract, file: "too-large" } },
		"Téléchargez-le dans les 24 heures.",
	],
	[
		...(["a new letter", "extract-replaced", order({}, "postal"), {}] as const),
		"Un nouveau courrier est parti. Numéro de suivi : 6A01234567890.",
	],
	[
		...(["a letter without its number", "extract-replaced", order({ tracking_number: null }, "postal"), {}] as const),
		"Un nouveau courrier est parti. Numéro de suivi : sur la page de suivi.",
	],
	["an unpaid order", "cancelled", order({ paid_at: null }), {}, "Vous n’avez rien payé et ne devez rien."],
])("the preview of %s (%s)", (_, kind, of, change, preheader) => {
	expect(plain(compose(kind, of, { ...everything, ...change }).preheader)).toBe(preheader);
});

test("the receipt of a withdrawal has its content, hour and outcome", () => {
	const receipt = (outcome: "cancelled" | "refunded" | "refused", reason: string | null = null) =>
		read("withdrawal-receipt", order(), { ...everything, withdrawal: { ...everything.withdrawal, outcome, reason } });
	for (const outcome of ["cancelled", "refunded", "refused"] as const) {
		expect(receipt(outcome)).toContain("ma rétractation du contrat portant sur la commande KB-7F3K-92QD");
		expect(receipt(outcome)).toContain("lundi 23 novembre 2026 à 10 h 15");
		expect(receipt(outcome).includes("Nous vous remboursons 59,00 €.")).toBe(outcome !== "refused");
		expect(receipt(outcome).includes("L221-28, 1°")).toBe(outcome === "refused");
	}
	expect(receipt("refused", "Le délai de quatorze jours est passé.")).toContain("Le délai de quatorze jours est passé.");
});

test("a late express order that fails later is not promised a second refund", () => {
	const late = order({ status: "failed", late_at: at("10:06:00"), refunded_cents: 5900 as Order["refunded_cents"] });
	const withdrawal = { ...everything.withdrawal, outcome: "cancelled", refund_cents: 0 } as const;
	for (const text of [read("failed", late), read("cancelled", late), read("withdrawal-receipt", late, { ...everything, withdrawal })]) {
		expect(text).toContain("vous a déjà été remboursée");
		expect(text).not.toContain("Un autre e-mail vous le confirme");
	}
});

test("a refused withdrawal from a refunded order does not mention the guarantee", () => {
	const refused = { ...everything, withdrawal: { ...everything.withdrawal, outcome: "refused", reason: "Déjà remboursée." } as const };
	expect(read("withdrawal-receipt", order({ refunded_cents: 5900 as Order["refunded_cents"] }), refused)).not.toMatch(/30 jours|L221-28/);
	expect(read("withdrawal-receipt", order(), refused)).toContain("dans les 30 jours qui suivent sa livraison");
});

test("a refused withdrawal cites its article once: in the recorded reason", () => {
	const reason = "Or votre extrait vous a été envoyé (article L221-28, 1° du code de la consommation).";
	const refused = { ...everything, withdrawal: { ...everything.withdrawal, outcome: "refused", reason } as const };
	expect(read("withdrawal-receipt", order(), refused).split("L221-28")).toHaveLength(2);
});

test("an unfinished payment can be resumed, and has cost nothing", () => {
	expect(read("resume")).toContain(`${baseUrl}/paiement/reprendre/abc.def`);
	expect(read("resume")).toContain("Rien n’a été prélevé");
});

test("the operator's answer is repeated unchanged", () => {
	expect(read("refund-request-refused")).toContain("> Le document est conforme.");
});

describe("a name is not sent to a mailbox before the payment", () => {
	test.each(listKindsTo("customer"))("%s", (kind) => {
		const unpaid = order({ paid_at: null, status: "pending", delivery_email: null });
		expect(read(kind, unpaid)).not.toMatch(/Ada|Lovelace/);
	});

	test("a customer who has paid is greeted by name", () => {
		for (const kind of ["confirmation", "late", "refunded", "failed", "posted"] as const)
			expect(read(kind)).toContain("Bonjour Ada Lovelace,");
		expect(read("withdrawal-receipt")).toContain("Nom : Ada Lovelace");
	});
});

test("the second recipient receives the document only", () => {
	expect(toRecipient.toSorted()).toEqual(["document-ready-delivery", "extract-replaced-delivery"]);
});

test("a replaced extract has its new link, or the number of its new letter", () => {
	expect(read("extract-replaced")).toContain(`${baseUrl}/documents/abc.def`);
	const posted = read("extract-replaced", order({}, "postal"));
	expect(posted).toContain("Numéro de suivi : 6A01234567890");
	expect(posted).toContain("1 rue de la Paix, 75002 Paris");
	expect(posted).toContain("Le nouvel extrait est parti par courrier. Arrivée prévue entre le mardi 24 et le jeudi 26 novembre.");
	expect(posted).not.toContain("/documents/");
	for (const text of [posted, read("extract-replaced")]) expect(text).toContain("N’utilisez plus l’ancien extrait.");
});

test("a corrected tracking number is the order's", () => {
	expect(read("tracking-corrected", order({}, "postal"))).toContain("Numéro de suivi : 6A01234567890");
});

test("the confirmation has the address, the deadline and the payment date", () => {
	const to = (change: Partial<Order>, service: ServiceCode = "express") => read("confirmation", order(change, service));
	expect(to({})).toContain("sous 2 heures ouvrées, à ada@example.fr et à grace@example.fr");
	expect(to({ delivery_email: null })).toContain("par e-mail, sous 2 heures ouvrées, à ada@example.fr\n");
	expect(to({})).toContain("Livré au plus tard : lundi 23 novembre 2026 à 11 h 05");
	expect(to({})).toContain("Payé le : lundi 23 novembre 2026 à 9 h 05");
	expect(to({ paid_at: null })).not.toMatch(/Payé le|Facturé à/);
	expect(to({}, "postal")).toContain("Posté au plus tard : lundi 23 novembre 2026 à 11 h 05");
	const preheader = (change: Partial<Order>) => plain(compose("confirmation", order(change), everything).preheader);
	expect(preheader({})).toContain("Livré au plus tard : lundi 23 novembre 2026 à 11 h 05, heure de Paris.");
	expect(preheader({ promised_at: null })).not.toContain("au plus tard");
});

test.each<[string, Partial<Order>, boolean, boolean]>([
	["both boxes", {}, true, true],
	["the terms alone", { withdrawal_waived_at: null }, true, false],
	["the waiver alone", { terms_accepted_at: null }, false, true],
	["no box", { terms_accepted_at: null, withdrawal_waived_at: null }, false, false],
])("the confirmation repeats %s, and no other consent", (_what, change, terms, waiver) => {
	const text = read("confirmation", order(change));
	expect(text.includes("Ce que vous avez accepté")).toBe(terms || waiver);
	expect(text.includes("Vous avez accepté les conditions générales de vente (version du 21 novembre 2026) le lundi 23")).toBe(terms);
	expect(text.includes("reconnu la perte de votre droit de rétractation (version du 21 novembre 2026)")).toBe(waiver);
	expect(text.includes("L221-28, 1°")).toBe(waiver);
	expect(text.includes("Vous avez quatorze jours pour vous rétracter")).toBe(!waiver);
});

test("a posted letter has its number and its address", () => {
	const text = read("posted", order({}, "postal"));
	expect(text).toContain("Numéro de suivi : 6A01234567890");
	expect(text).toContain("Destination : 1 rue de la Paix, 75002 Paris");
	const elsewhere = order(
		{ delivery_name: "Grace", delivery_address: "4 quai", delivery_postal_code: "75001", delivery_city: "Paris" },
		"postal",
	);
	for (const kind of ["posted", "extract-replaced"] as const)
		expect(read(kind, elsewhere)).toContain("Destination : Grace, 4 quai, 75001 Paris");
	expect(read("confirmation", elsewhere)).toContain("Adresse de livraison : Grace, 4 quai, 75001 Paris");
	expect(compose("posted", order({}, "postal"), everything).preheader).toContain("6A01234567890");
});

test("the customer of a late order reads the deadline and the next step for the delivery method", () => {
	expect(read("late")).toContain("le délai promis (lundi 23 novembre 2026 à 11 h 05, heure de Paris)");
	expect(read("late", order({ promised_at: null }))).toContain("le délai promis. Nous");
	expect(read("late", order({}, "standard"))).toContain("dès que l’extrait sera prêt");
	expect(read("late", order({}, "postal"))).toContain("dès que le courrier sera posté");
	const held = read("late", order(), { ...everything, refundDueBy: new Date("2026-11-24T09:00:00Z") });
	expect(held).toContain("Ce remboursement vous est dû et part au plus tard le mardi 24 novembre 2026 à 10 h, heure de Paris.");
	expect(read("late")).not.toContain("au plus tard");
	const preheader = (of: Order) => compose("late", of, everything).preheader;
	expect(preheader(order())).toContain("Nous vous la remboursons en entier");
	for (const other of [order({}, "standard"), order({ disputed_at: at("09:00:00") })]) expect(preheader(other)).not.toContain("rembours");
});

test.each([
	["not-found", "Le registre du commerce et des sociétés ne contient pas d’extrait pour cette entreprise."],
	["not-available", "Aucun extrait n’est délivré pour cette entreprise."],
	["operator", "Nous n’avons pas pu obtenir l’extrait commandé."],
] as const)("a failed order (%s): %s", (failure_reason, sentence) => {
	const email = compose("failed", order({ failure_reason }), nothing);
	expect([email.preheader, email.blocks[1]]).toEqual([sentence, sentence]);
});

test.each([
	["removed", "DANONE (SIREN 552032534) est radiée du registre du commerce et des sociétés", "data.inpi.fr"],
	["wrong-siren", "Le SIREN 552032534 n’est pas celui de l’entreprise", "nouvelle commande avec le bon numéro"],
	["no-kbis", "DANONE (SIREN 552032534) n’est pas inscrite au registre du commerce et des sociétés", "avis-situation-sirene.insee.fr"],
	["unknown", "ne contient pas d’extrait", "data.inpi.fr"],
] as const)("an order whose extract is not found (%s) says why and what to do", (because, why, advice) => {
	const text = read("failed", order({ failure_reason: "not-found" }), { ...nothing, because });
	expect(text).toContain(why);
	expect(text).toContain(advice);
});

test.each([
	["failed", /n’a pas pu être exécutée/],
	["cancelled", /Vous avez annulé/],
	["late", /Le délai du service KBIS Express n’a pas été tenu/],
	["withdrawal", /Votre rétractation est acceptée/],
	["guarantee", /erroné ou inutilisable, et nous l’avons vérifié/],
	["operator", /Nous avons décidé/],
	["dashboard", /Nous avons décidé/],
	["surplus", /payée deux fois/],
] as const)("a refund for « %s » says so: %s", (reason, sentence) => {
	expect(read("refunded", order(), { ...everything, refund: { amount: cents(5900), reason } })).toMatch(sentence);
});

test("the credit note is mentioned only when it is attached", () => {
	const named = /avoir .*est joint|L’avoir est joint/;
	const both = (facts: Facts) => read("refunded", order(), facts) + compose("refunded", order(), facts).preheader;
	expect(both(everything)).toMatch(named);
	expect(both({ ...everything, creditNote: null })).not.toMatch(named);
	expect(compose("surplus-refunded", order(), everything).preheader).toContain("59,00");
});

test("a cancelled or withdrawn order names its refund: none if it was unpaid, otherwise in full, and for a late express order only once", () => {
	const cancelled = { ...everything.withdrawal, outcome: "cancelled" } as const;
	const readReceipt = (of: Order) => read("withdrawal-receipt", of, { ...everything, withdrawal: cancelled });
	const unpaid = order({ paid_at: null });
	for (const text of [readReceipt(unpaid), read("cancelled", unpaid)]) expect(text).toContain("Vous n’avez rien payé et ne devez rien.");
	expect(readReceipt(unpaid)).not.toContain("rembours");
	for (const of of [order(), order({ late_at: at("09:00:00") }, "standard"), order({ late_at: at("09:00:00") }, "postal")])
		for (const [text, amount] of [
			[readReceipt(of), "Nous vous remboursons 59,00 €."],
			[read("cancelled", of), "La totalité de ce que vous avez payé vous est remboursée."],
			[read("failed", of), "La totalité de ce que vous avez payé vous est remboursée."],
		] as const) {
			expect(text).toContain(`${amount} Un autre e-mail vous le confirme`);
			expect(text).not.toContain("ne devez rien");
		}
	expect(readReceipt(order())).toContain("Votre rétractation est acceptée : la commande est annulée.");
	const exercised = { ...everything, withdrawal: { ...cancelled, outcome: "refunded" } as const };
	expect(read("withdrawal-receipt", order(), exercised)).toContain("Votre rétractation est acceptée.");
});

test("a refused withdrawal has its reason: the delivery with its date, and the waiver", () => {
	const refused = { ...everything, withdrawal: { ...everything.withdrawal, outcome: "refused", reason: null } as const };
	const readReceipt = (change: Partial<Order>) => read("withdrawal-receipt", order(change), refused);
	expect(readReceipt({})).toContain(
		"Le document a été livré le lundi 23 novembre 2026 à 10 h, après que vous avez demandé l’exécution immédiate",
	);
	expect(readReceipt({})).toContain("le lundi 23 novembre 2026 à 9 h 01.");
	expect(readReceipt({})).toContain("Nous ne pouvons pas donner suite à cette rétractation.");
	expect(readReceipt({ completed_at: null })).toContain("Le document a été livré, après que");
	expect(readReceipt({ withdrawal_waived_at: null })).toContain("Le document a été livré le lundi 23 novembre 2026 à 10 h.");
	expect(readReceipt({ withdrawal_waived_at: null })).not.toContain("L221-28");
	// a refunded or undelivered order has no guarantee
	for (const over of [{ refunded_cents: 5900 as Order["refunded_cents"] }, { status: "failed" as const }])
		expect(readReceipt(over)).not.toMatch(/30 jours|L221-28/);
	expect(readReceipt({ refunded_cents: 5899 as Order["refunded_cents"] })).toContain("dans les 30 jours");
});

test("the receipt of several lines: a row each, the sum, and the guarantee where a refused one was delivered and is not refunded", () => {
	type Line = EmailData["declared"][number];
	const declare = (number: string, withdrawal: Partial<Line["withdrawal"]>): Line => ({
		order: order({ order_number: number as Order["order_number"] }),
		withdrawal: { ...everything.withdrawal, ...withdrawal },
	});
	const accepted = declare("KB-1111-1111", { refund_cents: 3900 });
	const cancelled = declare("KB-2222-2222", { outcome: "cancelled", refund_cents: 2000 });
	const refused = declare("KB-1111-1111", { outcome: "refused", reason: "Le délai est écoulé.", refund_cents: 0 });
	const withoutRefund = declare("KB-1111-1111", { refund_cents: 0 });
	const change = (line: Line, over: Partial<Order>): Line => ({ ...line, order: { ...line.order, ...over } });
	const unpaid = change(declare("KB-2222-2222", { outcome: "cancelled", refund_cents: 0 }), { paid_at: null });
	const readReceipt = (...declared: Line[]) => read("withdrawal-receipt", order(), { ...everything, declared });
	const guarantee = "Si un document est erroné ou inutilisable";
	for (const [lines, said, unsaid] of [
		[
			[accepted, cancelled],
			["Acceptée, 39,00 € remboursés.", "Annulée, 20,00 € remboursés.", "Total remboursé", "59,00 €", "avec les avoirs"],
			[guarantee, "rien payé"],
		],
		[[accepted, refused], ["Refusée. Le délai est écoulé.", "39,00 €", guarantee], ["rien payé"]],
		[[refused, change(refused, { status: "failed" })], [guarantee, "0,00 €"], ["avec les avoirs"]],
		[[refused, withoutRefund], ["Elle vous a déjà été remboursée, ou va l’être."], []],
		[[accepted, change(refused, { status: "failed" })], [], [guarantee]],
		[[accepted, change(refused, { refunded_cents: 5900 as Order["refunded_cents"] })], [], [guarantee]],
		[[accepted, change(refused, { refunded_cents: 5899 as Order["refunded_cents"] })], [guarantee], []],
		[
			[unpaid, unpaid],
			["Annulée.", "Vous n’avez rien payé et ne devez rien."],
			["Total remboursé", "avec les avoirs", "déjà été remboursée"],
		],
	] as const) {
		const text = readReceipt(...lines);
		for (const part of said) expect(text).toContain(part);
		for (const part of unsaid) expect(text).not.toContain(part);
	}
});

test("an alert has the instant, the deadline and the service", () => {
	const text = read("alert-late", order({}, "postal"));
	for (const expected of [
		"Constaté le : lundi 23 novembre 2026 à 10 h 30",
		"Promis pour : lundi 23 novembre 2026 à 11 h 05",
		"KBIS Postal",
	])
		expect(text).toContain(expected);
	expect(read("alert-late", order({ promised_at: null }))).not.toContain("Promis pour");
});

describe("the events for customers", () => {
	test.each<[...Parameters<typeof describeEvent>, string | null]>([
		["refunded", { amount: 1234 }, "Remboursement effectué : 12,34 €"],
		["refunded", { amount: 5900, surplus: true }, "Paiement en double remboursé : 59,00 €"],
		["refunded", {}, "Remboursement effectué"],
		["disputed", {}, "Paiement contesté auprès de la banque"],
		["disputed", { status: "won" }, "Contestation terminée : le paiement est maintenu"],
		["disputed", { status: "lost" }, "Contestation terminée : la banque vous a remboursé"],
		["failed", { reason: "not-found" }, "Commande en échec : vous êtes remboursé"],
		["mail_sent", { kind: "alert-late" }, null],
		["mail_bounced", { kind: "document-ready" }, "Un e-mail a été refusé par votre messagerie"],
		["mail_bounced", { kind: "document-ready-delivery" }, "L’e-mail à votre destinataire a été refusé par sa messagerie"],
		["extract_replaced", { document_id: "x", replaces: "y" }, "Extrait remplacé par un nouveau"],
		["extract_replaced", { post: true }, "Extrait remplacé : un nouveau courrier va vous être envoyé"],
		["tracking_corrected", { tracking_number: "1A2", replaces: "1A1" }, "Numéro de suivi du courrier corrigé"],
		["posted", { tracking_number: "1A2" }, "Courrier posté"],
		["posted", { tracking_number: "1A2", again: true }, "Nouveau courrier posté"],
	])("%s, %o: %s", (type, payload, sentence) => {
		const label = describeEvent(type, payload);
		expect(label === null ? null : plain(label)).toBe(sentence);
	});
});
