import { useEffect } from "react";
import { data, href, redirect } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import { maskEmail } from "../mail/mask-email.ts";
import { discardDraft } from "../order-form/draft.ts";
import { isPayable } from "../orders/lifecycle.ts";
import { findOrder } from "../orders/orders.server.ts";
import { findKnownSession, type KnownSession } from "../payments/payment-sessions.server.ts";
import { findOrderToShow, resumePayment } from "../payments/resume-payment.server.ts";
import { clientContext, type Shop, shopContext } from "../shop.ts";
import { confirmationAccess } from "../tracking/confirmation-access.server.ts";
import { ConfirmedOrder } from "../tracking/confirmed-order.tsx";
import { describeOrder } from "../tracking/describe-order.server.ts";
import { isMoving } from "../tracking/order-state.tsx";
import { redirectToPayment } from "../tracking/redirect-to-payment.server.ts";
import { button } from "../ui/button.tsx";
import { Page, Title } from "../ui/page.tsx";
import { useLive } from "../ui/use-live.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/confirmation";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Votre commande" }, { name: "robots", content: "noindex" }];

/** Where the provider sends the customer back to. It never marks paid: it has the provider asked, and shows what is known. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	if (!params.sessionId) return missing(400, "ID de session manquant");
	const session = await findKnownSession(shop.db, params.sessionId);
	if (session === null) return missing(404, "Impossible de récupérer les détails de votre commande");
	const read = await readOrder(shop, request, session).catch((error: Error) => {
		if (isDatabaseUnavailable(error)) throw error;
		shop.log.error({ error: describeFault(error) }, "an order could not be shown");
		return null;
	});
	if (read === null) return missing(500, "Erreur lors du chargement de la commande");
	if (read.access === "none") return data({ state: read.erased ? ("erased" as const) : ("closed" as const) }, { status: 410 });
	const { access, order, payable, described } = read;
	const { shop: identity } = shop.environment;
	const showEmail = access === "full" ? (email: string) => email : maskEmail;
	// nothing else of the order: what the loader returns is written into the page
	return data({
		state: "order" as const,
		order: { ...described.order, customer_email: showEmail(order.customer_email) },
		progress: described.progress,
		paid: described.paid,
		payable,
		extractUrl: described.documents.find((document) => document.doc_type === "kbis")?.url ?? null,
		customerName: access === "full" ? `${order.first_name} ${order.last_name}` : null,
		deliveryEmail: showEmail(order.delivery_email ?? order.customer_email),
		support: { phone: identity.phone, email: identity.email, hours: identity.supportHours },
		liveUrl: isMoving(described) ? href("/confirmation/:sessionId/direct", { sessionId: session.id }) : null,
		refreshWithoutScripts: isMoving(described),
	});
}

/** What the page may show of the order of a session. @throws Error when the order is not there, or cannot be read. */
async function readOrder(shop: Shop, request: Request, session: KnownSession) {
	const known = await findOrder(shop.db, session.order_id);
	// before the provider is asked: an address that shows nothing costs it nothing
	if (known && session.status !== "open" && confirmationAccess(shop, request, session, known) === "none")
		return { access: "none" as const, erased: known.erased_at !== null };
	const shown = known && (await findOrderToShow(shop, known.id));
	if (shown === null) throw new Error("a payment session has no order");
	const access = confirmationAccess(shop, request, session, shown.order);
	return access === "none"
		? { access, erased: shown.order.erased_at !== null }
		: { access, ...shown, described: await describeOrder(shop, shown.order) };
}

const missing = (status: number, sentence: string) => data({ state: "missing" as const, sentence }, { status });

/** « Reprendre le paiement ». Only a browser that sees the whole order gets the cookies of its next confirmation. */
export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const session = params.sessionId ? await findKnownSession(shop.db, params.sessionId) : null;
	if (session === null || form.get("intent") !== "resume") return null;
	return resumeFrom(shop, request, session, context.get(clientContext).key);
}

async function resumeFrom(shop: Shop, request: Request, session: KnownSession, client: string) {
	const order = await findOrder(shop.db, session.order_id);
	const access = order ? confirmationAccess(shop, request, session, order) : "none";
	if (order === null || access === "none") return null;
	// paid meanwhile: the page says so
	if (!isPayable(order)) return redirect(href("/confirmation/:sessionId?", { sessionId: session.id }), 303);
	const url = await resumePayment(shop, order, client);
	if (url) return redirectToPayment(shop, url, access === "full" ? order.id : null);
	return data({ error: "Erreur lors du traitement du paiement" }, { status: 502 });
}

export default function Confirmation({ loaderData, actionData }: Route.ComponentProps) {
	const shown = loaderData.state === "order" ? loaderData : null;
	const confirmed = shown?.paid === true && shown.order.status !== "failed";
	useLive(shown?.liveUrl ?? null);
	useEffect(() => {
		if (confirmed) discardDraft();
	}, [confirmed]);
	if (shown) return <ConfirmedOrder {...shown} error={actionData?.error ?? null} />;
	if (loaderData.state === "missing") return <Missing sentence={loaderData.sentence} />;
	return loaderData.state === "erased" ? <Erased /> : <Closed />;
}

function Missing({ sentence }: { sentence: string }) {
	return (
		<Page width="form">
			<Title lead={sentence}>Commande introuvable</Title>
			<p className="mb-8">
				Si vous venez de payer, votre commande est enregistrée : retrouvez-la sur la page{" "}
				<a className="link" href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
				, avec votre e-mail et le numéro écrit dans l’e-mail de confirmation.
			</p>
			<a className={button("primary")} href={href("/")}>
				Retour à l’accueil
			</a>
		</Page>
	);
}

/** The order's customer asked for it, or it is older than what we keep. */
function Erased() {
	return (
		<Page width="form">
			<Title lead="Cette page n’a plus rien à montrer.">Les données de cette commande sont effacées</Title>
			<a className={button("secondary")} href={href("/contact")}>
				Nous écrire
			</a>
		</Page>
	);
}

/** After the first day, to a browser that did not start the payment: that there is an order, and nothing of it. */
function Closed() {
	return (
		<Page width="form">
			<Title lead="Pour protéger vos données, cette page ne montre plus votre commande.">Votre commande est enregistrée</Title>
			<p className="mb-8">
				Retrouvez-la sur la page de suivi, avec votre e-mail et le numéro de commande, écrit dans tous nos messages : il commence par{" "}
				<span className="figures whitespace-nowrap">KB-</span>.
			</p>
			<p className="flex flex-wrap items-center gap-6">
				<a className={button("primary")} href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
				<a className={button("quiet")} href={href("/contact")}>
					Nous écrire
				</a>
			</p>
		</Page>
	);
}
