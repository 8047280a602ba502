import { href } from "react-router";
import { Notice } from "../../ui/notice.tsx";
import { shutOutSentence } from "./keep-page.ts";
import type { ReasonToKeep } from "./keep-reading.ts";

/** Says why a page stays as it was, and how to go on. */
export function KeptNotice({ why }: { why: ReasonToKeep }) {
	if (why === "failed")
		return (
			<Notice kind="warning" live>
				<p>
					Cette page n’a pas pu être mise à jour&nbsp;: elle montre l’état précédent. Un nouvel essai a lieu toutes les 15&nbsp;secondes.
				</p>
			</Notice>
		);
	return (
		<Notice kind="failed" live>
			<p>{shutOutSentence} Cette page n’est plus tenue à jour, et ce que vous avez saisi y reste.</p>
			<SignInElsewhere />
		</Notice>
	);
}

/** The way back that leaves the page open. */
export function SignInElsewhere() {
	return (
		<p className="mt-1">
			<a className="link" href={href("/bureau")} target="_blank" rel="noopener">
				Se connecter dans un autre onglet
			</a>
			, puis revenir ici. Pour retrouver un rôle, adressez-vous à un responsable.
		</p>
	);
}
