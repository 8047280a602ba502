import { href, Link } from "react-router";
import { DescriptionList } from "../../ui/description-list.tsx";
import type { OrderView } from "./read-order.server.ts";

/** The documents as downloads only, and the customer's link. */
export function OrderFiles({ order: { documents, termsVersion, number, may } }: { order: OrderView }) {
	return (
		<section aria-labelledby="documents">
			<h2 id="documents" className="text-lg">
				Documents
			</h2>
			{documents.length === 0 ? (
				<p className="mt-2 text-soft">Aucun document pour le moment.</p>
			) : (
				<DescriptionList
					className="mt-2 text-sm"
					rows={documents.map(({ id: document, name, details, stored, hasXml }) => [
						name,
						<span key={document} className="flex flex-wrap gap-x-4">
							{stored ? (
								<a className="link" href={href("/bureau/documents/:document", { document })} download>
									Télécharger<span className="sr-only"> {name}</span>
								</a>
							) : (
								"Fichier supprimé"
							)}
							{hasXml && (
								<a className="link" href={href("/bureau/documents/:document/factur-x", { document })} download>
									Factur-X (XML)<span className="sr-only"> de {name}</span>
								</a>
							)}
							<span className="text-soft">{details}</span>
						</span>,
					])}
				/>
			)}
			<p className="mt-2 flex flex-wrap gap-x-6 text-sm">
				{termsVersion && (
					<a className="link inline-flex min-h-11 items-center" href={href("/cgv/version/:version", { version: termsVersion })}>
						Ses conditions générales
					</a>
				)}
				{may.write && (
					<Link className="link inline-flex min-h-11 items-center" to={href("/bureau/commandes/:number/lien", { number })}>
						Le lien du client
					</Link>
				)}
				{may.refund && (
					<Link className="link inline-flex min-h-11 items-center" to={href("/bureau/argent/:number", { number })}>
						Paiements et remboursements
					</Link>
				)}
			</p>
		</section>
	);
}
