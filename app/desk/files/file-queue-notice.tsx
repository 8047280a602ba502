import { href, Link, useLocation } from "react-router";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { shutOutSentence } from "../shell/keep-page.ts";
import { SignInElsewhere } from "../shell/kept-notice.tsx";
import { useFileQueue } from "./file-queue.tsx";

/** The state of the file queue. On pages other than « Fichiers », also the results that the operator has not seen there yet. */
export function FileQueueNotice() {
	const { waiting, blocked, unseen, resume } = useFileQueue();
	const { kept, refused } = unseen;
	const isTheirs = useLocation().pathname === href("/bureau/fichiers");
	if (waiting === 0 && (isTheirs || kept + refused === 0)) return null;
	const files = waiting === 1 ? "1 fichier" : `${waiting} fichiers`;
	return (
		<div className="mx-auto mb-4 max-w-page">
			<Notice kind={blocked ? "warning" : waiting > 0 ? "waiting" : refused > 0 ? "failed" : "done"} live>
				{blocked === "offline" && (
					<p>
						Pas de réseau. {waiting === 1 ? "1 fichier reste ici et part" : `${files} restent ici et partent`} dès que le réseau revient.
					</p>
				)}
				{blocked === "shut-out" && (
					<>
						<p>
							{shutOutSentence} {files} {waiting === 1 ? "n’est pas envoyé et reste" : "ne sont pas envoyés et restent"} ici.
						</p>
						<SignInElsewhere />
						<button type="button" className={button("secondary", "mt-2")} onClick={resume}>
							Reprendre l’envoi
						</button>
					</>
				)}
				{blocked === null && waiting > 0 && <p>Contrôle en cours&nbsp;: {files} à envoyer.</p>}
				{!isTheirs && (
					<p>
						{kept > 0 && (kept === 1 ? "1 fichier a trouvé sa commande. " : `${kept} fichiers ont trouvé leur commande. `)}
						{refused > 0 && (refused === 1 ? "1 fichier est refusé. " : `${refused} fichiers sont refusés. `)}
						<Link to={href("/bureau/fichiers")} className="link">
							Voir les fichiers
						</Link>
					</p>
				)}
			</Notice>
		</div>
	);
}
