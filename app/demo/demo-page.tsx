import { href } from "react-router";
import { Disclosure } from "../ui/disclosure.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { Siren } from "../ui/siren.tsx";

interface DemoMail {
	id: string;
	to: string;
	subject: string;
	text: string;
	/** « 23 novembre 2026 à 10:00 ». */
	sentAt: string;
}

interface DemoPageProps {
	cards: readonly { number: string; label: string }[];
	/** Null: this client may not read them. */
	mails: readonly DemoMail[] | null;
}

const sampleCompanies = [
	{ siren: "552032534", name: "Danone", reason: "société anonyme" },
	{ siren: "356000000", name: "La Poste", reason: "ses SIRET suivent une autre règle" },
] as const;

/** The demo's page: test cards, companies to order, sent e-mails. */
export function DemoPage({ cards, mails }: DemoPageProps) {
	return (
		<Page width="form">
			<Title lead="Cette page n’existe que dans la démonstration.">Essayer la boutique</Title>
			<Section title="Cartes de test">
				<ul>
					{cards.map(({ number, label }) => (
						<li key={number} className="py-1">
							<span className="figures">{number}</span>&nbsp;: {label}
						</li>
					))}
				</ul>
			</Section>
			<Section title="Entreprises à commander">
				<ul>
					{sampleCompanies.map(({ siren, name, reason }) => (
						<li key={siren}>
							<a className="link inline-flex min-h-11 items-center" href={href("/entreprise/:siren", { siren })}>
								{name}
							</a>{" "}
							<span className="text-soft">
								(<Siren value={siren} />, {reason})
							</span>
						</li>
					))}
				</ul>
			</Section>
			<Section title="E-mails envoyés">
				{mails === null && (
					<p>
						Pour lire les e-mails ici, ouvrez cette page sur la machine de la boutique. La boutique ne doit pas être accessible depuis le
						réseau, ni utiliser de serveur SMTP.
					</p>
				)}
				{mails?.length === 0 && <p>Aucun e-mail pour l’instant. Passez une commande.</p>}
				{mails?.map((mail) => (
					<SentMail key={mail.id} mail={mail} />
				))}
			</Section>
		</Page>
	);
}

function SentMail({ mail: { subject, to, sentAt, text } }: { mail: DemoMail }) {
	return (
		<Disclosure
			title={
				<span>
					{subject}
					<span className="block text-sm font-normal text-soft">
						à {to}, {sentAt}
					</span>
				</span>
			}
			className="border-t py-2"
		>
			<MailText text={text} />
		</Disclosure>
	);
}

/** The text of a mail. A line that is a URL becomes a link. */
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
