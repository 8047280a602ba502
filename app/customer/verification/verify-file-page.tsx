import { href } from "react-router";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { HelpBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { CompareDrawing } from "../../ui/drawings/drawings.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { FileLookup, OriginNotice } from "./file-lookup.tsx";
import type { FileOrigin } from "./file-origin.ts";
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
				lead={`On vous a remis un extrait Kbis ? Vérifiez que ${shopName} l’a livré et qu’il n’a pas été modifié.`}
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
							hint="64 chiffres et lettres. Vous pouvez coller toute la ligne que donne la commande."
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
