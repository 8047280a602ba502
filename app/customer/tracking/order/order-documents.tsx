import type { ReactNode } from "react";
import { href } from "react-router";
import { formatLongDay } from "../../../catalogue/instants.ts";
import { formatPeriod, retention } from "../../../catalogue/retention.ts";
import { isPosted } from "../../../catalogue/services.ts";
import { documentNames } from "../../../orders/documents/file-name.ts";
import { button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/page.tsx";
import type { DescribedOrder } from "../describe-order.server.ts";
import { TermsLink } from "../page-end.tsx";
import { pageParts } from "../page-parts.ts";
import type { TrackedOrderData } from "./describe-tracked-order.server.ts";

/** The documents of an order, the extract first; while there is none, why. */
export function OrderDocuments(described: TrackedOrderData) {
	const { order, documents, may, payable, termsVersion } = described;
	return (
		<Section id={pageParts.documents} title="Documents" className="mt-10">
			<DocumentList {...described} />
			{may.correctInvoice && <CorrectInvoiceLink number={order.order_number} />}
			{termsVersion && <TermsLink version={termsVersion} />}
			{documents.length === 0 && <p className="text-soft">{explainMissingDocument(described, payable)}</p>}
		</Section>
	);
}

export function CorrectInvoiceLink({ number }: { number: string }) {
	return (
		<p className="mt-2 text-sm print:hidden">
			<a className="link inline-flex min-h-11 items-center" href={href("/suivi/:number/facture", { number })}>
				Corriger la facture
			</a>
		</p>
	);
}

function DocumentList({ documents, documentBytes, extractPurged, extractName }: TrackedOrderData) {
	// the extract is what the customer came for
	const sorted = documents.toSorted((a, b) => Number(b.doc_type === "kbis") - Number(a.doc_type === "kbis"));
	return (
		<>
			<ul className="divide-y divide-line">
				{sorted.map((document) => (
					<DocumentRow
						key={document.id}
						document={document}
						name={document.doc_type === "kbis" ? `E${extractName.slice(1)}` : documentNames[document.doc_type]}
						detail={describePdf(documentBytes[document.id])}
					>
						{document.doc_type === "kbis" && (
							<a
								className="link inline-flex min-h-11 items-center text-soft print:hidden"
								href={href("/verifier/:document", { document: document.id })}
							>
								Vérifier
							</a>
						)}
					</DocumentRow>
				))}
			</ul>
			{documents.some((document) => document.doc_type === "kbis") && (
				<p className="mt-2 text-sm text-soft">
					Enregistrez votre extrait{"\u00a0"}: nous le supprimons {formatPeriod(retention.deliveredExtracts)} après la livraison.
				</p>
			)}
			{extractPurged && (
				<p className="mt-2 text-sm text-soft">
					L’extrait a été livré il y a plus de {formatPeriod(retention.deliveredExtracts)}&nbsp;: il a été supprimé.
				</p>
			)}
		</>
	);
}

type RowDocument = Pick<DescribedOrder["documents"][number], "doc_type" | "number" | "issued_at" | "replaced" | "url">;

/** A document with its download. @param children what else can be done with it. */
export function DocumentRow({
	document: { doc_type, number, issued_at, replaced, url },
	name,
	detail,
	children,
}: {
	document: RowDocument;
	name: string;
	detail?: string;
	children?: ReactNode;
}) {
	return (
		<li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2">
			<span>
				{name} {number} du {formatLongDay(new Date(issued_at))}
				{replaced && <span className="text-soft"> (remplacée)</span>}
				{detail && <span className="block text-sm text-soft">{detail}</span>}
			</span>
			<span className="flex flex-wrap items-center gap-x-6">
				{children}
				<a className={button(doc_type === "kbis" ? "primary" : "secondary")} href={url} target="_blank" rel="noopener">
					<span>
						Télécharger
						{doc_type !== "kbis" && (
							<span className="sr-only">
								{" "}
								{doc_type === "invoice" ? "la facture" : "l’avoir"} {number}
							</span>
						)}
					</span>
				</a>
			</span>
		</li>
	);
}

/** « PDF, 84 ko », « PDF, 1,2 Mo » */
function describePdf(bytes: number | undefined): string {
	if (bytes === undefined) return "PDF";
	const size = bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1000))}\u00a0ko` : `${(bytes / 1e6).toFixed(1).replace(".", ",")}\u00a0Mo`;
	return `PDF, ${size}`;
}

/** Why there is no document to download. */
function explainMissingDocument({ order: { disputed, status, product_code }, paid }: DescribedOrder, payable: boolean): string {
	if (disputed) return "Les téléchargements sont suspendus.";
	if (payable) return "Aucun document tant que la commande n’est pas payée.";
	if (status === "failed") return "Aucun document pour cette commande.";
	if (!paid) return "Votre paiement est en cours de vérification.";
	if (!isPosted(product_code)) return "Votre extrait s’affichera ici.";
	return status === "completed" ? "Votre extrait vous est envoyé par courrier." : "Votre extrait vous sera envoyé par courrier.";
}
