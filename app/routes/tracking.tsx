import { data, Form, href, redirect, useNavigation } from "react-router";
import { isDatabaseUnavailable } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import { readLine, readLines } from "../forms/text.ts";
import { createAccessCookie, deleteAccessCookie, readAccessCookie } from "../orders/access-cookie.server.ts";
import { isPayable } from "../orders/lifecycle.ts";
import { findOrder } from "../orders/orders.server.ts";
import { findOrderToShow, resumePayment } from "../payments/resume-payment.server.ts";
import { clientContext, retryAfterContext, type Shop, shopContext } from "../shop.ts";
import { askForRefund } from "../tracking/ask-for-refund.server.ts";
import { cancelOrder } from "../tracking/cancel-order.server.ts";
import { describeOrder } from "../tracking/describe-order.server.ts";
import { isMoving } from "../tracking/order-state.tsx";
import { redirectToPayment } from "../tracking/redirect-to-payment.server.ts";
import { ReferenceFields } from "../tracking/reference-fields.tsx";
import { trackOrder } from "../tracking/track-order.server.ts";
import { TrackedOrder } from "../tracking/tracked-order.tsx";
import { checkTrackingForm, trackingSentences } from "../tracking/tracking-form.ts";
import { HomeBreadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Title } from "../ui/page.tsx";
import { pageMeta } from "../ui/site.ts";
import { useLive } from "../ui/use-live.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/tracking";

export const headers = ({ loaderHeaders, actionHeaders }: Route.HeadersArgs) => ({
	"cache-control": privateHeaders["cache-control"],
	"referrer-policy": privateHeaders["referrer-policy"],
	...Object.fromEntries(loaderHeaders),
	...Object.fromEntries(actionHeaders),
});

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Suivre votre commande",
		picture: true,
		description: "Retrouvez votre commande avec votre adresse e-mail et son numéro : avancement, documents, historique.",
		index: page.params.number === undefined,
	});

/** The order of this address, for whoever gave its e-mail and number within the hour. */
async function findMine(shop: Shop, request: Request, number: string | undefined) {
	const orderId = number === undefined ? null : readAccessCookie(shop, "tracking", request);
	const order = orderId && (await findOrder(shop.db, orderId));
	return order && order.order_number === number && order.erased_at === null ? order : null;
}

/** `/suivi-commande` asks for e-mail and number; `/suivi/{number}` shows that order. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const mine = await findMine(shop, request, params.number);
	const shown = mine && (await findOrderToShow(shop, mine.id));
	const described = shown && { ...(await describeOrder(shop, shown.order)), payable: shown.payable };
	const answer = { number: params.number ?? "", described, refreshWithoutScripts: described !== null && isMoving(described) };
	// the empty form may be found, an order's own address not
	return data(answer, { headers: params.number === undefined ? {} : { "x-robots-tag": privateHeaders["x-robots-tag"] } });
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const { number } = params;
	const intent = String(form.get("intent") ?? "");
	if (number === undefined || intent === "") return lookUp(shop, form, context);
	if (intent === "quit") {
		return redirect(href("/suivi-commande"), {
			status: 303,
			headers: { "set-cookie": deleteAccessCookie(shop, "tracking", trackingPath) },
		});
	}
	const mine = await findMine(shop, request, number);
	const back = redirect(href("/suivi/:number", { number }), 303);
	if (mine === null) return back; // which asks who is there
	if (intent === "cancel") return (await cancelOrder(shop, mine.id)) ? back : data({ refused: tooLate }, { status: 409 });
	if (intent === "resume") {
		if (!isPayable(mine)) return back;
		const url = await resumePayment(shop, mine, context.get(clientContext).key);
		if (url) return redirectToPayment(shop, url, mine.id);
		return data({ unpaid: "Erreur lors du traitement du paiement" }, { status: 502 });
	}
	if (intent !== "ask-refund") return back;
	const message = readLines(form.get("message"));
	const asked = await askForRefund(shop, mine.id, message);
	return asked.ok ? back : data({ refused: asked.sentence, message }, { status: 400 });
}

/** The tracking pages and their streams; the form, at /suivi-commande, is not below. */
const trackingPath = "/suivi";

const tooLate = "Il est trop tard pour annuler : l’extrait est déjà prêt ou posté, ou la commande est close.";

/** Finds an order by e-mail and number, and lets its customer in. */
async function lookUp(shop: Shop, form: FormData, context: Route.ActionArgs["context"]) {
	const text = (name: string) => readLine(form.get(name)).slice(0, 254);
	const [email, reference] = [text("email"), text("orderId")];
	const refuse = (status: number, error: string) => data({ error, email, reference }, { status });

	const wrong = checkTrackingForm(email, reference);
	if (wrong) return refuse(400, wrong);
	const found = await trackOrder(shop, { email, reference, client: context.get(clientContext).key }).catch((error: Error) => {
		if (isDatabaseUnavailable(error)) throw error;
		shop.log.error({ error: describeFault(error) }, "an order could not be looked up");
		return null;
	});
	if (found === null) return refuse(500, trackingSentences.fault);
	if (!found.ok && found.reason === "limited") {
		context.set(retryAfterContext, found.retryAfter);
		return refuse(429, trackingSentences.limited);
	}
	if (!found.ok) return refuse(404, trackingSentences.notFound);
	return redirect(href("/suivi/:number", { number: found.order.order_number }), {
		status: 303,
		headers: { "set-cookie": createAccessCookie(shop, "tracking", { orderId: found.order.id, path: trackingPath }) },
	});
}

export default function Tracking({ loaderData, actionData }: Route.ComponentProps) {
	const { described, number } = loaderData;
	useLive(described && isMoving(described) ? href("/suivi/:number/direct", { number }) : null);
	if (!described) return <TrackingForm number={number} {...(actionData && "error" in actionData ? actionData : {})} />;
	return (
		<TrackedOrder
			{...described}
			refused={actionData && "refused" in actionData ? actionData : null}
			unpaid={actionData && "unpaid" in actionData ? actionData.unpaid : null}
		/>
	);
}

function TrackingForm({ number, error, email, reference }: { number: string; error?: string; email?: string; reference?: string }) {
	const busy = useNavigation().state !== "idle";
	return (
		<Page width="form">
			<Title
				above={<HomeBreadcrumb label="Suivre ma commande" />}
				lead="L’adresse e-mail de la commande et son numéro suffisent : il n’y a pas de compte."
			>
				Suivre votre commande
			</Title>
			<Form method="post" action={href("/suivi-commande")} noValidate>
				{error && <Notice kind="failed" title={error} live className="mb-6" />}
				<ReferenceFields email={email} reference={reference ?? number} />
				<button type="submit" disabled={busy} className={button("primary", "mt-6")}>
					{busy ? "Recherche en cours..." : "Rechercher la commande"}
				</button>
			</Form>
		</Page>
	);
}
