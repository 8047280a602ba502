import { data, href, redirect } from "react-router";
import { cents, formatEuros } from "../catalogue/money.ts";
import { outcomeOfCard, paySandbox, testCards } from "../payments/sandbox/sandbox-payment.server.ts";
import { findSandboxSession } from "../payments/sandbox/sandbox-records.server.ts";
import { type Shop, shopContext } from "../shop.ts";
import { button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Title } from "../ui/page.tsx";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/sandbox-payment";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Paiement de démonstration" }, { name: "robots", content: "noindex" }];

async function openSandbox(shop: Shop, sessionId: string) {
	const session = shop.provider.name === "sandbox" ? await findSandboxSession(shop.db, sessionId) : null;
	if (session === null) throw data(null, { status: 404 });
	return session;
}

/** Stands in for the provider's payment page; it keeps nothing of a card. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const session = await openSandbox(shop, params.sessionId);
	if (session.status === "complete") throw redirect(session.success_url.replace("{CHECKOUT_SESSION_ID}", session.id));
	return {
		product: session.product_name,
		amount: session.amount_total,
		cancelUrl: session.cancel_url,
		expired: session.status === "expired" || session.expires_at <= shop.now(),
		cards: testCards.map(({ number, label }) => ({ number, label })),
	};
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	await openSandbox(shop, params.sessionId);
	const form = await readForm(request);
	const intent = form.get("intent");
	const card = String(form.get("card") ?? "");
	const outcome = intent === "confirm" ? "paid" : intent === "refuse" ? "declined" : outcomeOfCard(card);
	if (outcome === "second-step") return data({ secondStep: true, error: null, card }, { status: 200 });
	if (outcome === "declined")
		return data(
			{ secondStep: false, error: "Votre carte a été refusée. Aucun montant n’a été débité. Essayez une autre carte.", card: "" },
			{ status: 402 },
		);
	if (outcome === null) return data({ secondStep: false, error: "Ce numéro n’est pas celui d’une carte de test.", card }, { status: 400 });
	const next = await paySandbox(shop, params.sessionId);
	return next ? redirect(next, 303) : redirect(href("/bac-a-sable/:sessionId", params), 303);
}

export default function SandboxPayment({ loaderData, actionData }: Route.ComponentProps) {
	const { product, amount, cancelUrl, expired, cards } = loaderData;
	return (
		<Page width="form">
			<Title above="Bac à sable du paiement">
				{product} : {formatEuros(cents(amount))}
			</Title>
			<Notice title="Paiement simulé" className="mb-8">
				<p>Cette page remplace celle du prestataire de paiement. N’y saisissez jamais une vraie carte.</p>
			</Notice>
			{expired ? (
				<Notice kind="failed" title="Cette session de paiement a expiré.">
					<a className="link" href={cancelUrl}>
						Reprendre la commande
					</a>
				</Notice>
			) : (
				<form method="post" noValidate>
					{actionData?.secondStep ? (
						<>
							<Notice kind="waiting" title="Votre banque demande une confirmation." className="mb-6" />
							<div className="flex flex-wrap gap-4">
								<button type="submit" name="intent" value="confirm" className={button("primary")}>
									Confirmer le paiement
								</button>
								<button type="submit" name="intent" value="refuse" className={button("secondary")}>
									Refuser
								</button>
							</div>
						</>
					) : (
						<>
							<TextField
								name="card"
								label="Numéro de carte"
								inputMode="numeric"
								autoComplete="off"
								defaultValue={actionData?.card ?? cards[0]?.number}
								error={actionData?.error ?? undefined}
								className="max-w-sm"
							/>
							<div className="mt-6 flex flex-wrap items-center gap-6">
								<button type="submit" name="intent" value="pay" className={button("primary")}>
									Payer {formatEuros(cents(amount))}
								</button>
								<a className={button("quiet")} href={cancelUrl}>
									Annuler et revenir à la boutique
								</a>
							</div>
						</>
					)}
				</form>
			)}
			<table className="mt-12 w-full border-t border-line text-left">
				<caption className="pb-2 text-left font-semibold">Cartes de test</caption>
				<tbody>
					{cards.map(({ number, label }) => (
						<tr key={number} className="border-b border-line">
							<td className="figures py-2 pr-6 whitespace-nowrap">{number}</td>
							<td className="py-2 text-soft">{label}</td>
						</tr>
					))}
				</tbody>
			</table>
		</Page>
	);
}
