import { href, Link } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import { recordLook } from "../order/record-look.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/messages-page";
import { kindLabels } from "./kind-labels.ts";
import { listMessages, type MessageRow } from "./list-messages.server.ts";
import { MessagesFrame } from "./messages-frame.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Messages – bureau" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-messages", null);
	return listMessages(shop, new URL(request.url).searchParams);
}

const titles = { waiting: "Messages sans réponse", answered: "Messages traités", automatic: "Envois automatiques" } as const;

const emptyTexts = {
	waiting: "Aucun message n’attend de réponse. Les nouveaux s’affichent ici dès leur arrivée.",
	answered: "Aucun message n’a encore été traité.",
	automatic: "Aucun envoi automatique n’est arrivé.",
} as const;

/** What customers wrote: those who wait, the answered ones, or what nobody wrote. */
export default function MessagesPage({ loaderData: { view, rows, next } }: Route.ComponentProps) {
	return (
		<MessagesFrame title={titles[view]}>
			{view === "automatic" && (
				<p className="mt-4 text-sm text-soft">
					Réponses d’absence, avis de retard, accusés de réception&nbsp;: personne n’attend de réponse. Si une personne a écrit,
					répondez-lui comme à un autre message.
				</p>
			)}
			{rows.length === 0 ? (
				<Notice kind={view === "waiting" ? "done" : "info"} className="mt-8">
					<p>{emptyTexts[view]}</p>
				</Notice>
			) : (
				<ol className="mt-4 divide-y divide-line border-b border-line">
					{rows.map((row) => (
						<MessageLine key={row.id} row={row} />
					))}
				</ol>
			)}
			{next && (
				<p className="mt-6">
					<Link to={`?${next}`} className={button("secondary")}>
						Messages plus anciens
					</Link>
				</p>
			)}
		</MessagesFrame>
	);
}

function MessageLine({ row }: { row: MessageRow }) {
	const { id, kind, name, email, subject, excerpt, orderNumber, wait, lastAt, claimedBy } = row;
	return (
		<li className="relative grid gap-x-6 gap-y-1 py-3 hover:bg-shade md:grid-cols-[14rem_1fr_13rem]">
			<div className="min-w-0 text-sm">
				<p className="truncate font-semibold">{name || email || "Expéditeur inconnu"}</p>
				<p className="truncate text-soft">{kindLabels[kind]}</p>
			</div>
			<div className="min-w-0">
				<p>
					<Link to={href("/bureau/messages/:id", { id })} className="font-semibold after:absolute after:inset-0">
						{subject}
					</Link>
					{orderNumber && <span className="figures text-sm text-soft"> · {orderNumber}</span>}
				</p>
				<p className="line-clamp-2 text-sm text-soft">{excerpt}</p>
			</div>
			<div className="text-sm md:text-right">
				{wait ? <Status kind={wait.kind}>{wait.text}</Status> : <span className="figures text-soft">{lastAt}</span>}
				{claimedBy && <p className="text-soft">{claimedBy} répond</p>}
			</div>
		</li>
	);
}
