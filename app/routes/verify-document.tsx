import { data, href } from "react-router";
import { isUuid } from "../../server/uuid.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { documentNames } from "../documents/document-names.ts";
import { findDocument, findExtract } from "../documents/documents.server.ts";
import { FileCheck } from "../documents/file-check.tsx";
import { Fingerprint } from "../documents/fingerprint.tsx";
import { shopContext } from "../shop.ts";
import { findDocumentOrigin } from "../tracking/find-document-origin.server.ts";
import { DescriptionList } from "../ui/description-list.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { Siren } from "../ui/siren.tsx";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/verify-document";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Vérifier un document" }, { name: "robots", content: "noindex" }];

/** For a third party who received a file: what we delivered, without a word on who ordered it. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const { db, environment } = context.get(shopContext);
	const document = isUuid(params.document) ? await findDocument(db, params.document) : null;
	if (document === null) throw data("Aucun document ne correspond à cette adresse. Vérifiez qu’elle est complète.", { status: 404 });
	// whom an invoice is about is nobody else's business
	const extract = document.doc_type === "kbis" ? await findDocumentOrigin(db, document) : null;
	const replacedBy = document.replaced_at === null ? null : await findExtract(db, document.order_id);
	return {
		shop: environment.shop,
		type: documentNames[document.doc_type] ?? document.doc_type,
		issuedAt: document.issued_at.toISOString(),
		deliveredAt: (extract ? extract.deliveredAt : document.created_at)?.toISOString() ?? null,
		company: extract && { name: extract.companyName, siren: extract.siren },
		bytes: document.bytes,
		sha256: document.sha256,
		purged: document.purged_at !== null,
		replaced: document.replaced_at && { at: document.replaced_at.toISOString(), by: replacedBy?.id ?? null },
	};
}

const number = new Intl.NumberFormat("fr-FR");

/** How anybody computes the fingerprint of a file without this page. */
const commands = [
	["Windows (PowerShell)", "Get-FileHash document.pdf"],
	["macOS", "shasum -a 256 document.pdf"],
	["Linux", "sha256sum document.pdf"],
] as const;

export default function VerifyDocument({ loaderData }: Route.ComponentProps) {
	const { shop, type, issuedAt, deliveredAt, company, bytes, sha256, purged, replaced } = loaderData;
	return (
		<Page width="form">
			<Title lead={`Un fichier vous est présenté comme remis par ${shop.name} : voyez s’il l’est, à l’octet près.`}>
				Vérifier un document
			</Title>
			{replaced && (
				<Notice kind="warning" title={`Ce document a été remplacé le ${formatInstant(new Date(replaced.at))}.`} className="mb-8">
					<p>Nous l’avons bien remis, puis remplacé par un autre extrait. Demandez le nouveau à la personne qui vous l’a transmis.</p>
					{replaced.by && (
						<a className="link inline-flex min-h-11 items-center" href={href("/verifier/:document", { document: replaced.by })}>
							Vérifier le nouvel extrait
						</a>
					)}
				</Notice>
			)}
			<FileCheck document={{ bytes, sha256 }} />
			<Section title="Le document remis" className="mt-8">
				<DescriptionList
					rows={[
						["Document", type],
						["Entreprise", company?.name],
						["SIREN", company && <Siren value={company.siren} />],
						["Établi le", formatInstant(new Date(issuedAt))],
						["Remis le", deliveredAt && formatInstant(new Date(deliveredAt))],
						["Remis par", shop.legalEntity],
						["Taille", `${number.format(bytes)} octets`],
						["Empreinte SHA-256", <Fingerprint key="sha256" sha256={sha256} />],
					]}
				/>
				{purged && <p className="mt-4">Nous ne gardons plus ce fichier. Son empreinte reste : la vérification vaut toujours.</p>}
				<p className="mt-4 text-sm text-soft">
					Cette page compare des fichiers : elle ne dit pas si ce que le document rapporte est encore exact aujourd’hui.
				</p>
			</Section>
			<Section title="Vérifier sans cette page">
				<p className="mb-4">
					Calculez l’empreinte SHA-256 de votre fichier et comparez-la à celle du document. La même empreinte, majuscules ou non, dit que le
					fichier est identique.
				</p>
				<DescriptionList rows={commands.map(([system, command]) => [system, <code key={system}>{command}</code>] as const)} />
			</Section>
		</Page>
	);
}
