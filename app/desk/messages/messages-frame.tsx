import type { ReactNode } from "react";
import { href, NavLink } from "react-router";

/** The title and the tabs of the pages about messages. */
export function MessagesFrame({ title, children }: { title: string; children: ReactNode }) {
	const tabs = [
		[href("/bureau/messages"), "À répondre"],
		[`${href("/bureau/messages")}?vue=repondus`, "Répondus"],
		[href("/bureau/messages/refus"), "E-mails refusés"],
		[href("/bureau/messages/modeles"), "Modèles"],
	] as const;
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">{title}</h1>
			<nav aria-label="Messages" className="-mx-2 mt-2 flex flex-wrap border-b border-line">
				{tabs.map(([to, label]) => (
					<NavLink key={to} to={to} end className="inline-flex min-h-11 items-center px-2 text-sm underline-offset-[0.4em] hover:underline">
						{label}
					</NavLink>
				))}
			</nav>
			{children}
		</div>
	);
}
