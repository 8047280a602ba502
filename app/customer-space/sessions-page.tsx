import { href } from "react-router";
import { customerSessionDays, documentLinkHours } from "../catalogue/link-lifetimes.ts";
import { button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
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
				{`Les navigateurs où vos commandes sont ouvertes. Chacun se ferme de lui-même après ${customerSessionDays}\u00a0jours. Si vous n’en reconnaissez pas un, fermez-le\u00a0: il n’ouvre plus vos commandes aussitôt. Les liens de téléchargement qu’il affichait fonctionnent encore ${documentLinkHours}\u00a0heures au plus.`}
			</p>
			<ul className="mt-6 border-t border-line">
				{sessions.map((session) => (
					<li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4">
						<div className="min-w-0">
							<p className="font-semibold">
								{session.browser}
								{session.isThisOne && " (ce navigateur)"}
							</p>
							<p className="text-sm text-soft">{`Ouvert le ${session.openedAt}, jusqu’au ${session.endsOn}`}</p>
						</div>
						{!session.isThisOne && (
							<form method="post">
								<input type="hidden" name="session" value={session.id} />
								<button type="submit" name="do" value="end" className={button("secondary")}>
									Fermer<span className="sr-only">{` ${session.browser}, ouvert le ${session.openedAt}`}</span>
								</button>
							</form>
						)}
					</li>
				))}
			</ul>
			{sessions.length > 1 && (
				<form method="post" className="mt-6">
					<button type="submit" name="do" value="end-others" className={button("secondary")}>
						Fermer toutes les autres
					</button>
				</form>
			)}
		</SpaceFrame>
	);
}
