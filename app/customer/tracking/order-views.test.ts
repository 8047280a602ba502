import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import type { ServiceCode } from "../../catalogue/services.ts";
import { PriceBreakdown } from "../../checkout/form/order-summary.tsx";
import type { OrderStatus } from "../../orders/lifecycle.ts";
import { ConfirmedOrder, type ConfirmedOrderProps } from "./confirmation/confirmed-order.tsx";
import type { DescribedOrder } from "./describe-order.server.ts";
import { TrackedOrderDetails } from "./order/tracked-order.tsx";
import { type WithdrawalLine, WithdrawalPage } from "./withdrawal/withdrawal-page.tsx";

// The texts of an order's pages in each state, rendered without a shop. order-pages.test.ts covers the usual states in a shop.

/** The text of a component on one line with ordinary spaces, and its HTML. */
function draw<Props extends object>(component: FunctionComponent<Props>, props: Props): { text: string; html: string } {
	const Stub = createRoutesStub([{ path: "/", Component: () => createElement(component, props) }]);
	const html = renderToStaticMarkup(createElement(Stub, { initialEntries: ["/"] }));
	const text = html
		.replace(/<!-- -->/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/&#x27;/g, "'")
		.replace(/[\s\u00a0]+/g, " ");
	return { text, html };
}

const instant = "2026-11-23T09:05:00.000Z"; // 10 h 05 in Paris
const express = (change: Partial<DescribedOrder["order"]> = {}): DescribedOrder["order"] =>
	({
		...{ id: "0198c0de-0000-4000-8000-000000000001", order_number: "KB-7F3K-92QD", customer_email: "ada@example.fr", status: "processing" },
		...{ product_code: "express", price_cents: 5900, created_at: "2026-11-23T08:00:00.000Z", siren: "552032534", company_name: "DANONE" },
		...{
			promised_at: "2026-11-23T11:05:00.000Z",
			completed_at: null,
			refunded_cents: 0,
			disputed: false,
			late: false,
			tracking_number: null,
		},
		extract_requested_at: null,
		...change,
	}) as DescribedOrder["order"];

const extract = {
	id: "0198c0de-0000-4000-8000-00000000d0c0",
	doc_type: "kbis",
	issued_at: "2026-11-22T23:30:00.000Z",
	url: "/documents/a.b",
};
const invoice = { id: "0198c0de-0000-4000-8000-00000000fac0", doc_type: "invoice", issued_at: instant, url: "/documents/c.d" };

/** At 10 h 05 on that day, while the shop is open. */
const waiting = {
	sentTo: ["ada@example.fr", "banque@example.fr"],
	clock: { now: instant, nextOpening: null as string | null },
	refundDueBy: null,
};

type Facts = Omit<Partial<DescribedOrder>, "order" | "documents"> & {
	payable?: boolean;
	documents?: object[];
	letter?: string[] | null;
	arrival?: string | null;
	documentBytes?: Record<string, number>;
};

function tracked(order: Partial<DescribedOrder["order"]> = {}, facts: Facts & { refused?: { refused: string; message?: string } } = {}) {
	const described = {
		...{
			order: express(order),
			documents: [],
			events: [],
			may: { cancel: false, askForRefund: false, correctInvoice: false, withdraw: true },
		},
		...{ refundAskedAt: null, refundAwaited: null, invoiceAwaited: false, paid: true, extractPurged: false, progress: 1, payable: false },
		...{ stepTimes: [], access: "purchase", extractName: "Extrait Kbis", ...waiting },
		...{
			refused: null,
			correction: null,
			corrected: null,
			addresses: null,
			unpaid: null,
			sharing: null,
			refusedShare: null,
			purchase: null,
		},
		...{ cancelled: false, letter: null, documentBytes: {} },
		...facts,
	};
	return draw(TrackedOrderDetails, described as unknown as Parameters<typeof TrackedOrderDetails>[0]);
}

describe("the tracking page", () => {
	const absences: [string, Partial<DescribedOrder["order"]>, Facts][] = [
		["Les téléchargements sont suspendus.", { disputed: true, status: "completed" }, {}],
		["Aucun document tant que la commande n’est pas payée.", { status: "pending" }, { paid: false, payable: true }],
		["Votre paiement est en cours de vérification.", { status: "pending" }, { paid: false }],
		["Aucun document pour cette commande.", { status: "failed" }, {}],
		["Aucun document tant que la commande n’est pas payée.", { status: "failed" }, { paid: false, payable: true }],
		["Votre extrait s’affichera ici.", {}, {}],
		["Votre extrait vous sera envoyé par courrier.", { product_code: "postal" }, {}],
		["Votre extrait vous est envoyé par courrier.", { product_code: "postal", status: "completed" }, {}],
	];

	test("says when a letter arrives: beside the promise, then beside its number", () => {
		const letter = { product_code: "postal", status: "completed", tracking_number: "1A23456789012" } as const;
		const arrival = "Arrivée prévue entre le jeudi 3 et le lundi 7 décembre.";
		expect(tracked(letter, { arrival }).text).toContain(`Numéro de suivi : 1A23456789012 sur le site de La Poste ${arrival}`);
		expect(tracked({ product_code: "postal" }, { arrival }).text.split(arrival)).toHaveLength(2);
		expect(tracked(letter, { arrival: null }).text).not.toContain("Arrivée");
	});

	test.each(absences)("explains a missing document: %s (%o)", (sentence, order, facts) => {
		const { text } = tracked(order, facts);
		for (const [other] of absences) expect(text.includes(other)).toBe(other === sentence);
		expect(tracked(order, { ...facts, documents: [invoice] }).text).not.toContain(sentence);
	});

	test.each([
		["link", true],
		["purchase-link", false],
	])("opened by a %s, asks for the address that opens more; its invoices: %s", (access, opensInvoices) => {
		const { html, text } = tracked({}, { access, pair: { number: "KB-7F3K-2221", opensInvoices } } as Facts);
		expect(html).toContain('name="orderId" value="KB-7F3K-2221"');
		expect(text).toContain(`Pour ${opensInvoices ? "voir vos factures ou " : ""}annuler, confirmez votre adresse e-mail.`);
		const done = tracked({ status: "completed" }, { access, pair: { number: "KB-7F3K-2221", opensInvoices } } as Facts);
		expect(done.text).toContain(
			`Pour ${opensInvoices ? "voir vos factures, partager ou " : ""}demander un remboursement, confirmez votre adresse e-mail.`,
		);
	});

	test("lists documents with their day in Paris; only the extract can be verified, and is kept for 90 days", () => {
		const both = tracked({ status: "completed" }, { documents: [extract, invoice] });
		for (const expected of ["Extrait Kbis du 23 novembre 2026", "nous le supprimons 90 jours après la livraison"])
			expect(both.text).toContain(expected);
		expect(both.html.match(/href="\/verifier\/[^"]*"/g)).toEqual([`href="/verifier/${extract.id}"`]);
		for (const url of ["/documents/a.b", "/documents/c.d"]) expect(both.html).toContain(`href="${url}"`);
		const alone = tracked({ status: "completed" }, { documents: [invoice] });
		for (const other of ["Vérifier", "nous le supprimons", "il a été supprimé"]) expect(alone.text).not.toContain(other);
		expect(tracked({ status: "completed" }, { documents: [invoice], extractPurged: true }).text).toContain("il a été supprimé");
	});

	const late = "Votre commande est en retard";
	test.each<[OrderStatus, boolean, boolean]>([
		["pending", true, false],
		["paid", true, true],
		["processing", true, true],
		["completed", true, false],
		["failed", true, false],
		["processing", false, false],
	])("%s, late: %s; shows the delay: %s", (status, isLate, expected) => {
		expect(tracked({ status, late: isLate }).text.includes(late)).toBe(expected);
	});

	test.each<[ServiceCode, boolean, boolean]>([
		["express", false, true],
		["express", true, false],
		["standard", false, false],
		["postal", false, false],
	])("late %s, disputed %s: announces a refund: %s", (product_code, disputed, promised) => {
		const { text } = tracked({ product_code, disputed, late: true });
		expect(text.includes("Nous vous la remboursons en totalité, sans que vous ayez à le demander.")).toBe(promised);
		expect(text.includes("Vous pouvez attendre votre extrait, ou annuler.")).toBe(!promised);
		expect(text.includes("est contesté auprès de la banque")).toBe(disputed);
	});

	test("shows pending refunds, completed refunds and refund requests", () => {
		const none = tracked().text;
		for (const expected of ["Votre remboursement de", "vous ont été remboursés", "Remboursé", "Votre demande de remboursement"])
			expect(none).not.toContain(expected);
		expect(tracked({ status: "failed", refunded_cents: 1000 as never }, { refundAwaited: { cents: 4900 } }).text).toContain(
			"Votre remboursement de 49,00 € est en cours.",
		);
		expect(tracked({ status: "failed", refunded_cents: null, price_cents: null }, { refundAwaited: { cents: null } }).text).toContain(
			"Le remboursement de cet extrait est en cours.",
		);
		const { text } = tracked({ refunded_cents: 1 as never });
		expect(text).toContain("0,01 € vous ont été remboursés.");
		expect(text).toContain("Remboursé 0,01 €");
		expect(tracked({}, { refundAskedAt: instant }).text).toContain("est reçue (lundi 23 novembre 2026 à 10 h 05).");
	});

	test("names the refund of a cancellation", () => {
		const may = { cancel: true, askForRefund: false, correctInvoice: false, withdraw: true };
		expect(tracked({ refunded_cents: 1000 as never }, { may }).text).toContain(
			"Vous pouvez annuler tant que l’extrait n’est pas prêt : vous serez remboursé immédiatement de 49,00 €",
		);
		expect(tracked({ product_code: "postal", price_cents: 4400 as never }, { may }).text).toContain(
			"tant que le courrier n’est pas posté : vous serez remboursé immédiatement de 44,00 €",
		);
		expect(tracked().html).not.toContain('value="cancel"');
	});

	test("offers a refund request when it is allowed; a refused one is opened again with its text", () => {
		const may = { cancel: false, askForRefund: true, correctInvoice: false, withdraw: true };
		expect(tracked().html).not.toContain('value="ask-refund"');
		const folded = tracked({}, { may });
		expect([folded.html.includes('value="ask-refund"'), folded.html.includes("open=")]).toEqual([true, false]);
		const refused = tracked({}, { may, refused: { refused: "Trop long", message: "Le <b>SIREN</b>" } });
		for (const shown of ["open=", "Le &lt;b&gt;SIREN&lt;/b&gt;", "Trop long"]) expect(refused.html).toContain(shown);
	});

	test("offers to correct the invoice when it is allowed, and says while the new one is made", () => {
		const may = { cancel: false, askForRefund: false, correctInvoice: true, withdraw: true };
		expect(tracked().html).not.toContain("/facture");
		expect(tracked({}, { may }).html).toContain('href="/suivi/KB-7F3K-92QD/facture"');
		expect(tracked().text).not.toContain("en préparation");
		expect(tracked({}, { invoiceAwaited: true }).text).toContain("Votre nouvelle facture est en préparation.");
	});

	test("names invoices by their numbers, and says which one was replaced", () => {
		const documents = [
			{ ...invoice, number: "F2026-000002", replaced: false },
			{ ...invoice, id: crypto.randomUUID(), number: "F2026-000001", replaced: true },
		];
		const { text } = tracked({}, { documents });
		expect(text).toContain(
			"Facture F2026-000002 du 23 novembre 2026 PDF Télécharger la facture F2026-000002 Facture F2026-000001 du 23 novembre 2026 (remplacée) PDF Télécharger la facture F2026-000001",
		);
	});

	test("has the extract first, with the one main button; each document says its type and size", () => {
		const documentBytes = { [extract.id]: 84_400, [invoice.id]: 1_240_000 };
		const { text, html } = tracked({ status: "completed" }, { documents: [invoice, extract], documentBytes });
		expect(text).toMatch(/Extrait Kbis du 23 novembre 2026 PDF, 84 ko .*Facture .*du 23 novembre 2026 PDF, 1,2 Mo/);
		expect(html.match(/[" ]bg-accent /g)).toHaveLength(1);
		expect(html.indexOf("bg-accent")).toBeLessThan(html.indexOf("/documents/a.b"));
	});

	test("offers a withdrawal where it is allowed", () => {
		const offer = "Renoncer au contrat ici";
		expect(tracked().text).toContain(offer);
		const may = { cancel: false, askForRefund: false, correctInvoice: false, withdraw: false };
		expect(tracked({}, { may }).text).not.toContain(offer);
	});

	test("leaves internal events out of the history, and shows the hour in Paris", () => {
		const event = (event_type: string) => ({ id: event_type, order_id: "", event_type, payload: {}, created_at: instant });
		const { text } = tracked({}, { events: [event("paid"), event("mail_sent")] as never });
		expect(text).toContain("Paiement reçu lundi 23 novembre 2026 à 10 h 05");
		expect(text.match(/10 h 05/g)).toHaveLength(1);
	});
});

function confirmed(order: Partial<DescribedOrder["order"]> = {}, facts: Partial<ConfirmedOrderProps> = {}) {
	return draw(ConfirmedOrder, {
		...{
			order: express(order),
			progress: 1,
			stepTimes: [],
			paid: true,
			payable: false,
			extractUrl: null,
			extractName: "extrait Kbis",
			forwardUrl: null,
		},
		...{ invoiceUrl: null, customerName: "Ada Lovelace", ...waiting, addresses: null, corrected: null },
		answer: null,
		...{ cancelled: false, letter: null, watch: null, watchEnded: false },
		support: { phone: "01 99 00 00 00", email: "contact@example.fr", hours: "8h-20h" },
		...facts,
	} as ConfirmedOrderProps);
}

describe("the confirmation", () => {
	test.each<[Partial<DescribedOrder["order"]>, Partial<ConfirmedOrderProps>, string]>([
		[{ status: "pending" }, { paid: false }, "Votre paiement est en cours de vérification"],
		[{ status: "pending" }, { paid: false, payable: true }, "Votre paiement n’est pas terminé"],
		[{ status: "paid" }, {}, "Commande confirmée !"],
		[{ status: "processing" }, {}, "Commande confirmée !"],
		[{ status: "completed" }, { extractUrl: "/documents/a.b" }, "Votre extrait est prêt"],
		// a dispute keeps it back
		[{ status: "completed" }, { extractUrl: null }, "Commande confirmée !"],
		[{ status: "completed", product_code: "postal" }, {}, "Votre courrier est posté"],
		[{ status: "completed", refunded_cents: 5899 as never }, { extractUrl: "/documents/a.b" }, "Votre extrait est prêt"],
		[{ status: "completed", refunded_cents: 5900 as never }, {}, "Votre commande a été remboursée"],
		[{ status: "failed" }, {}, "Votre commande n’a pas abouti"],
		[{ status: "failed", refunded_cents: 5900 as never }, {}, "Votre commande a été remboursée"],
	])("%o, %o: %s", (order, facts, heading) => {
		const { html } = confirmed(order, facts);
		const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? "";
		expect(title.replace(/<[^>]+>/g, "").replaceAll("\u00a0", " ")).toContain(heading);
	});

	test.each([
		["extrait Kbis", "Télécharger le KBIS"],
		["extrait K", "Télécharger l’extrait K"],
	])("the button of an %s: %s", (extractName, label) => {
		const { text, html } = confirmed({ status: "completed" }, { extractName, extractUrl: extract.url });
		expect(text).toContain(` ${label} `);
		expect(html).toMatch(new RegExp(`href="${extract.url}"[^>]*>${label}<`));
	});

	test("shows the paid amount and the confirmation's e-mail only for a paid order that has not failed", () => {
		for (const expected of ["Montant payé 59,00 €", "Un e-mail de confirmation vient d’être envoyé à ada@example.fr"]) {
			expect(confirmed().text).toContain(expected);
			expect(confirmed({ status: "failed" }).text).not.toContain(expected);
			expect(confirmed({ status: "pending" }, { paid: false }).text).not.toContain(expected);
		}
		expect(confirmed({ status: "completed" }).text).not.toContain("vient d’être envoyé");
	});

	test("offers the invoice and the forwarding beside the extract", () => {
		const { html } = confirmed(
			{ status: "completed" },
			{ extractUrl: "/documents/a.b", invoiceUrl: "/documents/c.d", forwardUrl: "mailto:?subject=x" },
		);
		for (const url of ["/documents/a.b", "/documents/c.d", "mailto:?subject=x"]) expect(html).toContain(`href="${url}"`);
		expect(confirmed({}, { invoiceUrl: "/documents/c.d" }).html).not.toContain("/documents/");
	});

	test("shows the delivery method and address", () => {
		expect(confirmed().text).toContain("Par e-mail à ada@example.fr et à banque@example.fr");
		const letter = confirmed({ product_code: "postal" }, { sentTo: ["ada@example.fr"] }).text;
		for (const expected of ["Par courrier suivi", "Posté au plus tard", "nous enverrons le numéro de suivi à ada@example.fr"])
			expect(letter).toContain(expected);
		expect(letter).not.toContain("banque@example.fr");
		expect(confirmed({ product_code: "postal", tracking_number: "6A01234567890" }).text).toContain("Numéro de suivi : 6A01234567890");
		expect(confirmed({}, { customerName: null }).text).not.toContain("Lovelace");
	});

	test.each<[Partial<DescribedOrder["order"]>, Partial<ConfirmedOrderProps>, boolean]>([
		[{}, {}, true],
		[{ status: "completed" }, { extractUrl: "/documents/a.b" }, false],
		[{ status: "failed" }, {}, false],
		[{ status: "pending" }, { paid: false }, false],
		[{ status: "pending" }, { paid: false, payable: true }, false],
	])("%o, %o: announces the extract: %s", (order, facts, expected) => {
		const { text, html } = confirmed(order, facts);
		expect(text.includes("Vous pouvez fermer cette page")).toBe(expected);
		expect(html.includes('href="/documents/a.b"')).toBe(facts.extractUrl !== undefined);
		expect(html.includes('value="resume"')).toBe(facts.payable === true);
	});

	test("shows beside the button why a payment could not start", () => {
		expect(
			confirmed({ status: "pending" }, { paid: false, payable: true, answer: { unpaid: "Erreur lors du traitement du paiement" } }).text,
		).toContain("Erreur lors du traitement du paiement. Réessayez dans un instant.");
	});
});

describe.each([
	["confirmation", confirmed],
	["tracking page", tracked],
] as const)("the promise on the %s", (_page, show) => {
	const shown = (order: Partial<DescribedOrder["order"]> = {}, facts: object = {}) => show(order, facts).text;

	test("is the hour, the time left, the present step and where the extract goes", () => {
		for (const expected of [
			"Livré au plus tard lundi 23 novembre à 12 h 05 heure de Paris dans 2 h",
			"Commande enregistrée : nous allons demander l’extrait au greffe.",
			"nous enverrons l’extrait à ada@example.fr et à banque@example.fr",
		])
			expect(shown()).toContain(expected);
		expect(shown({ status: "paid" })).toContain("Commande enregistrée");
		const requested = shown({ extract_requested_at: instant });
		expect(requested).toContain("Demande transmise au greffe : nous attendons l’extrait.");
		expect(requested).not.toContain("enregistrée");
		expect(shown({}, { progress: 3 })).toContain("Votre extrait est prêt : nous vous l’envoyons.");
		expect(shown({ product_code: "postal" }, { progress: 3 })).toContain("Votre extrait est prêt : nous le postons.");
	});

	test.each([
		["express", "nous écrirons à ada@example.fr et à banque@example.fr quand tous les extraits de ce service seront prêts."],
		["postal", "nous écrirons à ada@example.fr et à banque@example.fr quand tous les extraits de ce service seront postés."],
	] as const)("of an order that was bought with others, %s: one e-mail comes for all of its service", (product_code, sentence) => {
		const text = shown({ product_code }, { isOneOfSeveral: true });
		expect(text.replace(" .", ".")).toContain(sentence);
		expect(text).not.toContain("nous enverrons");
	});

	test("says when work starts again while the shop is closed", () => {
		const clock = { now: "2026-11-22T18:00:00Z", nextOpening: "2026-11-23T07:00:00Z" };
		expect(shown({}, { clock })).toContain("nous demanderons l’extrait au greffe à partir de lundi 23 novembre à 8 h, heure de Paris.");
		expect(shown({}, { clock })).toContain("à 12 h 05 heure de Paris demain ");
		for (const text of [shown(), shown({ extract_requested_at: instant }, { clock }), shown({}, { clock, progress: 3 })])
			expect(text).not.toContain("à partir de");
	});

	test.each<[Partial<DescribedOrder["order"]>, boolean]>([
		[{}, true],
		[{ status: "failed" }, false],
		[{ refunded_cents: 5899 as never }, true],
		[{ refunded_cents: 5900 as never }, false],
		[{ promised_at: null }, false],
		[{ late: true }, false],
	])("is shown while it is owed: %o, shown: %s", (order, expected) => {
		expect(shown(order).includes("au plus tard")).toBe(expected);
	});

	test("is compared with the delivery, honestly when it was late", () => {
		const delivered = (completed_at: string, more = {}) => shown({ status: "completed", completed_at, ...more });
		expect(delivered("2026-11-23T10:18:00Z")).toContain(
			"Livré lundi 23 novembre à 11 h 18 , 47 minutes avant l’heure promise (lundi 23 novembre à 12 h 05).",
		);
		expect(delivered("2026-11-22T02:30:00Z", { product_code: "postal" })).toContain("Posté dimanche 22 novembre à 3 h 30 , bien avant");
		const late = delivered("2026-11-23T11:40:00Z", { late: true });
		expect(late).toContain("35 minutes après l’heure promise");
		expect(late).toContain("Nous vous prions de nous en excuser.");
		// ready in time, sent later
		expect(delivered("2026-11-23T11:40:00Z")).not.toContain("l’heure promise");
	});

	test("is told once: a delivered order announces nothing", () => {
		const text = shown({ status: "completed", completed_at: instant });
		for (const stale of ["au plus tard", "nous enverrons", "s’affichera ici une fois"]) expect(text).not.toContain(stale);
	});

	test("a customer's own cancellation is no failure", () => {
		expect(show({ status: "failed" }, { cancelled: true }).text).toContain("Annulée");
		expect(show({ status: "failed" }, { cancelled: true }).text).not.toContain("Échec");
		expect(show({ status: "failed" }).text).toContain("Échec");
	});

	test("a letter has its recipient and address, where the reader may see them", () => {
		const letter = ["Grace Hopper", "4 quai de l’Horloge", "75001 Paris"];
		const { text } = show({ product_code: "postal" }, { letter });
		expect(text).toContain("Par courrier suivi Grace Hopper 4 quai de l’Horloge 75001 Paris");
		expect(show({ product_code: "postal" }).text).not.toContain("quai");
	});

	test("comes with the time of each step", () => {
		const stepTimes = [instant, null, "2026-11-23T09:10:00.000Z", null];
		expect(shown({}, { stepTimes, progress: 3 })).toContain("Reçu (fait) lun. 23 à 10 h 05");
		expect(shown({}, { stepTimes, progress: 3 })).toContain("En traitement (fait) Prêt (fait) lun. 23 à 10 h 10");
	});
});

test.each([
	["pending", 0, [], []],
	["paid", 1, ["Reçu"], ["Reçu"]],
	["processing", 1, ["Reçu"], ["En traitement"]],
	["processing", 3, ["Reçu", "En traitement", "Prêt"], ["Prêt"]],
	["completed", 4, ["Reçu", "En traitement", "Prêt", "Livré"], ["Livré"]],
] as const)("%s, %i of four steps are over: %o, and the present one is %o", (status, progress, over, present) => {
	const { html } = tracked({ status }, { progress });
	const steps = [...html.matchAll(/<li([^>]*border-t-2[^>]*)>(.*?)<\/li>/gs)].map(([, attributes = "", inner = ""]) => ({
		name: /Reçu|En traitement|Prêt|Livré/.exec(inner)?.[0],
		isOver: inner.includes("(fait)"),
		isPresent: attributes.includes('aria-current="step"'),
	}));
	expect(steps.filter(({ isOver }) => isOver).map(({ name }) => name)).toEqual(over);
	expect(steps.filter(({ isPresent }) => isPresent).map(({ name }) => name)).toEqual(present);
});

const withdrawn = (line: Partial<WithdrawalLine>): WithdrawalLine => ({
	...{ line: 1, number: "KB-7F3K-92QD", companyName: "DANONE", siren: "552032534", service: "express" },
	...{ outcome: "cancelled", refund: 5900, reason: null },
	...line,
});
const receive = (lines: WithdrawalLine[], paid = true) =>
	draw(WithdrawalPage, { step: "receipt", number: "KB-7F3K-92QD", declaredAt: instant, lines, paid }).text;

test.each<[Partial<WithdrawalLine>, boolean, string, boolean]>([
	[{}, true, "La commande est annulée, et 59,00 € vous sont remboursés.", true],
	[{ refund: 4900 }, true, "La commande est annulée, et 49,00 € vous sont remboursés.", true],
	[{ refund: 0 }, true, "La commande est annulée, et elle vous a déjà été remboursée, ou va l’être.", false],
	[{ refund: 0 }, false, "Votre commande est annulée. Vous n’avez rien payé.", false],
	[{ outcome: "refunded" }, true, "59,00 € vous sont remboursés.", true],
	[{ outcome: "refunded", refund: null }, true, "Le prix est remboursé sur la carte utilisée pour le paiement.", true],
	[
		{ outcome: "refused", refund: 0, reason: "Le délai de rétractation est écoulé." },
		true,
		"Nous ne pouvons pas donner suite à votre rétractation. Le délai de rétractation est écoulé.",
		false,
	],
])(
	"a withdrawal (%o, paid: %s) shows its outcome, hour and refund, and the bank's delay only when there is a refund",
	(line, paid, outcome, money) => {
		const total = line.refund === undefined ? 5900 : line.refund;
		const props = { step: "receipt", number: "KB-7F3K-92QD", declaredAt: instant, lines: [withdrawn(line)], total, paid } as const;
		const { text } = draw(WithdrawalPage, props);
		for (const expected of [outcome, "lundi 23 novembre 2026 à 10 h 05", "commande KB-7F3K-92QD"]) expect(text).toContain(expected);
		expect(text.includes("cinq à dix jours ouvrés")).toBe(money);
		expect(text).not.toContain("totalité");
	},
);

test("the receipt for several orders has a row for each, and the sum of what is refunded", () => {
	const lines = [
		withdrawn({}),
		withdrawn({ line: 2, number: "KB-2222-2222", companyName: "ENGIE", outcome: "refused", refund: 0, reason: "Déjà annulée." }),
		withdrawn({ line: 3, number: "KB-3333-3333", companyName: "RENAULT", service: "standard", outcome: "refunded", refund: 3900 }),
	];
	const text = receive(lines);
	for (const expected of [
		"commande groupée KB-7F3K-92QD",
		"DANONE, KBIS Express, KB-7F3K-92QD La commande est annulée, et 59,00 € vous sont remboursés.",
		"ENGIE, KBIS Express, KB-2222-2222 Refusé. Déjà annulée.",
		"RENAULT, KBIS Standard, KB-3333-3333 39,00 € vous sont remboursés.",
		"Nous vous remboursons : 98,00 €",
	])
		expect(text).toContain(expected);
	expect(receive(lines.map((line) => ({ ...line, refund: null })))).not.toMatch(/\d+,\d\d €/);
	expect(receive(lines, false)).not.toContain("remboursons");
});

test.each([false, true])(
	"the declaration lists what can be withdrawn, all of it ticked: %s, and says of the rest why not",
	(isAllTicked) => {
		const shown = { declaration: "a.b", number: "KB-7F3K-92QD", email: "ada@example.fr", orderedAt: instant };
		const declare = (lines: WithdrawalLine[], facts: { paid?: boolean; name?: string | null; error?: string } = {}) =>
			draw(WithdrawalPage, { step: "confirmation", ...shown, name: "Ada Lovelace", paid: true, lines, isAllTicked, ...facts });
		const lines = [
			withdrawn({}),
			withdrawn({ line: 2, companyName: "ENGIE", outcome: "refused", refund: 0, reason: "Le délai est écoulé." }),
			withdrawn({ line: 3, companyName: "RENAULT", outcome: "refunded", refund: 3900 }),
			withdrawn({ line: 4, companyName: "TOTAL", outcome: "declared", refund: 0 }),
		];
		const several = declare(lines, { error: "Choisissez au moins un extrait." });
		expect(
			[...several.html.matchAll(/<input type="checkbox"[^>]*value="(\d)"/g)].map(([box, value]) => [value, box.includes("checked")]),
		).toEqual([
			["1", isAllTicked],
			["3", isAllTicked],
		]);
		for (const expected of [
			"Choisissez au moins un extrait.",
			"pour les extraits cochés ci-dessous",
			"La commande sera annulée, et 59,00 € vous seront remboursés.",
			"39,00 € vous seront remboursés.",
			"Nous vous remboursons le total des extraits cochés.",
			"Pour ces extraits, nous ne pourrons pas donner suite.",
			"Le délai est écoulé.",
			"Vous vous êtes déjà rétracté pour TOTAL, KBIS Express, KB-7F3K-92QD.",
			"Nom Ada Lovelace",
		])
			expect(several.text).toContain(expected);
		const unpaid = declare([withdrawn({ refund: 0 }), withdrawn({ line: 2, refund: 0 })], { paid: false, name: null });
		expect(unpaid.text).toContain("toute la commande est annulée");
		expect([unpaid.html.includes("checkbox"), unpaid.text.includes("Nom "), unpaid.text.includes("cochés")]).toEqual([false, false, false]);
		const one = declare([withdrawn({ refund: null })]);
		expect(one.text).toContain("La commande sera annulée, et le prix est remboursé");
		expect([one.html.includes("checkbox"), one.text.includes("groupée"), one.text.includes("donner suite")]).toEqual([false, false, false]);
		expect(declare([withdrawn({ outcome: "refused", refund: 0, reason: "Trop tard." })]).text).toContain(
			"Nous ne pourrons pas donner suite à votre rétractation. Trop tard.",
		);
	},
);

test("the postal supplement has its own line if there is one, and the total is the charged amount", () => {
	expect(draw(PriceBreakdown, { service: "postal" }).text).toMatch(/KBIS Postal 39,00 €.*Supplément postal 5,00 €.*Total TTC 44,00 €/);
	for (const service of ["standard", "express"] as const) expect(draw(PriceBreakdown, { service }).text).not.toContain("Supplément postal");
});
