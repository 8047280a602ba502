import { href } from "react-router";
import { cancellableWhile } from "../../../catalogue/cancellation.ts";
import { formatInstant } from "../../../catalogue/instants.ts";
import { cents, formatEuros } from "../../../catalogue/money.ts";
import { type ServiceCode, services } from "../../../catalogue/services.ts";
import { HomeBreadcrumb } from "../../../ui/breadcrumb.tsx";
import { button } from "../../../ui/button.tsx";
import { DescriptionList } from "../../../ui/description-list.tsx";
import { LetterDrawing } from "../../../ui/drawings/drawings.tsx";
import { CheckboxField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page, Title } from "../../../ui/page.tsx";
import { Siren } from "../../../ui/siren.tsx";
import { ReferenceFields } from "../reference-fields.tsx";
import { Refusal } from "../refusal.tsx";

export interface ReferenceStepProps {
	step: "reference";
	error?: string;
	email?: string;
	reference?: string;
}

/** One order of a declaration. */
export interface WithdrawalLine {
	/** Its place in the purchase. */
	line: number;
	number: string;
	companyName: string;
	siren: string;
	service: ServiceCode;
	/** `declared`: it was declared before. */
	outcome: "cancelled" | "refunded" | "refused" | "declared" | "unpaid";
	/** The cents that are refunded; null for those who may not see amounts, and for old receipts. */
	refund: number | null;
	reason: string | null;
}

export interface ConfirmationStepProps {
	step: "confirmation";
	/** The signed token that the confirmation posts. */
	declaration: string;
	/** Why the confirmation was refused. */
	error?: string | undefined;
	/** Of the order or, with several lines, of the purchase. */
	number: string;
	/** Null for those who may not see it. */
	name: string | null;
	email: string;
	lines: readonly WithdrawalLine[];
	/** All lines that may be withdrawn are ticked; none otherwise, because a declaration is the customer's own. */
	isAllTicked: boolean;
	paid: boolean;
	/** ISO 8601. */
	orderedAt: string;
}

export interface ReceiptStepProps {
	step: "receipt";
	number: string;
	/** ISO 8601. */
	declaredAt: string;
	lines: readonly WithdrawalLine[];
	paid: boolean;
}

/** The field of « Tout cocher », which posts the declaration to be shown with all lines ticked: the page has no script. */
export const allField = "tout";

/** Its own form, so that Enter in a box confirms instead of ticking the others. */
const allForm = "tout-cocher";

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
				{`Si vous renoncez ${cancellableWhile.any}, votre commande est annulée et vous êtes remboursé immédiatement. Ensuite, vous avez perdu ce droit si vous aviez demandé l’exécution immédiate\u00a0; sinon, vous le gardez jusqu’à la fin des quatorze jours, et vous êtes remboursé. `}
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

function ConfirmationStep({ declaration, error, number, name, email, lines, isAllTicked, paid, orderedAt }: ConfirmationStepProps) {
	const [only] = lines;
	const possible = lines.filter(({ outcome }) => outcome === "cancelled" || outcome === "refunded");
	return (
		<>
			<Title lead="Vérifiez votre déclaration. Rien ne sera envoyé tant que vous n’aurez pas confirmé.">
				Votre déclaration de rétractation
			</Title>
			{error && <Refusal sentence={error} />}
			<blockquote className="border-l-2 border-edge pl-4 text-lg">
				Je vous notifie ma rétractation du contrat portant sur la {lines.length > 1 ? "commande groupée" : "commande"}{" "}
				<span className="whitespace-nowrap">{number}</span>
				{lines.length > 1 && paid && possible.length > 0 && ", pour les extraits cochés ci-dessous"}.
			</blockquote>
			<div className="mt-8">
				<DescriptionList
					rows={[
						["Nom", name],
						["E-mail pour l’accusé de réception", email],
						[lines.length > 1 ? "Commande groupée" : "Commande", number],
						["Commandé le", formatInstant(new Date(orderedAt))],
						...(lines.length === 1 && only ? listCompany(only) : []),
					]}
				/>
			</div>
			<form id={allForm} method="post">
				<input type="hidden" name="declaration" value={declaration} />
			</form>
			<form method="post" className="mt-8">
				<input type="hidden" name="declaration" value={declaration} />
				<ChosenLines lines={lines} possible={possible} isAllTicked={isAllTicked} paid={paid} />
				<div className="mt-8 flex flex-wrap items-center gap-6">
					<button type="submit" className={button("primary")}>
						Confirmer la rétractation
					</button>
					<a className={button("quiet")} href={toOrderPage(number, lines)}>
						Revenir à ma commande
					</a>
				</div>
			</form>
		</>
	);
}

