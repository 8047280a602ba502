import type { ReactNode } from "react";
import { href, Link, useLocation } from "react-router";

/** The title and the tabs of the pages about messages. */
export function MessagesFrame({ title, children }: { title: string; children: ReactNode }) {
	const tabs = [
		[href("/bureau/messages"), "Sans réponse"],
		[`${href("/bureau/messages")}?vue=repondus`, "Traités"],
		[`${href("/bureau/messages")}?vue=automatiques`, "Automatiques"],
		[href("/bureau/messages/refus"), "E-mails refusés"],
		[href("/bureau/messages/modeles"), "Modèles"],
	] as const;
	const { pathname, search } = useLocation();
	const view = new URLSearchParams(search).get("vue");
	const current = view === null ? pathname : `${pathname}?vue=${view}`;
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">{title}</h1>
			<nav aria-label="Messages" className="mt-2 flex flex-wrap gap-x-1 border-b border-line">
				{tabs.map(([to, label]) => (
					<Link
						key={to}
						to={to}
						aria-current={to === current ? "page" : undefined}
						className="inline-flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm aria-[current=page]:border-accent aria-[current=page]:font-semibold"
					>
						{label}
					</Link>
				))}
			</nav>
			{children}
		</div>
	);
}
