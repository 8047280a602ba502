import { href, Link } from "react-router";
import { button } from "../../ui/button.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import type { OrderView } from "./read-order.server.ts";

type Draft = NonNullable<OrderView["draft"]>;

/** The id of the form of « Livrer ». */
export const deliverForm = "livrer";

/** Whether a file is about to be delivered, and can still be kept back. */
export const isDeliveryRequested = ({ openActs }: Pick<OrderView, "openActs">): boolean =>
	openActs.some(({ refusal, act }) => refusal === null && (act === "deliver" || act === "replace-extract"));

/** What other operators dropped for the order. */
export function OtherDrafts({ drafts }: { drafts: OrderView["otherDrafts"] }) {
	return drafts.map(({ who, at }) => (
		<p key={who} className="text-sm text-soft">
			{who} a aussi déposé un fichier le {at}.
		</p>
	));
}

/** The dropped file: what the checks found, and what to do with it. @param onMoved called with a sentence when it went to another order. */
export function DraftPanel({ order, draft, onMoved }: { order: OrderView; draft: Draft; onMoved: (sentence: string) => void }) {
	const isRequested = isDeliveryRequested(order);
	return (
		<section aria-labelledby="depot" className="border-t border-line pt-5">
			<h2 id="depot" className="text-lg">
				Fichier déposé
			</h2>
			<p className="mt-1 text-sm break-words text-soft">
				{draft.fileName}, {draft.size}, {draft.pages > 1 ? `${draft.pages} pages` : "une page"}, le {draft.droppedAt}
			</p>
			<ul className="mt-3 space-y-1">
				{draft.checks.map(({ kind, text }) => (
					<li key={text}>
						<Status kind={kind}>{text}</Status>
					</li>
				))}
			</ul>
			<RightOrders order={order} draft={draft} onMoved={onMoved} />
			{draft.deliverable &&
				!isRequested &&
				(order.may.deliver ? <DeliverForm order={order} draft={draft} /> : <ReplaceForm order={order} draft={draft} />)}
			{!isRequested && (
				<ActForm act="discard-draft" order={order.id}>
					<input type="hidden" name="draft" value={draft.id} />
					<button type="submit" className={button("quiet")}>
						Retirer ce fichier
					</button>
				</ActForm>
			)}
		</section>
	);
}

/** The orders of the company that the extract names. */
function RightOrders({ order, draft, onMoved }: Parameters<typeof DraftPanel>[0]) {
	if (draft.rightOrders.length === 0) return null;
	return (
		<Notice kind="info" title="Cette entreprise a une commande en attente" className="mt-4">
			<ul className="mt-1 space-y-2">
				{draft.rightOrders.map(({ id, number, text }) => (
					<li key={id}>
						<Link className="link figures" to={href("/bureau/commandes/:number", { number })}>
							{number}
						</Link>{" "}
						{text}
						<ActForm act="move-draft" order={order.id} onDone={({ text }) => onMoved(text)}>
							<input type="hidden" name="draft" value={draft.id} />
							<input type="hidden" name="to" value={id} />
							<button type="submit" className={button("secondary")}>
								Y déposer ce fichier<span className="sr-only"> ({number})</span>
							</button>
						</ActForm>
					</li>
				))}
			</ul>
		</Notice>
	);
}

function DeliverForm({ order, draft }: { order: OrderView; draft: Draft }) {
	return (
		<ActForm act="deliver" order={order.id} id={deliverForm} className="mt-4 space-y-3">
			{({ busy, outcome }) => (
				<>
					<DraftQuestions draft={draft} outcome={outcome} />
					<button type="submit" disabled={busy} className={button()} aria-keyshortcuts="d">
						{order.posted ? "Enregistrer l’extrait à poster" : "Livrer"}
						<kbd className="font-sans text-xs font-normal max-md:hidden">d</kbd>
					</button>
				</>
			)}
		</ActForm>
	);
}

