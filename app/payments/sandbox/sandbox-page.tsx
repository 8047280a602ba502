import { type Cents, formatEuros } from "../../catalogue/money.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";

interface SandboxPageProps {
	product: string;
	amount: Cents;
	cancelUrl: string;
	expired: boolean;
	/** The test cards; the first one is filled in. */
	cards: readonly { number: string; label: string }[];
	/** The state after the last submit. */
	answer: { secondStep: boolean; error: string | null; card: string } | undefined;
}

/** The sandbox's payment page. It stores nothing of a card. */
export function SandboxPage({ answer, ...session }: SandboxPageProps) {
	const { product, amount, cancelUrl, expired, cards } = session;
	return (
		<Page width="form">
			<Title above="Paiement de démonstration">
				{product}&nbsp;: {formatEuros(amount)}
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
					{answer?.secondStep ? <SecondStep /> : <CardFields {...session} answer={answer} />}
				</form>
			)}
			<TestCards cards={cards} />
		</Page>
	);
}

function SecondStep() {
	return (
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
	);
}

function CardFields({ amount, cancelUrl, cards, answer }: Pick<SandboxPageProps, "amount" | "cancelUrl" | "cards" | "answer">) {
	return (
		<>
			<TextField
				name="card"
				label="Numéro de carte"
				inputMode="numeric"
				autoComplete="off"
				defaultValue={answer?.card ?? cards[0]?.number}
				error={answer?.error ?? undefined}
				className="max-w-sm"
			/>
			<div className="mt-6 flex flex-wrap items-center gap-6">
				<button type="submit" name="intent" value="pay" className={button("primary")}>
					Payer {formatEuros(amount)}
				</button>
				<a className={button("quiet")} href={cancelUrl}>
					Annuler et revenir à la boutique
				</a>
			</div>
		</>
	);
}

function TestCards({ cards }: Pick<SandboxPageProps, "cards">) {
	return (
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
	);
}
