import { Notice, type NoticeKind } from "../../ui/notice.tsx";
import { FileZone, type HashedFile, hashFile, useFileResult } from "./file-zone.tsx";

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
export function FileCheck({ document }: { document: { bytes: number; sha256: string } }) {
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
