import type { ReactNode } from "react";
import { href } from "react-router";
import { formatInstant } from "../../catalogue/instants.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { CompareDrawing } from "../../ui/drawings/drawings.tsx";
import { Notice, type NoticeKind } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { FileZone, type HashedFile, hashFile, useFileResult } from "./file-zone.tsx";
import { Fingerprint, FingerprintCommands } from "./fingerprint.tsx";

/** Instants are ISO 8601. */
interface VerifyPageProps {
	shop: { name: string; legalEntity: string };
	document: {
		type: string;
		issuedAt: string;
		deliveredAt: string | null;
		/** Null for an invoice. */
		company: { name: string; siren: string } | null;
		bytes: number;
		sha256: string;
		purged: boolean;
		/** `by`: the id of the extract that replaced it. */
		replaced: { at: string; by: string | null } | null;
	};
	/** What was published since the extract. */
	children?: ReactNode;
}

const number = new Intl.NumberFormat("fr-FR");

/** Compares a file that a third party received with a document that the shop delivered. */
export function VerifyPage({ shop, document, children }: VerifyPageProps) {
	const { type, issuedAt, deliveredAt, company, bytes, sha256, purged, replaced } = document;
	return (
		<Page width="form">
			<Title drawing={CompareDrawing} lead={`Vous avez reçu un extrait livré par ${shop.name} ? Vérifiez qu’il n’a pas été modifié.`}>
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
				{purged && (
					<p className="mt-4">Nous ne gardons plus ce fichier, mais nous gardons son empreinte : la vérification reste possible.</p>
				)}
				<p className="mt-4 text-sm text-soft">
					Cette page compare des fichiers{"\u00a0"}: elle ne suffit pas à dire si le document est toujours à jour.
				</p>
			</Section>
			{children}
			<Section title="Vérifier sans cette page">
				<p className="mb-4">
					Calculez l’empreinte SHA-256 de votre fichier et comparez-la à celle du document. Si elles sont les mêmes, sans tenir compte des
					majuscules, le fichier est identique.
				</p>
				<FingerprintCommands />
			</Section>
		</Page>
	);
}

const results: Record<FileComparison, { kind: NoticeKind; title: string; sentence: string }> = {
	identical: {
		kind: "done",
		title: "Ce fichier est identique au document remis",
		sentence: "Il n’a subi aucune modification depuis sa livraison.",
	},
	different: {
		kind: "failed",
		title: "Ce fichier est différent",
		sentence:
			"Ce n’est pas le document remis, ou il a été modifié depuis. Un fichier imprimé puis numérisé, signé ou enregistré de nouveau est toujours différent : demandez le fichier d’origine.",
	},
	unreadable: {
		kind: "failed",
		title: "Ce fichier n’a pas pu être lu",
		sentence: "Vérifiez qu’il n’a été ni déplacé ni supprimé, puis choisissez-le de nouveau.",
	},
	unsupported: {
		kind: "failed",
		title: "Votre navigateur ne peut pas comparer ce fichier ici",
		sentence: "Calculez son empreinte vous-même, comme indiqué plus bas.",
	},
};

/** Compares a chosen or dropped file with a document. The file stays in the browser. */
function FileCheck({ document }: { document: { bytes: number; sha256: string } }) {
	const [checkedFile, checkFile] = useFileResult((file) => compareFile(file, document));
	const result = checkedFile?.result ? results[checkedFile.result] : null;
	return (
		<>
			<FileZone hint="Le fichier reste sur votre appareil : votre navigateur fait la comparaison." onFile={checkFile} />
			<noscript>
				<p>Cette page compare les fichiers avec JavaScript. Sans lui, calculez l’empreinte de votre fichier comme indiqué plus bas.</p>
			</noscript>
			<div aria-live="polite" className="mt-6 noscript:hidden">
				{checkedFile && !result && <Notice kind="waiting" title="Comparaison en cours…" />}
				{checkedFile && result && (
					<Notice kind={result.kind} title={result.title}>
						<p className="text-sm text-soft">{checkedFile.name}</p>
						<p>{result.sentence}</p>
					</Notice>
				)}
			</div>
		</>
	);
}

/** The result of a comparison, or the reason why there is none. */
type FileComparison = "identical" | "different" | Extract<HashedFile, { ok: false }>["code"];

/**
 * Compares a file with a document byte by byte, in the browser. The file is not sent.
 * @param document its size in bytes and its SHA-256 in hexadecimal.
 */
export async function compareFile(file: Blob, document: { bytes: number; sha256: string }): Promise<FileComparison> {
	// avoids reading a large file of another size
	if (file.size !== document.bytes) return "different";
	const hashed = await hashFile(file);
	if (!hashed.ok) return hashed.code;
	return hashed.sha256 === document.sha256 ? "identical" : "different";
}
