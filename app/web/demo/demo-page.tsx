import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { TextAreaField } from "../../ui/field.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";

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
	/** The desk; null: this client may not open it. `byHand`: whether new orders wait for it; null when they always do. */
	desk: { byHand: boolean | null } | null;
	/** Null: this client may not read them. */
	mails: readonly DemoMail[] | null;
}

const sampleCompanies = [
	{ siren: "552032534", name: "Danone", reason: "société anonyme" },
	{ siren: "356000000", name: "La Poste", reason: "ses SIRET suivent une autre règle" },
] as const;

/** The demo's page: test cards, companies to order, sent e-mails. */
export function DemoPage({ desk, cards, mails }: DemoPageProps) {
	return (
		<Page width="form">
			<Title lead="Cette page n’existe que dans la démonstration.">Essayer la boutique</Title>
			<Section title="De l’autre côté du comptoir">
				{desk ? (
					<DemoDesk {...desk} />
				) : (
					<p>
						Pour ouvrir le bureau ici, ouvrez cette page sur la machine de la boutique, qui ne doit pas être accessible depuis le réseau.
					</p>
				)}
			</Section>
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
			<Section title="Une liste à coller">
				<p className="mb-4">Vingt entreprises, certaines avec une référence. Leurs extraits arrivent un par un.</p>
				<form method="post" action={href("/commande/plusieurs")}>
					<TextAreaField label="SIREN et référence" name="entreprises" readOnly rows={8} value={sampleList} />
					<button type="submit" className={button("secondary", "mt-4")}>
						Commander ces vingt extraits
					</button>
				</form>
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

/** The other side of the counter: the desk, and the switch that sends it the new orders. */
function DemoDesk({ byHand }: { byHand: boolean | null }) {
	return (
		<>
			<p>
				{byHand === false
					? "Les commandes reçoivent aussitôt un spécimen. Servez-les à la main pour voir le travail du bureau\u00a0: payez une commande ici, servez-la dans une seconde fenêtre."
					: "Les nouvelles commandes attendent au bureau, comme dans une vraie boutique."}
			</p>
			<div className="mt-4 flex flex-wrap gap-4">
				<form method="post">
					<button type="submit" name="do" value="open-desk" className={button()}>
						Ouvrir le bureau
					</button>
				</form>
				{byHand !== null && (
					<form method="post">
						<input type="hidden" name="by-hand" value={byHand ? "off" : "on"} />
						<button type="submit" className={button("secondary")}>
							{byHand ? "Émettre de nouveau des spécimens" : "Servir les commandes à la main"}
						</button>
					</form>
				)}
			</div>
		</>
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

/** Companies of the sample with a Kbis, as an accountant would paste them: SIREN, then own reference. */
export const sampleList = `552032534;dossier 2026-101
356000000;dossier 2026-102
302474648;dossier 2026-103
303010789;dossier 2026-104
303236186;dossier 2026-105
309930816
319428967
319472775
326557725
341972156
383123874
384449773
392532230
418166096
422919548
470501545
493255848
511824021
541780193
572102176`;
