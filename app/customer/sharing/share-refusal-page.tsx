import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { Page, Title } from "../../ui/page.tsx";

/** A link that shows no document. */
export function ShareRefusalPage({ title, sentence }: { title: string; sentence: string }) {
	return (
		<Page width="form">
			<Title lead={sentence}>{title}</Title>
			<p className="mb-5 text-soft">Vous avez déjà le fichier{"\u00a0"}? Vous pouvez vérifier qu’il est intact, sans ce lien.</p>
			<a className={button("secondary")} href={href("/verifier")}>
				Vérifier un fichier
			</a>
		</Page>
	);
}
