import { href } from "react-router";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { maxExtractBytes } from "../../orders/documents/extract-size.ts";
import { HelpBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { CompareDrawing } from "../../ui/drawings/drawings.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { TextField } from "../../ui/field.tsx";
import { nameWithThat } from "../../ui/name-with-of.ts";
import { Notice, type NoticeKind } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { describeFileOrigin, type FileOrigin } from "./file-origin.ts";
import { FileZone, type HashedFile, hashFile, useFileResult } from "./file-zone.tsx";
import { FingerprintCommands } from "./fingerprint.tsx";

interface VerifyFilePageProps {
	shopName: string;
	/** The documents of a demo are specimens. */
	demo: boolean;
	/** What was pasted into the form; null when it was not sent. */
	typed: string | null;
	/** The answer to a pasted fingerprint; null when it is none. */
	origin: FileOrigin | null;
}

const malformed = "Collez l’empreinte SHA-256 du fichier : 64 caractères, des chiffres et des lettres de a à f.";

/** Tells anybody who holds a file whether the shop delivered it. It works without JavaScript by a pasted fingerprint. */
export function VerifyFilePage({ shopName, demo, typed, origin }: VerifyFilePageProps) {
	const error = typed !== null && origin === null ? malformed : undefined;
	return (
		<Page width="page">
			<Title
				drawing={CompareDrawing}
				above={<HelpBreadcrumb label="Vérifier un extrait" />}
				lead={`On vous a remis un extrait Kbis ? Vérifiez ${nameWithThat(shopName)} l’a livré et qu’il n’a pas été modifié.`}
			>
				Vérifier un extrait
			</Title>
			{error && <ErrorSummary errors={[{ field: "empreinte", message: error }]} />}
			{origin && (
				<div className="mb-8">
					<OriginNotice origin={origin} shopName={shopName} />
				</div>
			)}
			{/* on wide screens: the file and its fingerprint on the left, the meaning of the answers on the right */}
			<div className="gap-x-16 lg:grid lg:grid-cols-[minmax(0,44rem)_minmax(20rem,1fr)] lg:grid-rows-[auto_1fr]">
				<div className="mb-4">
					<FileLookup shopName={shopName} />
					<noscript>
						<p className="mb-6">
							Cette page lit le fichier avec JavaScript. Sans lui, calculez l’empreinte du fichier avec l’une des commandes ci-dessous, puis
							collez-la.
						</p>
					</noscript>
				</div>
				<div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
					<Section title="Ce que signifie la réponse" className="lg:border-t-0 lg:pt-0">
						<ul className="grid list-disc gap-3 pl-5">
							<li>
								<strong>Fichier intact&nbsp;:</strong> il est identique à un extrait que nous avons livré. La date est celle de la
								livraison.
							</li>
							<li>
								<strong>Livré, puis remplacé&nbsp;:</strong> nous avons depuis livré un autre extrait. Demandez-le à la personne qui vous a
								transmis celui-ci.
							</li>
							<li>
								<strong>Inconnu&nbsp;:</strong> nous n’avons pas livré ce fichier sous cette forme. Le greffe vend aussi des extraits
								directement, et une copie enregistrée de nouveau n’est plus le même fichier.
							</li>
							<li>
								<strong>Dans tous les cas&nbsp;:</strong> le code imprimé sur l’extrait se vérifie auprès du greffe. Le{" "}
								<a className="link" href={`${href("/guide-kbis")}#verifier`}>
									guide de l’extrait Kbis
								</a>{" "}
								explique comment.
							</li>
						</ul>
						<p className="mt-4">
							Nous n’indiquons ni qui a commandé l’extrait, ni pour quelle entreprise, ni s’il est toujours à jour. Nous ne gardons pas
							l’empreinte que vous envoyez.
						</p>
						<p className="mt-4">
							Nous supprimons un extrait {formatPeriod(retention.deliveredExtracts)} après la livraison, mais nous conservons son empreinte
							avec la comptabilité, pendant {formatPeriod(retention.invoices)}&nbsp;: la vérification reste possible. Les factures et les
							extraits sur papier ne sont pas concernés.
						</p>
						{demo && <p className="mt-4">Dans cette démonstration, les documents livrés sont des spécimens sans valeur.</p>}
					</Section>
				</div>
				<Section title="Vérifier avec l’empreinte du fichier">
					<form method="get" action={href("/verifier")} noValidate className="grid gap-5 print:hidden">
						<TextField
							name="empreinte"
							label="Empreinte SHA-256"
							hint="64 chiffres et lettres. Vous pouvez coller toute la ligne que donne l’outil de calcul."
							error={error}
							defaultValue={typed ?? undefined}
							required
							autoComplete="off"
							autoCapitalize="none"
							spellCheck={false}
						/>
						<div>
							<button type="submit" className={button("secondary")}>
								Vérifier l’empreinte
							</button>
						</div>
					</form>
					<Disclosure title="Calculer l’empreinte SHA-256 d’un fichier" className="mt-6 border-y">
						<p className="mb-4">Lancez l’une de ces commandes dans le dossier du fichier, puis collez la ligne qu’elle affiche.</p>
						<FingerprintCommands className="border-b-0" />
					</Disclosure>
				</Section>
			</div>
		</Page>
	);
}

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
function FileLookup({ shopName }: { shopName: string }) {
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
function OriginNotice({ origin, shopName, fileName }: { origin: FileOrigin; shopName: string; fileName?: string }) {
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
		if (!response.ok) return { ok: false, code: response.status === 429 ? "limited" : "failed" };
		const origin: FileOrigin = await response.json();
		return { ok: true, origin };
	} catch {
		return { ok: false, code: "failed" };
	}
}
