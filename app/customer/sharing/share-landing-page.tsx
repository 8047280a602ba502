import { href } from "react-router";
import { formatInstant } from "../../catalogue/instants.ts";
import { button } from "../../ui/button.tsx";
import { CompareDrawing } from "../../ui/drawings/drawings.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { TextField } from "../../ui/field.tsx";
import { nameWithOf } from "../../ui/name-with-of.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { SenderWords } from "./sender-words.tsx";

interface ShareLandingPageProps {
	shopName: string;
	/** The documents of a demo are specimens. */
	isSpecimen: boolean;
	extractName: string;
	/** Null for one that is not named before the extract is opened. */
	company: { name: string; siren: string } | null;
	/** The customer's own words, if they wrote any. */
	sender: string | null;
	purpose: string | null;
	asksForCode: boolean;
	/** ISO 8601. */
	expiresAt: string;
	/** The passcode was refused. `limited`: too many tries, also a right one is not read. */
	refused: { sentence: string; limited: boolean } | null;
}

/** What a link shows first: whose extract it is, and a button, so that programs that scan links neither read it nor count as readers. */
export function ShareLandingPage(props: ShareLandingPageProps) {
	const { shopName, isSpecimen, extractName, company, sender, purpose, asksForCode, expiresAt, refused } = props;
	return (
		<Page width="page">
			<Title
				above={company && "Un extrait vous est transmis"}
				drawing={CompareDrawing}
				lead={`${isSpecimen ? "Ce spécimen sans valeur, qui n’est pas un extrait Kbis," : "Cet extrait du registre du commerce"} a été livré par ${shopName} à la personne qui vous le transmet.`}
			>
				{company ? (
					<>
						{isSpecimen ? `Spécimen pour ${company.name}` : `${extractName} ${nameWithOf(company.name)}`}{" "}
						<span className="whitespace-nowrap">
							(<Siren value={company.siren} />)
						</span>
					</>
				) : (
					"Un extrait vous est transmis"
				)}
			</Title>
			<div className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:gap-x-16">
				<div className="max-w-form">
					{refused &&
						(refused.limited ? (
							<Notice kind="failed" title={refused.sentence} live className="mb-8" />
						) : (
							<ErrorSummary errors={[{ field: "code", message: refused.sentence }]} />
						))}
					<SenderWords {...{ shopName, sender, purpose }} />
					{asksForCode && <p className="mb-4">Le nom de l’entreprise s’affiche après le code.</p>}
					<form method="post" noValidate>
						{asksForCode && (
							<TextField
								name="code"
								label="Code d’accès"
								hint="La personne qui vous transmet le lien vous donne ce code. Les majuscules et les espaces ne comptent pas."
								autoComplete="off"
								autoCapitalize="none"
								spellCheck={false}
								maxLength={200}
								error={refused && !refused.limited ? refused.sentence : undefined}
								className="mb-5"
							/>
						)}
						<button type="submit" className={button("primary")}>
							Ouvrir l’extrait
						</button>
					</form>
					<p className="mt-6 mb-8 text-sm text-soft">
						Ce lien fonctionne jusqu’au {formatInstant(new Date(expiresAt))}. La personne qui vous l’a transmis verra quand il est ouvert,
						et quand le fichier est téléchargé. Elle ne saura rien d’autre de vous.{" "}
						<a className="link" href={`${href("/politique-confidentialite")}#destinataire`}>
							Vos données et vos droits
						</a>
						.
					</p>
				</div>
				<section className="border-t border-line pt-6">
					<h2 className="mb-2 text-lg">Vous n’attendiez pas ce document{"\u00a0"}?</h2>
					<p className="mb-4 text-soft">
						Demandez à la personne si elle vous a transmis ce lien. Pour l’ouvrir, {shopName} ne vous demande ni compte, ni mot de passe, ni
						paiement.
					</p>
					<h2 className="mb-2 text-lg">Vous avez déjà le fichier{"\u00a0"}?</h2>
					<p className="text-soft">
						<a className="link" href={href("/verifier")}>
							Vérifiez qu’il est intact
						</a>
						, sans ce lien.
					</p>
				</section>
			</div>
		</Page>
	);
}
