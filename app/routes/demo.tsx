import { join } from "node:path";
import { data, href } from "react-router";
import { formatInstant } from "../catalogue/instants.ts";
import { readDemoMails } from "../mail/read-demo-mails.server.ts";
import { testCards } from "../payments/sandbox/sandbox-payment.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import { Icon } from "../ui/icon.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { Siren } from "../ui/siren.tsx";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/demo";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Essayer la boutique" }, { name: "robots", content: "noindex" }];

const sampleCompanies = [
	{ siren: "552032534", name: "Danone", why: "société anonyme" },
	{ siren: "356000000", name: "La Poste", why: "ses SIRET suivent une autre règle" },
] as const;

const mostMails = 30;
const loopback = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;

/** The demo's backstage; its mails hold personal data, so they are shown to who asks from this machine, through no proxy. */
export async function loader({ context }: Route.LoaderArgs) {
	const { environment } = context.get(shopContext);
	if (environment.production) throw data(null, { status: 404 });
	const mayRead = context.get(clientContext).isLocal && loopback.test(environment.host) && !environment.smtpUrl;
	const mails = mayRead ? await readDemoMails(join(environment.dataDir, "mails"), mostMails) : null;
	return {
		cards: testCards.map(({ number, label }) => ({ number, label })),
		mails: mails?.map((mail) => ({ ...mail, sentAt: formatInstant(mail.sentAt) })) ?? null,
	};
}

export default function Demo({ loaderData: { cards, mails } }: Route.ComponentProps) {
	return (
		<Page width="form">
			<Title lead="Cette page n’existe que dans la démonstration.">Essayer la boutique</Title>
			<Section title="Cartes de test">
				<ul>
					{cards.map(({ number, label }) => (
						<li key={number} className="py-1">
							<span className="figures">{number}</span> : {label}
						</li>
					))}
				</ul>
			</Section>
			<Section title="Entreprises à commander">
				<ul>
					{sampleCompanies.map(({ siren, name, why }) => (
						<li key={siren}>
							<a className="link inline-flex min-h-11 items-center" href={href("/entreprise/:siren", { siren })}>
								{name}
							</a>{" "}
							<span className="text-soft">
								(<Siren value={siren} />, {why})
							</span>
						</li>
					))}
				</ul>
			</Section>
			<Section title="E-mails envoyés">
				{mails === null && (
					<p>
						Les e-mails ne se lisent ici que depuis la machine de la boutique, si elle n’écoute que là et n’utilise pas de serveur SMTP.
					</p>
				)}
				{mails?.length === 0 && <p>Aucun e-mail pour l’instant. Passez une commande.</p>}
				{mails?.map((mail) => (
					<details key={mail.id} className="group border-t border-line py-2">
						<summary className="flex min-h-11 items-center justify-between gap-4 py-2 hover:text-accent">
							<span>
								<strong className="font-semibold">{mail.subject}</strong>
								<span className="block text-sm text-soft">
									à {mail.to}, {mail.sentAt}
								</span>
							</span>
							<Icon name="chevron" className="size-5 text-soft group-open:rotate-180" />
						</summary>
						<MailText text={mail.text} />
					</details>
				))}
			</Section>
		</Page>
	);
}

/** A mail's text with its addresses made into links. */
function MailText({ text }: { text: string }) {
	return (
		<div className="py-3 wrap-anywhere">
			{text.split("\n").map((line, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the lines of a sent mail never move
				<p key={index} className="min-h-4">
					{/^https?:\/\/\S+$/.test(line) ? (
						<a className="link" href={line}>
							{line}
						</a>
					) : (
						line
					)}
				</p>
			))}
		</div>
	);
}