/** The page of the order or, with several lines, of the purchase. */
const toOrderPage = (number: string, { length }: readonly WithdrawalLine[]) =>
	href(length > 1 ? "/suivi/:number/ensemble" : "/suivi/:number", { number });

const listCompany = ({ service, companyName, siren }: WithdrawalLine) =>
	[
		["Service", services[service].name],
		["Entreprise", companyName],
		["SIREN", <Siren key="siren" value={siren} />],
	] as const;

/** The lines from which a withdrawal is possible, to be chosen, and why the others are refused. */
function ChosenLines({
	lines,
	possible,
	isAllTicked,
	paid,
}: Pick<ConfirmationStepProps, "lines" | "isAllTicked" | "paid"> & { possible: readonly WithdrawalLine[] }) {
	const refused = lines.filter(({ outcome }) => outcome === "refused");
	const declared = lines.filter(({ outcome }) => outcome === "declared");
	const [only] = possible;
	return (
		<>
			{!paid && possible.length > 0 && <p>Vous n’avez rien payé et ne devrez rien{"\u00a0"}: toute la commande est annulée.</p>}
			{paid && lines.length === 1 && only && <p>{describeEffect(only, "planned")}</p>}
			{paid && lines.length > 1 && possible.length > 0 && (
				<fieldset>
					<legend className="text-xl">Les extraits dont vous vous rétractez</legend>
					{possible.length > 1 && (
						<button type="submit" form={allForm} name={allField} value="oui" className={button("quiet")}>
							Tout cocher
						</button>
					)}
					<ul className="mt-3 divide-y divide-line border-y border-line">
						{possible.map((line) => (
							<li key={line.line} className="py-2">
								<CheckboxField
									name="ligne"
									id={`ligne-${line.line}`}
									value={line.line}
									defaultChecked={isAllTicked}
									label={nameLine(line)}
									hint={describeEffect(line, "planned")}
								/>
							</li>
						))}
					</ul>
					<p className="mt-3">Nous vous remboursons le total des extraits cochés.</p>
				</fieldset>
			)}
			{refused.length > 0 && <RefusedLines lines={refused} isOnly={lines.length === 1} />}
			{declared.length > 0 && <p className="mt-8">Vous vous êtes déjà rétracté pour {declared.map(nameLine).join("\u00a0; ")}.</p>}
		</>
	);
}

function RefusedLines({ lines, isOnly }: { lines: readonly WithdrawalLine[]; isOnly: boolean }) {
	return (
		<Notice
			kind="info"
			title={isOnly ? "Nous ne pourrons pas donner suite à votre rétractation." : "Pour ces extraits, nous ne pourrons pas donner suite."}
			className="mt-8"
		>
			<ul className="mt-1 grid gap-2">
				{lines.map((line) => (
					<li key={line.line}>
						{!isOnly && <strong>{nameLine(line)}. </strong>}
						{line.reason}
					</li>
				))}
			</ul>
			<p className="mt-2">
				Vous pensez que c’est une erreur{"\u00a0"}?{" "}
				<a className="link" href={href("/suivi/:number/message", { number: lines[0]?.number ?? "" })}>
					Écrivez-nous
				</a>
				{"\u00a0"}: une personne examinera votre demande.
			</p>
		</Notice>
	);
}

