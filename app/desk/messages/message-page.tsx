import { data, href, Link } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import { ActForm, keepUnsentAct } from "../acts/act-form.tsx";
import { answerActForm } from "../acts/answer-act-form.server.ts";
import { recordLook } from "../order/record-look.server.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor, getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/message-page";
import { describeMessage, type MessageView, type ShownMessage } from "./describe-message.server.ts";
import { kindLabels } from "./kind-labels.ts";
import { ReplyForm } from "./reply-form.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Message – bureau" }];

export async function loader({ params: { id }, request, context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const shop = context.get(shopContext);
	const message = isUuid(id) ? await describeMessage(shop, id) : null;
	if (message === null) throw data("Cet échange n’existe plus.", { status: 404 });
	await recordLook(shop, getActor(context), "read-conversation", message.id);
	return {
		message,
		me: operator.id,
		mayRefund: operator.roles.includes("refund"),
		chosen: new URL(request.url).searchParams.get("modele"),
	};
}

/** Without JavaScript, the preview and a refusal come back with what was typed. */
export async function action(args: Route.ActionArgs) {
	const form = await readDeskForm(args.request.clone());
	const text = form.get("text");
	const typed = typeof text === "string" ? text : null;
	const isAbout = form.has("about");
	if (form.get("do") === "preview") return { act: "preview", orderId: null, key: "", text: "", state: "undone" as const, typed, isAbout };
	const outcome = await answerActForm(args);
	return outcome.act === "reply" && outcome.state === "refused" ? { ...outcome, typed, isAbout } : outcome;
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct({ request, serverAction });

export default function MessageRoute({ loaderData, actionData }: Route.ComponentProps) {
	const typed = actionData && "typed" in actionData && typeof actionData.typed === "string" ? actionData.typed : null;
	const isAbout = actionData && "isAbout" in actionData ? actionData.isAbout === true : false;
	return <MessagePage {...loaderData} typed={typed} isAbout={isAbout} />;
}

interface MessagePageProps {
	message: MessageView;
	me: string;
	/** Whether the operator may open the pages about money. */
	mayRefund: boolean;
	/** The template in the address. */
	chosen: string | null;
	/** What was typed and ticked before a preview without JavaScript. */
	typed: string | null;
	isAbout: boolean;
}

/** One conversation: what was written, by whom, about which order; and the reply. */
function MessagePage({ message, me, mayRefund, chosen, typed, isAbout }: MessagePageProps) {
	const { id, subject, kind, wait, messages, email, claim, lastAt, values, guess, templates, decision } = message;
	return (
		<div className="mx-auto max-w-page">
			<p className="text-sm">
				<Link to={href("/bureau/messages")} className="link inline-flex min-h-11 items-center">
					Messages sans réponse
				</Link>
			</p>
			<div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
				<h1 className="min-w-0 text-2xl break-words">{subject}</h1>
				<p className="text-sm">{wait ? <Status kind={wait.kind}>{wait.text}</Status> : <Status kind="done">Traité</Status>}</p>
			</div>
			<div className="mt-6 grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
				<div className="min-w-0">
					<Claim id={id} claim={claim} me={me} />
					<ol className="divide-y divide-line border-y border-line">
						{messages.map((each) => (
							<ThreadEntry key={each.id} message={each} customer={email} />
						))}
					</ol>
					{decision === "open" && message.order && mayRefund && (
						<p className="mt-4">
							<Link to={href("/bureau/argent/:number", { number: message.order.number })} className={button("secondary")}>
								Accorder ou refuser le remboursement
							</Link>
						</p>
					)}
					{email === "" && (
						<Notice kind="warning" className="mt-4">
							<p>Cet e-mail ne dit pas de qui il vient. Cherchez son auteur dans la boîte de réception pour lui répondre.</p>
						</Notice>
					)}
					{email !== "" && (
						<ReplyForm key={id} {...{ conversation: id, to: email, lastAt, values, guess, templates, chosen, typed, isAbout }}>
							{message.order && message.lacksRefund && (
								<p className="mt-2 text-sm text-soft">
									Les modèles qui annoncent un remboursement sont proposés une fois le remboursement demandé
									{mayRefund && (
										<>
											{" "}
											dans{" "}
											<Link to={href("/bureau/argent/:number", { number: message.order.number })} className="link">
												Argent
											</Link>
										</>
									)}
									.
								</p>
							)}
						</ReplyForm>
					)}
					{wait && decision !== "open" && (
						<ActForm act="close-conversation" order={null} className="mt-6">
							<input type="hidden" name="conversation" value={id} />
							<button type="submit" className={button("quiet")}>
								Classer sans répondre
							</button>
						</ActForm>
					)}
				</div>
				<aside aria-label="Client et commande" className="min-w-0">
					<Sender message={message} kind={kindLabels[kind]} />
				</aside>
			</div>
		</div>
	);
}

function Claim({ id, claim, me }: Pick<MessageView, "id" | "claim"> & { me: string }) {
	const isOthers = claim !== null && claim.id !== me;
	return (
		<div className="mb-4">
			{claim && (
				<Notice kind={isOthers ? "warning" : "info"}>
					<p>
						{isOthers ? `${claim.name} répond` : "Vous répondez"}, jusqu’à {claim.until}.
					</p>
				</Notice>
			)}
			{(claim === null || isOthers) && (
				<ActForm act={isOthers ? "take-over-conversation" : "claim-conversation"} order={null}>
					<input type="hidden" name="conversation" value={id} />
					<button type="submit" className={button("secondary")}>
						{isOthers ? "Reprendre" : "Je réponds"}
					</button>
				</ActForm>
			)}
		</div>
	);
}

function ThreadEntry({ message, customer }: { message: ShownMessage; customer: string }) {
	const { from, author, text, at, attachments, state, bounceReason } = message;
	const isStranger = from === "customer" && author.toLowerCase() !== customer.toLowerCase();
	return (
		<li className={`py-4 ${from === "shop" ? "pl-4 sm:pl-8" : ""}`}>
			<p className="flex flex-wrap items-baseline gap-x-4 text-sm text-soft">
				<span className="font-semibold text-ink">
					{from === "shop" ? `La boutique${author && ` (${author})`}` : author || "Expéditeur inconnu"}
				</span>
				<span className="figures">{at}</span>
				{state === "queued" && <Status kind="waiting">En cours d’envoi</Status>}
				{state === "sent" && <Status kind="done">Envoyé</Status>}
				{state === "bounced" && <Status kind="failed">Refusé par le serveur du destinataire</Status>}
			</p>
			{isStranger && (
				<p className="mt-1 text-sm text-waiting">La réponse part à une autre adresse que celle de ce message&nbsp;: {customer}.</p>
			)}
			<p className="mt-2 break-words whitespace-pre-line">{text}</p>
			{bounceReason && <p className="mt-2 text-sm break-words text-failed">Motif&nbsp;: {bounceReason}</p>}
			{attachments.length > 0 && (
				<p className="mt-2 text-sm break-words text-soft">
					{attachments.map(({ name, bytes }) => `${name} (${Math.ceil(bytes / 1000)}\u00a0ko)`).join(", ")}
					{attachments.length > 1 ? "\u00a0: pièces jointes restées" : "\u00a0: pièce jointe restée"} dans la boîte aux lettres de la
					boutique.
				</p>
			)}
		</li>
	);
}

const foundLabels = {
	request: "D’après la commande elle-même, ou confirmée au bureau",
	number: "D’après le numéro écrit dans le message",
	address: "La dernière commande de cette adresse",
} as const;

function Sender({ message, kind }: { message: MessageView; kind: string }) {
	const { name, email, phone, siren, order, orderFound } = message;
	return (
		<>
			<DescriptionList
				rows={[
					["Reçu par", kind],
					["Nom", name],
					[
						"E-mail",
						<span key="email" className="break-all">
							{email}
						</span>,
					],
					[
						"Téléphone",
						phone && (
							<a key="phone" className="link" href={`tel:${phone.replace(/\s/g, "")}`}>
								{phone}
							</a>
						),
					],
					["Au sujet de la fiche", siren],
				]}
			/>
			{order ? (
				<>
					<h2 className="mt-8 text-xl">
						<Link to={href("/bureau/commandes/:number", { number: order.number })} className="link figures">
							{order.number}
						</Link>
					</h2>
					{!order.isOwn && (
						<Notice kind="warning" className="mt-3">
							<p>Cette adresse n’est pas celle du client de la commande. Ne lui en dites rien avant de savoir qui écrit.</p>
						</Notice>
					)}
					<DescriptionList
						className="mt-3"
						rows={[
							["Société", order.company],
							["SIREN", order.siren],
							["Service", order.service],
							["État", order.status],
							["Trouvée", orderFound && foundLabels[orderFound]],
						]}
					/>
				</>
			) : (
				<p className="mt-6 text-sm text-soft">Aucune commande trouvée pour ce message.</p>
			)}
		</>
	);
}
