import { maxReplyLength, replyFields } from "../../emails/messages/fill-reply.ts";
import { listReplyTemplates } from "../../emails/messages/reply-templates.store.server.ts";
import type { ReplyTemplate } from "../../emails/messages/reply-templates.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import { getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/templates-page";
import { MessagesFrame } from "./messages-frame.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Modèles de réponse – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	return { templates: await listReplyTemplates(context.get(shopContext).db), mayChange: operator.roles.includes("settings") };
}

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerActForm as action } from "../acts/answer-act-form.server.ts";

/** The templates of replies. With the role « settings », each can be changed. */
export default function TemplatesPage({ loaderData: { templates, mayChange } }: Route.ComponentProps) {
	const fields = Object.entries(replyFields).map(([name, meaning]) => `{${name}}, ${meaning}`);
	return (
		<MessagesFrame title="Modèles de réponse">
			<p className="mt-4 max-w-form text-sm text-soft">Champs remplis d’après la commande&nbsp;: {fields.join("\u00a0; ")}.</p>
			<ul className="mt-4 divide-y divide-line border-y border-line">
				{templates.map((template) => (
					<li key={template.id}>
						<Disclosure title={template.title}>
							<div className="max-w-form pb-4">
								{mayChange ? <TemplateForm template={template} /> : <p className="break-words whitespace-pre-line">{template.text}</p>}
							</div>
						</Disclosure>
					</li>
				))}
			</ul>
			{mayChange && (
				<section aria-labelledby="nouveau" className="mt-8 max-w-form">
					<h2 id="nouveau" className="text-xl">
						Nouveau modèle
					</h2>
					<TemplateForm template={{ id: "", title: "", text: "" }} />
				</section>
			)}
		</MessagesFrame>
	);
}

function TemplateForm({ template: { id, title, text } }: { template: ReplyTemplate }) {
	const prefix = id || "new";
	return (
		<>
			<ActForm act="save-reply-template" order={null} className="mt-3 space-y-4">
				{({ busy, outcome }) => (
					<>
						<input type="hidden" name="template" value={id} />
						<TextField
							id={`${prefix}-title`}
							name="title"
							label="Titre"
							defaultValue={title}
							maxLength={80}
							required
							error={findFieldError(outcome, "title")}
						/>
						<TextAreaField
							id={`${prefix}-text`}
							name="text"
							label="Texte"
							rows={10}
							defaultValue={text}
							maxLength={maxReplyLength}
							required
							error={findFieldError(outcome, "text")}
						/>
						<button type="submit" disabled={busy} className={button("secondary")}>
							Enregistrer<span className="sr-only"> le modèle {title}</span>
						</button>
					</>
				)}
			</ActForm>
			{id !== "" && (
				<ActForm act="delete-reply-template" order={null} className="mt-2">
					<input type="hidden" name="template" value={id} />
					<button type="submit" className={button("quiet")}>
						Ne plus proposer<span className="sr-only"> le modèle {title}</span>
					</button>
				</ActForm>
			)}
		</>
	);
}
