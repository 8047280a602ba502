import { useEffect } from "react";
import { href } from "react-router";
import { formatDayAndHour, inParis } from "../../../catalogue/instants.ts";
import { cents, formatEuros } from "../../../catalogue/money.ts";
import { formatPeriod, retention } from "../../../catalogue/retention.ts";
import { isPosted, services } from "../../../catalogue/services.ts";
import { deletePaidDraft } from "../../../checkout/form/draft.ts";
import { mayAsk } from "../../../orders/access.ts";
import { documentNames } from "../../../orders/documents/file-name.ts";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { nameWithOf } from "../../../ui/name-with-of.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page, Section, Title } from "../../../ui/page.tsx";
import { Siren } from "../../../ui/siren.tsx";
import { AddressForm, CorrectedNotice, RefusedCorrectionSummary } from "../addresses/address-form.tsx";
import { ConfirmEmail, choice } from "../confirm-email.tsx";
import { TrackingNumber } from "../order/order-columns.tsx";
import { CorrectInvoiceLink, DocumentRow } from "../order/order-documents.tsx";
import { getSheetOfLines } from "../order/order-sheet.tsx";
import { OrderStatusInList } from "../order-state.tsx";
import { ContractLinks, QuitForm, TermsLink } from "../page-end.tsx";
import { formatDestination, type PagePart, pageParts } from "../page-parts.ts";
import { DisputedNotice, getUnconfirmedHeading, orderConfirmed, RefundedNotice, UnpaidNotice } from "../payment-notices.tsx";
import { Refusal } from "../refusal.tsx";
import { type RefusedForm, sortRefusal } from "../refused-form.ts";
import { SpaceBreadcrumb } from "../space-breadcrumb.tsx";
import { useLive } from "../use-live.ts";
import type { DescribedPurchase, PurchaseLine } from "./describe-purchase.server.ts";

interface PurchasePageProps {
	purchase: DescribedPurchase;
	/** Null when nothing changes by itself any more. */
	liveUrl: string | null;
	/** Of the form « Quitter »; null for a reader of whom the shop opened nothing. */
	quitKey: string | null;
	/** « Mes commandes » opened it. */
	fromSpace: boolean;
	answer: RefusedForm | null;
}

/** The page of a purchase of several orders, with all its lines. */
export function PurchasePage({ purchase, liveUrl, quitKey, fromSpace, answer }: PurchasePageProps) {
	useLive(liveUrl, answer);
	const { paidAt } = purchase;
	useEffect(() => {
		if (paidAt) deletePaidDraft(paidAt);
	}, [paidAt]);
	const { unpaid, refused, correction } = sortRefusal(answer);
	const { number, access, payable, paid, status, termsVersion } = purchase;
	const addressForm = purchase.addresses && (
		<div className="max-w-form">
			<AddressForm addresses={purchase.addresses} refused={correction} />
			{purchase.letterLine !== null && (
				<a
					className="link mt-2 inline-flex min-h-11 items-center print:hidden"
					href={`${toLineUrl(number, purchase.letterLine)}#${pageParts.letter}`}
				>
					Corriger l’adresse de livraison
				</a>
			)}
		</div>
	);
	return (
		<Page width="page">
			<Title
				above={
					<>
						{fromSpace && <SpaceBreadcrumb />}
						Commande groupée <span className="figures whitespace-nowrap">{number}</span>
					</>
				}
				lead={paid && countLines(purchase)}
				drawing={getSheetOfLines(purchase.lines)}
			>
				{getHeading(purchase)}
			</Title>
			{refused && <Refusal sentence={refused.refused} />}
			{correction ? <RefusedCorrectionSummary refused={correction} /> : <CorrectedNotice notice={purchase.corrected} />}
			<p className="sr-only" aria-live="polite">
				{announceResults(purchase)}
			</p>
			<div className="grid gap-4 empty:hidden">
				{payable && <UnpaidNotice status={status} error={unpaid} />}
				<PurchaseNotices {...purchase} />
			</div>
			{!purchase.addresses?.delivered && addressForm}
			<Downloads {...purchase} />
			{purchase.addresses?.delivered && addressForm}
			{access === "purchase-link" && (
				<div className="mt-8">
					<ConfirmEmail
						number={number}
						destination={formatDestination({ page: "purchase", part: pageParts.documents })}
						opens={["voir la facture", ...(purchase.documents > 0 ? ["partager"] : []), ...(purchase.offers.cancel ? ["annuler"] : [])]}
					/>
				</div>
			)}
			<PurchaseLines {...purchase} />
			{termsVersion && <TermsLink version={termsVersion} />}
			{access === "url" ? <TrackLink number={number} /> : <Help {...purchase} quitKey={quitKey} />}
		</Page>
	);
}

