import { href } from "react-router";
import { cancellableWhile } from "../../catalogue/cancellation.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import { HomeBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { LetterDrawing } from "../../ui/drawings/letter-drawing.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { ReferenceFields } from "../reference-fields.tsx";
import { Refusal } from "../refusal.tsx";

export interface ReferenceStepProps {
	step: "reference";
	error?: string;
	email?: string;
	reference?: string;
}

export interface ConfirmationStepProps {
	step: "confirmation";
	/** The signed token that the confirmation posts. */
	declaration: string;
	number: string;
	name: string;
	email: string;
	companyName: string;
	siren: string;
	service: ServiceCode;
	/** ISO 8601. */
	orderedAt: string;
}

export interface ReceiptStepProps {
	step: "receipt";
	number: string;
	/** ISO 8601. */
	declaredAt: string;
	outcome: "cancelled" | "refunded" | "refused";
	reason: string | null;
}

/** The three steps of a withdrawal. The texts of its two buttons are fixed by law (C. conso. art. L221-21, D221-5). */
export function WithdrawalPage(state: ReferenceStepProps | ConfirmationStepProps | ReceiptStepProps) {
	return (
		<Page width="form">
			{state.step === "reference" && <ReferenceStep {...state} />}
			{state.step === "confirmation" && <ConfirmationStep {...state} />}
			{state.step === "receipt" && <ReceiptStep {...state} />}
		</Page>
	);
}

function ReferenceStep({ error, email, reference }: ReferenceStepProps) {
	return (
		<>
			<Title
				above={<HomeBreadcrumb label="Renoncer au contrat" />}
				drawing={LetterDrawing}
				lead="Vous avez quatorze jours pour vous rétracter, sans donner de motif. Indiquez votre e-mail et votre numéro de commande."
			>
				Renoncer au contrat
			</Title>
			<p className="mb-8 text-soft">
				{`Si vous renoncez ${cancellableWhile.any}, votre commande est annulée et vous êtes remboursé immédiatement. Ensuite, vous perdez ce droit si vous aviez demandé l’exécution immédiate\u00a0; sinon, vous êtes remboursé. `}
				Les détails sont dans nos{" "}
				<a className="link" href={`${href("/cgv")}#retractation`}>
					conditions générales
				</a>
				.
			</p>
			<form method="post" noValidate>
				{error && <Refusal sentence={error} />}
				<ReferenceFields email={email} reference={reference} />
				<div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2">
					<button type="submit" className={button("primary")}>
						Renoncer au contrat ici
					</button>
					<a className="link inline-flex min-h-11 items-center" href={href("/numero-perdu")}>
						Numéro perdu{"\u00a0"}?
					</a>
				</div>
			</form>
		</>
	);
}

function ConfirmationStep({ declaration, number, name, email, companyName, siren, service, orderedAt }: ConfirmationStepProps) {
	return (
		<>
			<Title lead="Vérifiez votre déclaration. Rien ne sera envoyé tant que vous n’aurez pas confirmé.">
				Votre déclaration de rétractation
			</Title>
			<blockquote className="border-l-2 border-edge pl-4 text-lg">
				Je vous notifie ma rétractation du contrat portant sur la commande <span className="whitespace-nowrap">{number}</span>.
			</blockquote>
			<div className="mt-8">
				<DescriptionList
					rows={[
						["Nom", name],
						["E-mail pour l’accusé de réception", email],
						["Commande", number],
						["Commandé le", formatInstant(new Date(orderedAt))],
						["Service", services[service].name],
						["Entreprise", companyName],
						["SIREN", <Siren key="siren" value={siren} />],
					]}
				/>
			</div>
			<form method="post" className="mt-8 flex flex-wrap items-center gap-6">
				<input type="hidden" name="declaration" value={declaration} />
				<button type="submit" className={button("primary")}>
					Confirmer la rétractation
				</button>
				<a className={button("quiet")} href={href("/retractation")}>
					Ne pas me rétracter
				</a>
			</form>
		</>
	);
}

const outcomes = {
	cancelled: { kind: "done", title: "Votre commande est annulée. Ce que vous aviez payé vous est remboursé sur votre carte." },
	refunded: { kind: "done", title: "Vous êtes remboursé de la totalité du prix, sur votre carte." },
	refused: { kind: "info", title: "Nous ne pouvons pas donner suite à votre rétractation." },
} as const;

function ReceiptStep({ number, declaredAt, outcome, reason }: ReceiptStepProps) {
	const { kind, title } = outcomes[outcome];
	return (
		<>
			<Title lead={"Un accusé de réception vient de vous être envoyé par e-mail\u00a0: conservez-le."}>Déclaration reçue</Title>
			<DescriptionList
				rows={[
					["Déclaration", `Rétractation du contrat portant sur la commande ${number}`],
					["Reçue le", formatInstant(new Date(declaredAt))],
				]}
			/>
			<Notice kind={kind} title={title} className="mt-8">
				{reason && <p className="mt-1">{reason}</p>}
				{outcome !== "refused" && <p className="mt-1">Votre banque peut mettre cinq à dix jours ouvrés à l’afficher.</p>}
			</Notice>
			<p className="mt-8">
				<a className={button("secondary")} href={href("/suivi/:number", { number })}>
					Suivre ma commande
				</a>
			</p>
		</>
	);
}
