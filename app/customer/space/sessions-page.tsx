import { href } from "react-router";
import { customerSessionDays, documentLinkHours } from "../../catalogue/link-lifetimes.ts";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SpaceFrame } from "./space-frame.tsx";

interface DescribedSession {
	id: string;
	/** « Firefox, Windows » */
	browser: string;
	openedAt: string;
	endsOn: string;
	isThisOne: boolean;
}

interface SessionsPageProps {
	mailbox: string;
	/** This browser's first. */
	sessions: readonly DescribedSession[];
	/** What was just done. */
	done: string | null;
}

/** The browsers in which the space of a mailbox is open. */
export function SessionsPage({ mailbox, sessions, done }: SessionsPageProps) {
	return (
		<SpaceFrame current={href("/mes-commandes/connexions")} mailbox={mailbox}>
			{done && <Notice kind="done" title={done} live className="mb-8" />}
			<p className="max-w-reading">
				{`Voici les navigateurs connectés à vos commandes. Chaque connexion prend fin après ${customerSessionDays}\u00a0jours. Si vous ne reconnaissez pas un navigateur, fermez sa connexion\u00a0: il perd aussitôt l’accès à vos commandes. Les liens de téléchargement qu’il affichait fonctionnent encore ${documentLinkHours}\u00a0heures au plus.`}
			</p>
			<ul className="mt-6 border-t border-line">
				{sessions.map((session) => (
					<li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4">
						<div className="min-w-0">
							<p className="font-semibold">
								{session.browser}
								{session.isThisOne && " (ce navigateur)"}
							</p>
							<p className="text-sm text-soft">{`Connecté le ${session.openedAt}, jusqu’au ${session.endsOn}`}</p>
						</div>
						{!session.isThisOne && (
							<form method="post">
								<input type="hidden" name="session" value={session.id} />
								<button type="submit" name="do" value="end" className={button("secondary")}>
									Fermer la connexion<span className="sr-only">{` de ${session.browser}, connecté le ${session.openedAt}`}</span>
								</button>
							</form>
						)}
					</li>
				))}
			</ul>
			{sessions.length > 1 && (
				<form method="post" className="mt-6">
					<button type="submit" name="do" value="end-others" className={button("secondary")}>
						Fermer toutes les autres connexions
					</button>
				</form>
			)}
		</SpaceFrame>
	);
}