const nameLine = ({ companyName, service, number }: WithdrawalLine) => `${companyName}, ${services[service].name}, ${number}`;

/** What a withdrawal does to a line, or did. */
function describeEffect({ outcome, refund }: WithdrawalLine, tense: "planned" | "done"): string {
	const cancelled = outcome === "cancelled" ? (tense === "planned" ? "La commande sera annulée" : "La commande est annulée") : null;
	const money =
		refund === null
			? "le prix est remboursé sur la carte utilisée pour le paiement"
			: refund > 0
				? `${formatEuros(cents(refund))} ${tense === "planned" ? "vous seront remboursés" : "vous sont remboursés"}`
				: "elle vous a déjà été remboursée, ou va l’être";
	return cancelled === null ? `${money[0]?.toUpperCase()}${money.slice(1)}.` : `${cancelled}, et ${money}.`;
}

function SumOf({ lines, label }: { lines: readonly WithdrawalLine[]; label: string }) {
	if (lines.some(({ refund }) => refund === null)) return null;
	return (
		<p className="figures mt-3 text-right font-semibold">
			{label}
			{"\u00a0"}: {formatEuros(cents(lines.reduce((sum, { refund }) => sum + (refund ?? 0), 0)))}
		</p>
	);
}

function ReceiptStep({ number, declaredAt, lines, paid }: ReceiptStepProps) {
	const [only] = lines;
	// a sum that the reader may not see is null
	const isMoney = paid && lines.some(({ outcome, refund }) => outcome !== "refused" && refund !== 0);
	return (
		<>
			<Title lead={"Un accusé de réception vous a été envoyé par e-mail\u00a0: conservez-le."}>Déclaration reçue</Title>
			<DescriptionList
				rows={[
					["Déclaration", `Rétractation du contrat portant sur la ${lines.length > 1 ? "commande groupée" : "commande"} ${number}`],
					...(lines.length === 1 && only ? [["Objet", `${only.companyName}, ${services[only.service].name}`] as const] : []),
					["Reçue le", formatInstant(new Date(declaredAt))],
				]}
			/>
			{lines.length === 1 && only ? (
				<OnlyOutcome line={only} paid={paid} isMoney={isMoney} />
			) : (
				<>
					<h2 className="mt-8 text-xl">Ce que devient chaque extrait</h2>
					<DescriptionList
						className="mt-3"
						rows={lines.map((line) => [
							nameLine(line),
							line.outcome === "refused"
								? `Refusé. ${line.reason ?? ""}`
								: paid
									? describeEffect(line, "done")
									: "La commande est annulée.",
						])}
					/>
					{isMoney && <SumOf lines={lines} label="Nous vous remboursons" />}
					{isMoney && <p className="mt-3">{bankDelay}</p>}
				</>
			)}
			<p className="mt-8">
				<a className={button("secondary")} href={toOrderPage(number, lines)}>
					Suivre ma commande
				</a>
			</p>
		</>
	);
}

const bankDelay = "La somme arrive sur la carte utilisée pour le paiement. Votre banque peut mettre cinq à dix jours ouvrés à l’afficher.";

function OnlyOutcome({ line, paid, isMoney }: { line: WithdrawalLine; paid: boolean; isMoney: boolean }) {
	if (line.outcome === "refused")
		return (
			<Notice kind="info" title="Nous ne pouvons pas donner suite à votre rétractation." className="mt-8">
				{line.reason && <p className="mt-1">{line.reason}</p>}
			</Notice>
		);
	return (
		<Notice kind="done" title={paid ? describeEffect(line, "done") : "Votre commande est annulée. Vous n’avez rien payé."} className="mt-8">
			{isMoney && <p className="mt-1">{bankDelay}</p>}
		</Notice>
	);
}
