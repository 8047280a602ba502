import { useState } from "react";
import { data, Form, href, Link } from "react-router";
import { createTrackingUrl } from "../../emails/tracking-urls.server.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { getActor } from "../shell/signed-in.server.ts";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { Route } from "./+types/customer-link-page";
import { findOrderOfPage } from "./find-order.server.ts";
import { recordLook } from "./record-look.server.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Lien du client de ${params.number} – bureau` }];

export async function loader({ context, params }: Route.LoaderArgs) {
	await findOrderOfPage(context.get(shopContext), params.number);
	return null;
}

/** Shows the link in the answer to a form: in no URL of the desk, no log, and not in the trail, which has that it was shown. */
export async function action({ context, params }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const order = await findOrderOfPage(shop, params.number);
	if (order.erased_at !== null) throw data("Les données de ce client ont été effacées.", { status: 404 });
	await recordLook(shop, getActor(context), "see-customer-link", order.order_number);
	return { url: createTrackingUrl(shop, order) };
}

export default function CustomerLinkRoute({ actionData: answered, params }: Route.ComponentProps) {
	const actionData = useLastAnswer(answered);
	return (
		<div className="mx-auto max-w-page">
			<div className="max-w-reading">
				<p className="text-sm">
					<Link className="link figures" to={href("/bureau/commandes/:number", params)}>
						{params.number}
					</Link>
				</p>
				<h1 className="mt-1 text-2xl">Le lien du client</h1>
				<p className="mt-3">
					C’est le lien des e-mails du client&nbsp;: il ouvre le suivi de sa commande pendant 30&nbsp;jours, en lecture. Ne le donnez qu’à
					l’adresse de la commande.
				</p>
				{actionData ? (
					<CopyLink url={actionData.url} />
				) : (
					<Form method="post" className="mt-5">
						<button type="submit" className={button()}>
							Montrer le lien
						</button>
						<p className="mt-2 text-sm text-soft">Le journal retient que vous l’avez vu.</p>
					</Form>
				)}
			</div>
		</div>
	);
}

/** A link to copy. It is no anchor: the desk never opens a customer's page. */
function CopyLink({ url }: { url: string }) {
	const [isCopied, setCopied] = useState(false);
	const hydrated = useHydrated();
	return (
		<div className="mt-5">
			<p className="border-y border-line py-3 text-sm break-all select-all">{url}</p>
			<p className="mt-3 flex items-center gap-4">
				{hydrated && (
					<button
						type="button"
						className={button("secondary")}
						onClick={() => void navigator.clipboard?.writeText(url).then(() => setCopied(true))}
					>
						Copier
					</button>
				)}
				<span role="status" className="text-sm text-done">
					{isCopied && "Copié"}
				</span>
			</p>
		</div>
	);
}
