import { href } from "react-router";
import { InlineContent } from "../../content/content-blocks.tsx";
import { DemoNotice } from "../../content/content-page.tsx";
import { getParagraph, type Section as TextSection } from "../../content/text.ts";
import { Breadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { LetterDrawing } from "../../ui/drawings/drawings.tsx";
import { ErrorSummary, type FieldError } from "../../ui/error-summary.tsx";
import { HoneypotField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { formatSource } from "../bulletin/bulletin-source.ts";
import { CompanyName } from "../company-name.tsx";
import type { AlertChoices } from "./alert-choices.ts";
import { AlertFields } from "./alert-fields.tsx";

interface FollowPageProps {
	siren: string;
	name: string;
	/** The paragraph to which the visitor consents. */
	consent: TextSection;
	/** The thanks of a request that was just received. */
	received: TextSection | null;
	/** Null before the first. */
	lastReading: Date | null;
	email: string;
	choices: AlertChoices;
	errors: readonly FieldError[];
	/** Too many requests. */
	limited: string | null;
}

/** The form that follows a company, without an account. */
export function FollowPage({ siren, name, consent, received, lastReading, email, choices, errors, limited }: FollowPageProps) {
	const getError = (field: string) => errors.find((error) => error.field === field)?.message;
	return (
		<Page width="form">
			<Title
				above={<CompanyPlaces siren={siren} name={name} />}
				lead={
					<>
						Recevez un e-mail quand une annonce paraît au BODACC sur <CompanyName name={name} />. C’est gratuit et sans compte.
					</>
				}
				drawing={LetterDrawing}
			>
				Suivre cette entreprise
			</Title>
			{received ? (
				<>
					<Notice kind="done" title={received.heading} live className="mb-8">
						<p>
							<InlineContent text={getParagraph(received)} />
						</p>
					</Notice>
					<a href={href("/entreprise/:siren", { siren })} className={button("secondary")}>
						Retour à la fiche
					</a>
				</>
			) : (
				<>
					<DemoNotice />
					<ErrorSummary errors={errors} />
					{limited && <Notice kind="failed" title={limited} live className="mb-8" />}
					<form method="post" noValidate className="grid gap-6 print:hidden">
						<TextField
							name="email"
							type="email"
							autoComplete="email"
							required
							label="Votre adresse e-mail"
							hint={"Par exemple\u00a0: prenom.nom@exemple.fr"}
							error={getError("email")}
							defaultValue={email}
						/>
						<AlertFields choices={choices} topicError={getError("topic")} />
						<HoneypotField />
						<p className="text-sm text-soft">
							<InlineContent text={getParagraph(consent)} />
						</p>
						<div>
							<button type="submit" className={button()}>
								Recevoir ces alertes
							</button>
						</div>
					</form>
				</>
			)}
			<p className="mt-8 border-t border-line pt-4 text-sm text-soft">
				{formatSource(lastReading)}{" "}
				<a href={href("/alertes")} className="link inline-flex min-h-11 items-center">
					Retrouver mes alertes
				</a>
			</p>
		</Page>
	);
}

const CompanyPlaces = ({ siren, name }: { siren: string; name: string }) => (
	<Breadcrumb
		places={[
			{ label: "Accueil", href: href("/") },
			{ label: name, href: href("/entreprise/:siren", { siren }) },
			{ label: "Suivre cette entreprise" },
		]}
	/>
);

/** No alert can be sent. @param siren null for an unknown company. @param unwatched says why none is sent about any company now. */
export function NoAlertPage({ siren, unwatched }: { siren: string | null; unwatched: TextSection | null }) {
	return (
		<Page width="form">
			<Title
				lead={
					unwatched ? (
						<InlineContent text={getParagraph(unwatched)} />
					) : siren === null ? (
						"Nous ne trouvons aucune entreprise avec ce SIREN."
					) : (
						"Nous n’envoyons d’alerte ni sur les entrepreneurs individuels, ni sur les entreprises dont la diffusion est restreinte."
					)
				}
			>
				{unwatched ? unwatched.heading : "Pas d’alerte pour cette entreprise"}
			</Title>
			<a href={siren === null ? href("/recherche") : href("/entreprise/:siren", { siren })} className={button()}>
				{siren === null ? "Rechercher une entreprise" : "Retour à la fiche"}
			</a>
		</Page>
	);
}
