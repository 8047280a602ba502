import { data, Form, href, redirect, useNavigation } from "react-router";
import { privateHeaders, readForm } from "../../server/http.ts";
import { formatDay, formatInstant } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { describeDuration, retention } from "../catalogue/retention.ts";
import { services } from "../catalogue/services.ts";
import { documentNames } from "../documents/document-names.ts";
import { accessCookie, readAccessCookie } from "../orders/access-cookie.server.ts";
import { type DescribedOrder, describeOrder } from "../orders/describe-order.server.ts";
import { isMoving, OrderHistory, OrderProgress, OrderStatusLabel } from "../orders/order-state.tsx";
import { findOrder } from "../orders/orders.store.server.ts";
import { trackOrder } from "../orders/track-order.server.ts";
import { checkTrackingForm, trackingSentences } from "../orders/tracking-form.ts";
import { clientAddressContext, shopContext } from "../shop.ts";
import { button } from "../ui/button.tsx";
import { Facts } from "../ui/facts.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { Siren } from "../ui/siren.tsx";
import { pageMeta } from "../ui/site.ts";
import { useLive } from "../ui/use-live.ts";
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
		description: "Retrouvez votre commande avec votre adresse e-mail et son numéro : avancement, documents, historique.",
		index: page.params.number === undefined,
	});

/** `/suivi-commande` asks for e-mail and number; `/suivi/{number}` shows that order to whoever gave both within the hour. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const orderId = params.number === undefined ? null : readAccessCookie(shop, request);
	const order = orderId && (await findOrder(shop.db, orderId));
	const mine = order && order.order_number === params.number ? order : null;
	const answer = {
		number: params.number ?? "",
		described: mine && (await describeOrder(shop, mine)),
		refreshWithoutScripts: mine !== null && isMoving(mine.status),
	};
	// the empty form may be found, an order's own address not
	return data(answer, { headers: params.number === undefined ? {} : { "x-robots-tag": privateHeaders["x-robots-tag"] } });
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	const text = (name: string) =>
		String(form.get(name) ?? "")
			.trim()
			.slice(0, 254);
	const [email, reference] = [text("email"), text("orderId")];
	const refuse = (status: number, error: string) => data({ error, email, reference }, { status });

	const wrong = checkTrackingForm(email, reference);
	if (wrong) return refuse(400, wrong);
	const found = await trackOrder(shop, { email, reference, address: context.get(clientAddressContext) }).catch((error: Error) => {
		shop.log.error({ error: error.stack }, "an order could not be looked up");
		return null;
	});
	if (found === null) return refuse(500, trackingSentences.fault);
	if (!found.ok) return found.reason === "limited" ? refuse(429, trackingSentences.limited) : refuse(404, trackingSentences.notFound);
	return redirect(href("/suivi/:number", { number: found.order.order_number }), {
		status: 303,
		headers: { "set-cookie": accessCookie(shop, found.order.id) },
	});
}

export default function Tracking({ loaderData, actionData }: Route.ComponentProps) {
	const { described, number } = loaderData;
	useLive(described && isMoving(described.order.status) ? href("/suivi/:number/direct", { number }) : null);
	return described ? <TrackedOrder {...described} /> : <TrackingForm number={number} {...actionData} />;
}

function TrackingForm({ number, error, email, reference }: { number: string; error?: string; email?: string; reference?: string }) {
	const busy = useNavigation().state !== "idle";
	return (
		<Page width="form">
			<Title lead="L’adresse e-mail de la commande et son numéro suffisent : il n’y a pas de compte.">Suivre votre commande</Title>
			<Form method="post" action={href("/suivi-commande")} noValidate>
				{error && <Notice kind="failed" title={error} live className="mb-6" />}
				<div className="grid gap-5">
					<TextField name="email" type="email" label="Adresse e-mail" autoComplete="email" defaultValue={email} />
					<TextField
						name="orderId"
						label="Numéro de commande"
						hint="Il figure dans votre e-mail de confirmation, par exemple KB-7F3K-92QD."
						autoComplete="off"
						autoCapitalize="characters"
						spellCheck={false}
						defaultValue={reference ?? number}
					/>
				</div>
				<button type="submit" disabled={busy} className={button("primary", "mt-6")}>
					{busy ? "Recherche en cours..." : "Rechercher la commande"}
				</button>
			</Form>
		</Page>
	);
}

function TrackedOrder({ order, documents, events, progress }: DescribedOrder) {
	const service = services[order.product_code];
	const postal = service.deliveryMethod === "postal";
	return (
		<Page width="form">
			<Title above={<>Commande {order.order_number}</>}>{order.company_name}</Title>
			<div aria-live="polite">
				<p className="mb-4">
					<OrderStatusLabel status={order.status} />
				</p>
				<OrderProgress reached={progress} />
			</div>
			<Section title="Documents" className="mt-10">
				{documents.length === 0 && (
					<p className="text-soft">
						{postal ? "Le document voyage par courrier." : "Le document sera disponible ici dès que le traitement sera terminé."}
					</p>
				)}
				<ul className="divide-y divide-line">
					{documents.map((document) => (
						<li key={document.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2">
							<span>
								{documentNames[document.doc_type] ?? document.doc_type} du {formatDay(new Date(document.issued_at))}
							</span>
							<a className={button("secondary")} href={document.url} target="_blank" rel="noopener">
								Télécharger
							</a>
						</li>
					))}
				</ul>
				{order.tracking_number && (
					<p>
						Numéro de suivi du courrier : <span className="figures">{order.tracking_number}</span>
					</p>
				)}
				{documents.length > 0 && (
					<p className="mt-2 text-sm text-soft">
						Nous gardons les extraits livrés {describeDuration(retention.deliveredExtracts)} au plus : enregistrez le vôtre.
					</p>
				)}
			</Section>
			<Section title="Récapitulatif">
				<Facts
					rows={[
						["SIREN", <Siren key="siren" value={order.siren} />],
						["Service", service.name],
						["Commandé le", formatInstant(new Date(order.created_at))],
						[postal ? "Posté au plus tard" : "Livré au plus tard", order.promised_at && formatInstant(new Date(order.promised_at))],
						["Total TTC", formatEuros(order.price_cents)],
						["Remboursé", order.refunded_cents > 0 ? formatEuros(order.refunded_cents as typeof order.price_cents) : null],
					]}
				/>
			</Section>
			<Section title="Historique">
				<OrderHistory events={events} />
			</Section>
		</Page>
	);
}