function getHeading(purchase: DescribedPurchase): string {
	const { lines, paid, cancelled } = purchase;
	const unconfirmed = paid && !cancelled ? null : getUnconfirmedHeading(purchase);
	const hasResult = lines.some((line) => line.status === "completed" || line.status === "failed");
	return unconfirmed ?? (hasResult ? `Votre commande de ${lines.length} extraits` : orderConfirmed);
}

/** For screen readers: the first result and the end only, because the count of two hundred lines changes every few seconds. */
function announceResults({ lines, paid }: DescribedPurchase): string {
	const served = lines.filter(({ status, cancelled }) => status === "completed" || (status === "failed" && !cancelled));
	const open = lines.filter(({ status }) => status === "paid" || status === "processing");
	if (!paid || served.length === 0) return "";
	return open.length > 0 ? "Un premier extrait est traité." : "Tous les extraits sont traités.";
}

/** What becomes of an extract of the purchase, and of several. */
const nameReady = (lines: DescribedPurchase["lines"]) =>
	lines.some(({ service }) => isPosted(service)) ? (["prêt ou posté", "prêts ou postés"] as const) : (["prêt", "prêts"] as const);

/** « 38 sur 40 prêts, 1 en cours, 1 n’a pas abouti. » */
function countLines({ lines }: DescribedPurchase): string {
	const count = (holds: (line: DescribedPurchase["lines"][number]) => boolean) => lines.filter(holds).length;
	const ready = count(({ status }) => status === "completed");
	const open = count(({ status }) => status === "paid" || status === "processing");
	const cancelled = count((line) => line.cancelled);
	const failed = count(({ status }) => status === "failed") - cancelled;
	const [one, several] = nameReady(lines);
	return `${[
		`${ready} sur ${lines.length} ${ready > 1 ? several : one}`,
		...(open > 0 ? [`${open} en cours`] : []),
		...(failed > 0 ? [`${failed} ${failed > 1 ? "n’ont pas abouti" : "n’a pas abouti"}`] : []),
		...(cancelled > 0 ? [`${cancelled} ${cancelled > 1 ? "annulés" : "annulé"}`] : []),
	].join(", ")}.`;
}

function PurchaseNotices({ paid, disputed, refunded, lines, request, sentTo }: DescribedPurchase) {
	const waits = lines.some(({ status }) => status === "paid" || status === "processing");
	return (
		<>
			{disputed && <DisputedNotice />}
			{request && <p>{request}</p>}
			{paid && waits && !disputed && (
				<Notice kind="waiting" title="Vous pouvez fermer cette page.">
					<p>
						Nous écrirons à <span className="break-words">{sentTo[0]}</span> quand tous les extraits d’un même service seront{" "}
						{nameReady(lines)[1]}, et dès le premier retard ou échec.
						{sentTo[1] && (
							<>
								{" "}
								Les PDF sont aussi envoyés à <span className="break-words">{sentTo[1]}</span>.
							</>
						)}
					</p>
				</Notice>
			)}
			{refunded > 0 && <RefundedNotice refunded={cents(refunded)} />}
		</>
	);
}

