import { href } from "react-router";
import { maxExtractBytes } from "../../orders/documents/extract-size.ts";
import { Notice, type NoticeKind } from "../../ui/notice.tsx";
import { describeFileOrigin, type FileOrigin } from "./file-origin.ts";
import { FileZone, type HashedFile, hashFile, useFileResult } from "./file-zone.tsx";

const failures: Record<Extract<LookUpFileOutcome, { ok: false }>["code"], { title: string; sentence: string }> = {
	unreadable: {
		title: "Ce fichier n’a pas pu être lu",
		sentence: "Vérifiez qu’il n’a été ni déplacé ni supprimé, puis choisissez-le de nouveau.",
	},
	unsupported: {
		title: "Votre navigateur ne peut pas calculer l’empreinte ici",
		sentence: "Calculez-la vous-même et collez-la plus bas.",
	},
	limited: { title: "Trop de fichiers vérifiés en peu de temps", sentence: "Réessayez dans une minute." },
	failed: { title: "La vérification n’a pas abouti", sentence: "Vérifiez votre connexion, puis choisissez de nouveau le fichier." },
};

/** Tells whether the shop delivered a chosen or dropped file. */
export function FileLookup({ shopName }: { shopName: string }) {
	const [checkedFile, checkFile] = useFileResult(lookUpFile);
	return (
		<>
			<FileZone hint="Le fichier reste sur votre appareil. Seule son empreinte nous est envoyée." onFile={checkFile} />
			<div aria-live="polite" className="mt-6 noscript:hidden">
				{checkedFile && !checkedFile.result && <Notice kind="waiting" title="Vérification en cours…" />}
				{checkedFile?.result && <LookupResult name={checkedFile.name} result={checkedFile.result} shopName={shopName} />}
			</div>
		</>
	);
}

function LookupResult({ name, result, shopName }: { name: string; result: LookUpFileOutcome; shopName: string }) {
	if (result.ok) return <OriginNotice origin={result.origin} shopName={shopName} fileName={name} />;
	return <ResultNotice kind="failed" {...failures[result.code]} fileName={name} />;
}

/** The answer about a file, or about a fingerprint, which has no file name. */
export function OriginNotice({ origin, shopName, fileName }: { origin: FileOrigin; shopName: string; fileName?: string }) {
	return <ResultNotice {...describeFileOrigin(origin, shopName)} fileName={fileName} />;
}

interface ResultNoticeProps {
	kind: NoticeKind;
	title: string;
	sentence: string;
	fileName: string | undefined;
}

function ResultNotice({ kind, title, sentence, fileName }: ResultNoticeProps) {
	return (
		<Notice kind={kind} title={title}>
			{fileName && <p className="text-sm break-words text-soft">{fileName}</p>}
			<p>{sentence}</p>
		</Notice>
	);
}

type LookUpFileOutcome =
	| { ok: true; origin: FileOrigin }
	/** `limited`: too many requests. `failed`: the shop did not answer. */
	| { ok: false; code: Extract<HashedFile, { ok: false }>["code"] | "limited" | "failed" };

/** Asks the shop about a file, from the browser. Only the file's SHA-256 is sent. */
export async function lookUpFile(file: Blob): Promise<LookUpFileOutcome> {
	// avoids reading a film into memory
	if (file.size > maxExtractBytes) return { ok: true, origin: { known: false } };
	const hashed = await hashFile(file);
	if (!hashed.ok) return hashed;
	try {
		const response = await fetch(`${href("/api/verifier")}?empreinte=${hashed.sha256}`);
		if (response.ok) return { ok: true, origin: (await response.json()) as FileOrigin };
		return { ok: false, code: response.status === 429 ? "limited" : "failed" };
	} catch {
		return { ok: false, code: "failed" };
	}
}
