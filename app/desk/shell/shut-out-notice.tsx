import { href } from "react-router";
import { Notice } from "../../ui/notice.tsx";
import { shutOutSentence } from "./keep-page.ts";

/** Tells somebody who was shut out while they typed what happened, and how to go on. */
export function ShutOutNotice() {
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
			, puis revenir ici. Un rôle se redemande à un responsable.
		</p>
	);
}