/** All documents in one file, with the papers of the contract, then the invoices. */
function Downloads({
	number,
	filesUrl,
	documents,
	lines,
	hasInvoice,
	invoices,
	creditNotes,
	mayCorrectInvoice,
	termsVersion,
	access,
}: DescribedPurchase) {
	if (filesUrl === null && invoices.length === 0) return null;
	const byEmail = lines.filter(({ service, status }) => !isPosted(service) && status !== "failed").length;
	return (
		<div id={pageParts.documents} className="mt-8 print:hidden">
			{filesUrl && (
				<a className={button("primary")} href={filesUrl}>
					{documents === byEmail
						? "Tout télécharger"
						: `Télécharger ${documents > 1 ? `les ${documents} extraits prêts` : "l’extrait prêt"}`}
				</a>
			)}
			{filesUrl && (
				<p className="mt-2 max-w-reading text-sm text-soft">
					Un fichier ZIP avec {documents > 1 ? `${documents} extraits` : "un extrait"}
					{hasInvoice && `, la facture${termsVersion ? ", les conditions générales de vente" : ""}`} et un tableau, manifeste.csv, qui donne
					le SIREN
					{mayAsk(access, "read-reference") && ", la référence"} et l’empreinte de chaque fichier. Enregistrez-le{"\u00a0"}: nous supprimons
					les extraits {formatPeriod(retention.deliveredExtracts)} après leur livraison.
				</p>
			)}
			{invoices.length > 0 && (
				<ul className="mt-4 max-w-reading divide-y divide-line border-y border-line">
					{invoices.map((invoice) => (
						<DocumentRow key={invoice.number} document={invoice} name={documentNames[invoice.doc_type]} />
					))}
				</ul>
			)}
			{creditNotes.length > 0 && (
				<Disclosure
					title={creditNotes.length > 1 ? `Avoirs de vos ${creditNotes.length} remboursements` : "Avoir de votre remboursement"}
					className="max-w-reading border-b"
				>
					<ul className="divide-y divide-line">
						{creditNotes.map((note) => (
							<DocumentRow key={note.number} document={note} name={documentNames[note.doc_type]} detail={note.company} />
						))}
					</ul>
				</Disclosure>
			)}
			{mayCorrectInvoice && <CorrectInvoiceLink number={number} />}
		</div>
	);
}

/** Where the customer's requests are made, and how they leave a shared computer. */
function Help({ access, number, offers, quitKey }: DescribedPurchase & { quitKey: string | null }) {
	const allowed = [
		...(offers.cancel ? ["d’annuler la commande"] : []),
		...(offers.refund ? ["de signaler une erreur"] : []),
		"de lire l’historique",
	];
	return (
		<>
			<Section title={"Un problème avec un extrait\u00a0?"} className="print:hidden">
				<p className="mb-5 max-w-reading text-soft">
					Cliquez sur le nom de l’entreprise{"\u00a0"}: la page de cet extrait permet {choice.format(allowed)}.
				</p>
				<ContractLinks number={number} mayWithdraw={mayAsk(access, "withdraw")} />
				{access === "purchase" && (
					<p className="max-w-reading text-soft">
						<a className="link" href={href("/mes-commandes")}>
							Mes commandes
						</a>{" "}
						réunit toutes vos commandes et vos factures, sans mot de passe.
					</p>
				)}
			</Section>
			{quitKey && <QuitForm number={number} quitKey={quitKey} />}
		</>
	);
}

function TrackLink({ number }: { number: string }) {
	return (
		<p className="border-t border-line py-8 print:hidden">
			<a className={button("secondary")} href={href("/suivi/:number/ensemble", { number })}>
				Suivre ma commande
			</a>
		</p>
	);
}

