import { href } from "react-router";
import { formatInstant } from "../../catalogue/instants.ts";
import { button } from "../../ui/button.tsx";
import { CompareDrawing } from "../../ui/drawings/drawings.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";

interface ShareLandingPageProps {
	shopName: string;
	/** The documents of a demo are specimens. */
	isSpecimen: boolean;
	asksForCode: boolean;
	/** ISO 8601. */
	expiresAt: string;
	/** The passcode was refused. `limited`: too many tries, also a right one is not read. */
	refused: { sentence: string; limited: boolean } | null;
}

/** What a link shows first: a button, so that programs that scan links neither read the document nor count as readers. */
export function ShareLandingPage({ shopName, isSpecimen, asksForCode, expiresAt, refused }: ShareLandingPageProps) {
	return (
		<Page width="form">
			<Title
				drawing={CompareDrawing}
				lead={`${isSpecimen ? "Ce spécimen sans valeur, qui n’est pas un extrait Kbis," : "Cet extrait du registre du commerce"} a été livré par ${shopName} à la personne qui vous le transmet.`}
			>
				Un extrait vous est transmis
			</Title>
			{refused &&
				(refused.limited ? (
					<Notice kind="failed" title={refused.sentence} live className="mb-8" />
				) : (
					<ErrorSummary errors={[{ field: "code", message: refused.sentence }]} />
				))}
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
			<p className="mt-6 text-sm text-soft">
				Ce lien fonctionne jusqu’au {formatInstant(new Date(expiresAt))}. La personne qui vous l’a transmis verra quand il est ouvert, et
				quand le fichier est téléchargé. Elle ne saura rien d’autre de vous.{" "}
				<a className="link" href={`${href("/politique-confidentialite")}#destinataire`}>
					Vos données et vos droits
				</a>
				.
			</p>
		</Page>
	);
}
