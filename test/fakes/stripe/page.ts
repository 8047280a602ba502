import type { Books } from "./books.ts";

/** The page on which a customer pays. Card numbers: docs.stripe.com/testing. */

const cards: Record<string, "paid" | "declined"> = { "4242424242424242": "paid", "4000000000000002": "declined" };

export interface PageAnswer {
	status: number;
	/** A redirect in place of a page. */
	location?: string;
	html?: string;
}

/** Shows a session's page, or takes the payment of its form. @param form null for a GET. */
export function payOnPage(books: Books, sessionId: string, form: URLSearchParams | null): PageAnswer {
	books.expireOverdue();
	const session = books.sessions.get(sessionId);
	if (!session) return { status: 404, html: document("<h1>Page introuvable</h1>") };
	const paid = (): PageAnswer => ({ status: 303, location: session.success_url.replace("{CHECKOUT_SESSION_ID}", session.id) });
	if (session.status === "complete") return paid();
	if (session.status === "expired") return { status: 410, html: document("<h1>Cette session de paiement a expiré.</h1>") };
	const show = (status: number, error = ""): PageAnswer => ({
		status,
		html: document(payForm({ error, product: books.getProduct(sessionId), amount: session.amount_total, cancelUrl: session.cancel_url })),
	});
	if (form === null) return show(200);
	const outcome = cards[(form.get("card") ?? "").replace(/\D/g, "")];
	if (outcome === undefined) return show(400, "Votre numéro de carte est invalide.");
	if (outcome === "declined") return show(402, "Votre carte a été refusée.");
	books.pay(sessionId);
	return paid();
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const payForm = ({ error, product, amount, cancelUrl }: { error: string; product: string; amount: number; cancelUrl: string | null }) => `
	<h1>${escapeHtml(product)}</h1>
	<p>${(amount / 100).toFixed(2).replace(".", ",")}\u00a0€</p>
	${error && `<p role="alert">${error}</p>`}
	<form method="post">
		<label for="card">Numéro de carte</label>
		<input id="card" name="card" inputmode="numeric" autocomplete="off" required>
		<button type="submit">Payer</button>
	</form>
	${cancelUrl === null ? "" : `<p><a href="${escapeHtml(cancelUrl)}">Retour</a></p>`}`;

const document = (body: string) => `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Paiement (doublure)</title></head>
<body><main>${body}</main></body></html>`;