/** The lines of a purchase, each with its state and its document, and their price. */
function PurchaseLines({ number, access, lines, total, refunded }: DescribedPurchase) {
	return (
		<Section title="Les extraits de votre commande" className="mt-10">
			<ol className="divide-y divide-line border-y border-line">
				{lines.map((line) => (
					<li key={line.line} className="grid gap-x-6 gap-y-2 py-3 break-inside-avoid lg:grid-cols-2 lg:gap-x-12">
						<div className="min-w-0">
							<LineName line={line} number={number} hasLink={access !== "url"} />
							<p className="text-sm break-words text-soft">
								SIREN <Siren value={line.siren} />
								{line.reference && <>&nbsp;· {line.reference}</>}&nbsp;· {services[line.service].name}&nbsp;·{" "}
								<span className="figures whitespace-nowrap">{line.number}</span>
							</p>
						</div>
						<div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
							<div className="min-w-0">
								<OrderStatusInList status={line.status} cancelled={line.cancelled} />
								<LineDetails line={line} />
							</div>
							<div className="flex flex-wrap items-center gap-x-6">
								{line.cancellable && <LineLink number={number} line={line} part={pageParts.cancel} label="Annuler" />}
								{line.shareable && <LineLink number={number} line={line} part={pageParts.sharing} label="Partager" />}
								{line.documentUrl && (
									<a className={button("secondary")} href={line.documentUrl} target="_blank" rel="noopener">
										<span>
											Télécharger <span className="sr-only">l’extrait {nameWithOf(line.company)}</span>
										</span>
									</a>
								)}
							</div>
						</div>
					</li>
				))}
			</ol>
			{total !== null && (
				<p className="figures mt-3 text-right font-semibold">
					Total TTC&nbsp;: {formatEuros(total)}
					{refunded > 0 && `, dont ${formatEuros(cents(refunded))} remboursés`}
				</p>
			)}
		</Section>
	);
}

/** A link to a part of the page of a line. */
function LineLink({ number, line, part, label }: { number: string; line: PurchaseLine; part: PagePart; label: string }) {
	return (
		<a className="link inline-flex min-h-11 items-center" href={`${toLineUrl(number, line.line)}#${part}`}>
			<span>
				{label} <span className="sr-only">l’extrait {nameWithOf(line.company)}</span>
			</span>
		</a>
	);
}

const toLineUrl = (number: string, line: number) => href("/suivi/:number/ensemble/ligne/:line", { number, line: String(line) });

/** The company; for readers who may see the order, a link to its own page. */
function LineName({ line, number, hasLink }: { line: PurchaseLine; number: string; hasLink: boolean }) {
	if (!hasLink) return <p className="font-semibold break-words">{line.company}</p>;
	return (
		<a className="link inline-flex min-h-11 items-center font-semibold break-words" href={toLineUrl(number, line.line)}>
			{line.company}
		</a>
	);
}

/** The hour of a line, its delay, its letter and its refund. */
function LineDetails({ line }: { line: PurchaseLine }) {
	const sentences = describeLine(line);
	if (sentences.length === 0) return null;
	return (
		<p className="text-sm text-soft">
			{sentences.join(" ")}
			{line.trackingNumber && (
				<span className="block">
					<TrackingNumber number={line.trackingNumber} />
				</span>
			)}
		</p>
	);
}

function describeLine(line: PurchaseLine): string[] {
	const posted = isPosted(line.service);
	const isOpen = line.status === "paid" || line.status === "processing";
	return [
		...(isOpen && line.promisedAt && !line.late
			? [`${posted ? "Posté" : "Livré"} au plus tard ${formatDayAndHour(new Date(line.promisedAt))}${inParis}.`]
			: []),
		...(isOpen && line.requested ? ["Demande transmise au greffe."] : []),
		...(isOpen && line.late ? ["En retard\u00a0: vous le recevrez dès que nous l’aurons."] : []),
		...(line.status === "completed" && line.completedAt
			? [`${posted ? "Posté" : "Livré"} ${formatDayAndHour(new Date(line.completedAt))}${line.late ? ", en retard" : ""}.`]
			: []),
		...(line.destination ? [`Destination\u00a0: ${line.destination}.`] : []),
		...(line.arrival ? [line.arrival] : []),
		...(line.purged ? ["L’extrait est supprimé\u00a0: sa durée de conservation est passée."] : []),
		...(line.refunded > 0 ? [`${formatEuros(cents(line.refunded))} remboursés.`] : []),
		...(line.refundAwaited ? ["Remboursement en cours."] : []),
		...(line.refundDueBy
			? [`Remboursement dû\u00a0: il part au plus tard ${formatDayAndHour(new Date(line.refundDueBy))}${inParis}.`]
			: []),
	];
}
