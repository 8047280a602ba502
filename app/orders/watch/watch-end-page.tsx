import { href } from "react-router";
import { formatDay } from "../../companies/bulletin/notice.ts";
import { button } from "../../ui/button.tsx";
import { Page, Title } from "../../ui/page.tsx";
import type { WatchState } from "./end-watch.server.ts";

/** The page behind the link of an e-mail that ends a watch. Opening it changes nothing, because mail scanners open links too. */
export function WatchEndPage({ watch }: { watch: WatchState }) {
	if (watch.state === "watched")
		return (
			<Page width="form">
				<Title
					lead={`Ces e-mails signalent les annonces parues au BODACC sur ${watch.companyName} jusqu’au ${formatDay(watch.endsOn)}, quand elles peuvent concerner l’extrait du ${formatDay(watch.extractOn)}.${watch.isShown ? " Si vous les arrêtez, la page de suivi de la commande montrera encore ces annonces." : ""}`}
				>
					Ne plus recevoir ces e-mails{"\u00a0"}?
				</Title>
				<form method="post">
					<button type="submit" className={button("primary")}>
						Ne plus recevoir ces e-mails
					</button>
				</form>
			</Page>
		);
	if (watch.state === "ended")
		return (
			<Page width="form">
				<Title lead={watch.isShown && "La page de suivi de la commande montre encore les annonces publiées depuis cet extrait."}>
					Vous ne recevrez plus ces e-mails
				</Title>
				<a className={button("primary")} href={href("/")}>
					Retour à l’accueil
				</a>
			</Page>
		);
	return (
		<Page width="form">
			<Title
				lead={
					"Ouvrez le lien en entier, depuis le dernier e-mail reçu. S’il ne fonctionne pas, écrivez-nous\u00a0: nous arrêterons ces e-mails."
				}
			>
				Ce lien est incomplet ou incorrect
			</Title>
			<a className={button("primary")} href={href("/contact")}>
				Nous écrire
			</a>
		</Page>
	);
}
