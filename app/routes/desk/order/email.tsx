import { data, href, Link } from "react-router";
import { emailLabels } from "../../../desk/order/describe-file.ts";
import { findEmailOfPage } from "../../../desk/order/find-order.server.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import { button } from "../../../ui/button.tsx";
import type { Route } from "./+types/email";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `E-mail de ${params.number} – bureau` }];

export async function loader({ context, params }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const { kind, subject, text } = await findEmailOfPage(context.get(shopContext), getActor(context), params);
	return data({ label: emailLabels[kind], subject, text });
}

/** An e-mail that has left, as text; its HTML is a download. */
export default function EmailRoute({ loaderData: { label, subject, text }, params }: Route.ComponentProps) {
	return (
		<div className="max-w-reading">
			<p className="text-sm">
				<Link className="link figures" to={href("/bureau/commandes/:number", { number: params.number })}>
					{params.number}
				</Link>
			</p>
			<h1 className="mt-1 text-2xl">{label}</h1>
			<p className="mt-1 text-sm text-soft">
				Tel que la commande le compose aujourd’hui. Les liens personnels du client n’y sont pas&nbsp;: ils mènent à l’accueil.
			</p>
			<p className="mt-5 border-t border-line pt-4 font-semibold break-words">{subject}</p>
			<p className="mt-3 break-words whitespace-pre-line">{text}</p>
			<p className="mt-6">
				<a className={button("secondary")} href={href("/bureau/commandes/:number/e-mails/:mail/fichier", params)} download>
					Télécharger avec sa mise en page (HTML)
				</a>
			</p>
		</div>
	);
}