function ReplaceForm({ order, draft }: { order: OrderView; draft: Draft }) {
	if (!order.may.replace) return null;
	return (
		<ActForm act="replace-extract" order={order.id} id={deliverForm} className="mt-4 space-y-3">
			{({ busy, outcome }) => (
				<>
					<p>Cette commande est livrée. Ce fichier remplace l’extrait remis, et le client reçoit un e-mail.</p>
					<DraftQuestions draft={draft} outcome={outcome} />
					<TextField
						name="because"
						label="Pourquoi"
						hint="Reste au bureau. Ne nommez personne."
						maxLength={500}
						required
						error={findFieldError(outcome, "because")}
					/>
					<button type="submit" disabled={busy} className={button()}>
						Remplacer l’extrait
					</button>
				</>
			)}
		</ActForm>
	);
}

type Outcome = Parameters<typeof findFieldError>[0];

/** What the operator confirms after looking at the file, all at once. */
function DraftQuestions({ draft, outcome }: { draft: Draft; outcome: Outcome }) {
	return (
		<>
			<input type="hidden" name="draft" value={draft.id} />
			{draft.questions.includes("unreadable") && (
				<CheckboxField
					name="confirm-scan"
					label="J’ai comparé le SIREN avec celui de la commande&nbsp;: c’est le bon."
					required
					error={findFieldError(outcome, "confirm-scan")}
				/>
			)}
			{draft.questions.includes("company") && (
				<TextField
					name="company"
					label="Pourquoi c’est bien l’extrait de cette entreprise"
					hint="Dites ce que vous avez vu sur la page. Reste au bureau. Ne nommez personne."
					maxLength={500}
					required
					autoComplete="off"
					error={findFieldError(outcome, "company")}
				/>
			)}
			{draft.questions.includes("date") && (
				<TextField
					name="date"
					label="Date de délivrance de l’extrait"
					hint="Par exemple 21/11/2026 ou 21/11/2026 10:32"
					required
					autoComplete="off"
					className="max-w-60"
					error={findFieldError(outcome, "date")}
				/>
			)}
			{(draft.questions.includes("old") || draft.questions.includes("date")) && (
				<CheckboxField
					name="confirm-old"
					label="L’extrait a plus d’un jour&nbsp;: il convient quand même."
					required={draft.questions.includes("old")}
					error={findFieldError(outcome, "confirm-old")}
				/>
			)}
		</>
	);
}

/** The pages of the dropped file as pictures; what is marked is explained in words. */
export function Preview({ draft, page }: { draft: Draft; page: number }) {
	const shown = Math.min(page, Math.max(1, draft.pages));
	const picture = href("/bureau/apercu/:draft/:page", { draft: draft.id, page: String(shown) });
	// nothing can be marked in a scan or a photo
	const isMarked = !draft.questions.includes("unreadable");
	if (!draft.drawable) return <p className="text-soft">Ce fichier ne peut pas être montré.</p>;
	return (
		<figure className="min-w-0">
			<figcaption className="mb-2 flex flex-wrap items-center justify-between gap-x-6 text-sm text-soft">
				<span>
					Page {shown} sur {draft.pages}.
					{isMarked && " Surlignés et soulignés\u00a0: le SIREN commandé en vert, un autre SIREN en rouge, la date en jaune."}
				</span>
				{draft.pages > 1 && (
					<span className="flex gap-4">
						{shown > 1 && (
							<Link className="link" to={`?page=${shown - 1}`} preventScrollReset>
								Page précédente
							</Link>
						)}
						{shown < draft.pages && (
							<Link className="link" to={`?page=${shown + 1}`} preventScrollReset>
								Page suivante
							</Link>
						)}
					</span>
				)}
			</figcaption>
			<a href={picture} target="_blank" rel="noreferrer">
				<img
					key={picture} // else the page of the previous file stays until this one has loaded
					src={picture}
					alt={`Page ${shown} du fichier déposé`}
					width={1000}
					height={1414}
					className="h-auto w-full border border-line bg-white"
				/>
				<span className="sr-only"> (agrandir, nouvel onglet)</span>
			</a>
		</figure>
	);
}
