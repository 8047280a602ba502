import { data, href, redirect } from "react-router";
import { cents } from "../catalogue/money.ts";
import { findSandboxSession } from "../payments/sandbox/sandbox.store.server.ts";
import { SandboxPage } from "../payments/sandbox/sandbox-page.tsx";
import { findCardOutcome, paySandbox, testCards } from "../payments/sandbox/sandbox-payment.server.ts";
import { type Shop, shopContext } from "../shop.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/sandbox-payment";

export const handle = { scripts: false, funnel: true };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Paiement de démonstration" }, { name: "robots", content: "noindex" }];

async function getSession(shop: Shop, sessionId: string) {
	const session = shop.provider.simulated ? await findSandboxSession(shop.db, sessionId) : null;
	if (session === null) throw data(null, { status: 404 });
	return session;
}

export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const session = await getSession(shop, params.sessionId);
	if (session.status === "complete") throw redirect(session.success_url.replace("{CHECKOUT_SESSION_ID}", session.id));
	return {
		product: session.product_name,
		amount: cents(session.amount_total),
		cancelUrl: session.cancel_url,
		expired: session.status === "expired" || session.expires_at <= shop.now(),
		cards: testCards.map(({ number, label }) => ({ number, label })),
	};
}

const declined = "Votre carte a été refusée. Aucun montant n’a été débité. Essayez une autre carte.";

export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	await getSession(shop, params.sessionId);
	const form = await readForm(request);
	const intent = form.get("intent");
	const card = String(form.get("card") ?? "");
	const outcome = intent === "confirm" ? "paid" : intent === "refuse" ? "declined" : findCardOutcome(card);
	if (outcome === "second-step") return data({ secondStep: true, error: null, card }, { status: 200 });
	if (outcome === "declined") return data({ secondStep: false, error: declined, card: "" }, { status: 402 });
	if (outcome === null) return data({ secondStep: false, error: "Ce numéro n’est pas celui d’une carte de test.", card }, { status: 400 });
	const url = await paySandbox(shop, params.sessionId);
	return redirect(url ?? href("/bac-a-sable/:sessionId", params), 303);
}

export default function SandboxRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <SandboxPage {...loaderData} answer={actionData} />;
}
