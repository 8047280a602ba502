import { useEffect } from "react";
import { href } from "react-router";
import { cents } from "../../../catalogue/money.ts";
import { formatPeriod, retention } from "../../../catalogue/retention.ts";
import { isPosted } from "../../../catalogue/services.ts";
import { deletePaidDraft } from "../../../checkout/form/draft.ts";
import { mayAsk } from "../../../orders/access.ts";
import { documentNames } from "../../../orders/documents/file-name.ts";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page, Section, Title } from "../../../ui/page.tsx";
import { AddressForm, CorrectedNotice, RefusedCorrectionSummary } from "../addresses/address-form.tsx";
import { ConfirmEmail, choice } from "../confirm-email.tsx";
import { CorrectInvoiceLink, DocumentRow } from "../order/order-documents.tsx";
import { getSheetOfLines } from "../order/order-sheet.tsx";
import { ContractLinks, QuitForm, TermsLink } from "../page-end.tsx";
import { formatDestination, pageParts } from "../page-parts.ts";
import { DisputedNotice, getUnconfirmedHeading, orderConfirmed, RefundedNotice, UnpaidNotice } from "../payment-notices.tsx";
import { Refusal } from "../refusal.tsx";
import { type RefusedForm, sortRefusal } from "../refused-form.ts";
import { SpaceBreadcrumb } from "../space-breadcrumb.tsx";
import { useLive } from "../use-live.ts";
import type { DescribedPurchase } from "./describe-purchase.server.ts";
import { isLong, type LineSearch, nameReady, PurchaseLines, toLineUrl } from "./purchase-lines.tsx";

interface PurchasePageProps {
	purchase: DescribedPurchase;
	/** Null when nothing changes by itself any more. */
	liveUrl: string | null;
	/** Of the form « Quitter »; null for a reader of whom the shop opened nothing. */
	quitKey: string | null;
	/** « Mes commandes » opened it. */
	fromSpace: boolean;
	answer: RefusedForm | null;
	/** Null unless the customer looks for lines. */
	search?: LineSearch | null;
}

/** The page of a purchase of several orders, with all its lines. */
export function PurchasePage({ purchase, liveUrl, quitKey, fromSpace, answer, search = null }: PurchasePageProps) {
	useLive(liveUrl, answer ?? search);
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
			<PurchaseLines {...purchase} search={search} />
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
function Help({ access, number, lines, offers, quitKey }: DescribedPurchase & { quitKey: string | null }) {
	const allowed = [
		...(offers.cancel ? ["d’annuler la commande"] : []),
		...(offers.refund ? ["de signaler une erreur"] : []),
		...(isLong(lines) && lines.some(({ shareable }) => shareable) ? ["de partager l’extrait"] : []),
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
