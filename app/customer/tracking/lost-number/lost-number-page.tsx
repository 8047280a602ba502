import { href } from "react-router";
import { lostNumberMinutes } from "../../../catalogue/link-lifetimes.ts";
import { HomeBreadcrumb } from "../../../ui/breadcrumb.tsx";
import { button } from "../../../ui/button.tsx";
import { QuestionDrawing } from "../../../ui/drawings/drawings.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page, Title } from "../../../ui/page.tsx";

interface LostNumberPageProps {
	/** Whether the form was just received. */
	requested: boolean;
	refused: { email: string; sentence: string; isFieldWrong: boolean } | undefined;
}

/** Sends the numbers of an address's orders to that address. The answer never says whether there are any. */
export function LostNumberPage({ requested, refused }: LostNumberPageProps) {
	return (
		<Page width="form">
			<Title
				above={<HomeBreadcrumb label="Numéro perdu" />}
				drawing={QuestionDrawing}
				lead={
					requested
						? undefined
						: "Indiquez l’adresse e-mail de vos commandes. Nous y envoyons leurs numéros, avec un lien pour suivre chacune."
				}
			>
				Retrouver mon numéro de commande
			</Title>
			{requested ? <Received /> : <EmailForm refused={refused} />}
		</Page>
	);
}

function Received() {
	return (
		<>
			<Notice kind="done" title="Consultez votre messagerie." live>
				<p>
					Si vous avez commandé avec cette adresse, vous allez recevoir vos numéros de commande. Regardez aussi vos courriers indésirables.{" "}
					{`Nous n’envoyons qu’un message toutes les ${lostNumberMinutes}\u00a0minutes à une même adresse.`}
				</p>
			</Notice>
			<p className="mt-8 text-soft">
				Rien reçu{"\u00a0"}? Vous avez peut-être commandé avec une autre adresse, ou l’adresse de la commande contient une faute. Dans ce
				cas,{" "}
				<a className="link" href={href("/contact")}>
					écrivez-nous
				</a>{" "}
				avec le nom de l’entreprise et l’heure du paiement.
			</p>
			<p className="mt-8">
				<a className={button("secondary")} href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
			</p>
		</>
	);
}

function EmailForm({ refused }: Pick<LostNumberPageProps, "refused">) {
	return (
		<form method="post" noValidate>
			{refused && !refused.isFieldWrong && <Notice kind="failed" title={refused.sentence} live className="mb-6" />}
			<TextField
				name="email"
				type="email"
				label="Adresse e-mail"
				autoComplete="email"
				defaultValue={refused?.email}
				error={refused?.isFieldWrong ? refused.sentence : undefined}
			/>
			<button type="submit" className={button("primary", "mt-6")}>
				Recevoir mes numéros
			</button>
		</form>
	);
}
