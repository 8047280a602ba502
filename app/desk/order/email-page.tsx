import { data, href, Link } from "react-router";
import { formatDayStamp } from "../../catalogue/instants.ts";
import { orderEmails } from "../../emails/order-emails.server.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/email-page";
import { formatBytes } from "./describe-draft.ts";
import { findEmailOfPage } from "./find-order.server.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `E-mail de ${params.number} – bureau` }];

export async function loader({ context, params }: Route.LoaderArgs) {
	const { kind, subject, text, sent } = await findEmailOfPage(context.get(shopContext), getActor(context), params);
	const described = sent && {
		at: formatDayStamp(sent.sentAt),
		recipient: sent.recipient ?? "adresse effacée",
		files: sent.attachments.map(({ name, bytes, sha256 }) => ({ name, size: formatBytes(bytes), sha256 })),
	};
	return data({ label: orderEmails[kind].label, subject, text, sent: described });
}

/** An e-mail that has left, as text; its HTML is a download. */
export default function EmailRoute({ loaderData: { label, subject, text, sent }, params }: Route.ComponentProps) {
	return (
		<div className="mx-auto max-w-page">
			<div className="max-w-reading">
				<p className="text-sm">
					<Link className="link figures" to={href("/bureau/commandes/:number", { number: params.number })}>
						{params.number}
					</Link>
				</p>
				<h1 className="mt-1 text-2xl">{label}</h1>
				{sent ? (
					<p className="mt-1 text-sm text-soft">
						Tel qu’il est parti le {sent.at} à <span className="break-words">{sent.recipient}</span>. Les liens personnels du client en sont
						retirés&nbsp;: ils n’ouvrent rien.
					</p>
				) : (
					<p className="mt-1 text-sm text-soft">
						Recomposé aujourd’hui&nbsp;: le texte d’origine de cet e-mail n’a pas été conservé, et la commande a pu changer depuis. Les
						liens personnels du client n’y sont pas&nbsp;: ils mènent à l’accueil.
					</p>
				)}
				<p className="mt-5 border-t border-line pt-4 font-semibold break-words">{subject}</p>
				<p className="mt-3 break-words whitespace-pre-line">{text}</p>
				{sent && sent.files.length > 0 && <AttachedFiles files={sent.files} />}
				<p className="mt-6">
					<a className={button("secondary")} href={href("/bureau/commandes/:number/e-mails/:mail/fichier", params)} download>
						Télécharger avec sa mise en page (HTML)
					</a>
				</p>
			</div>
		</div>
	);
}

function AttachedFiles({ files }: { files: { name: string; size: string; sha256: string }[] }) {
	return (
		<section aria-labelledby="attached" className="mt-6 border-t border-line pt-4">
			<h2 id="attached" className="text-lg">
				Pièces jointes
			</h2>
			<ul className="mt-2 space-y-2">
				{files.map(({ name, size, sha256 }) => (
					<li key={sha256} className="break-words">
						{name}, {size}
						<span className="figures block text-sm break-all text-soft">Empreinte SHA-256&nbsp;: {sha256}</span>
					</li>
				))}
			</ul>
		</section>
	);
}
