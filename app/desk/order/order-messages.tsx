import { href, Link } from "react-router";
import { Status } from "../../ui/notice.tsx";
import type { OrderView } from "./read-order.server.ts";

/** What the customer wrote about the order, and what the shop answered, by conversation. */
export function OrderMessages({ conversations }: { conversations: OrderView["conversations"] }) {
	if (conversations.length === 0) return null;
	return (
		<section aria-labelledby="messages">
			<h2 id="messages" className="text-lg">
				Messages
			</h2>
			<ul className="mt-2 divide-y divide-line border-y border-line text-sm">
				{conversations.map(({ id, subject, kind, wait, earlier, messages }) => (
					<li key={id} className="py-3">
						<p className="flex flex-wrap items-baseline gap-x-4">
							<Link className="link min-w-0 font-semibold break-words" to={href("/bureau/messages/:id", { id })}>
								{subject}
							</Link>
							<span className="text-soft">{kind}</span>
							{wait ? <Status kind={wait.kind}>{wait.text}</Status> : <Status kind="done">Répondu</Status>}
						</p>
						{earlier > 0 && (
							<p className="mt-1 text-soft">
								{earlier > 1 ? `${earlier} messages plus anciens` : "Un message plus ancien"} dans l’échange.
							</p>
						)}
						<ol className="mt-1 space-y-2">
							{messages.map(({ id: message, author, at, text }) => (
								<li key={message} className="min-w-0">
									<p className="text-soft">
										<span className="break-all">{author}</span>, <span className="figures">{at}</span>
									</p>
									<p className="break-words whitespace-pre-line">{text}</p>
								</li>
							))}
						</ol>
					</li>
				))}
			</ul>
		</section>
	);
}
