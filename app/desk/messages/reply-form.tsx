import { type ReactNode, useId, useState } from "react";
import { Form } from "react-router";
import { typedKeys } from "../../../server/types/objects.ts";
import {
	fillReply,
	maxReplyLength,
	type ReplyField,
	type ReplyValues,
	replyFields,
	toReplyBlocks,
} from "../../emails/messages/fill-reply.ts";
import type { ReplyTemplate } from "../../emails/messages/reply-templates.ts";
import { button } from "../../ui/button.tsx";
import { CheckboxField, SelectField, TextAreaField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { ActForm, findFieldError } from "../acts/act-form.tsx";

interface ReplyFormProps {
	conversation: string;
	to: string;
	/** The last message, as the loader gave it. */
	lastAt: string;
	values: ReplyValues;
	/** The order, while it is a guess, and what is known until it is confirmed; null otherwise. */
	guess: { number: string; values: ReplyValues } | null;
	templates: readonly ReplyTemplate[];
	/** From the address, for pages without JavaScript. */
	chosen: string | null;
	/** What was typed before a preview without JavaScript, and whether the order was confirmed. */
	typed: string | null;
	isAbout: boolean;
	/** Below the templates. */
	children?: ReactNode;
}

/** The reply to a message: a template to begin from, the text, and the e-mail as it will leave. */
export function ReplyForm({ conversation, to, lastAt, guess, templates, chosen, typed, children, ...props }: ReplyFormProps) {
	const isLive = useHydrated();
	const [text, setText] = useState(typed ?? templates.find(({ id }) => id === chosen)?.text ?? "");
	// what the operator had read when they began to write
	const [readUntil, setReadUntil] = useState<string | null>(null);
	const [isAbout, setAbout] = useState(props.isAbout);
	const values = guess && !isAbout ? guess.values : props.values;
	const isStale = readUntil !== null && readUntil !== lastAt;
	const change = (next: string) => {
		setText(next);
		setReadUntil(next === "" ? null : (readUntil ?? lastAt));
	};
	const listId = useId();
	return (
		<section aria-labelledby="repondre" className="mt-8">
			<h2 id="repondre" className="text-xl">
				Répondre à {to}
			</h2>
			<Form
				method="get"
				preventScrollReset
				className="mt-3 flex flex-wrap items-end gap-3"
				onSubmit={(event) => {
					event.preventDefault();
					const id = new FormData(event.currentTarget).get("modele");
					const template = templates.find((each) => each.id === id);
					if (template) change(text.trim() === "" ? template.text : `${text.trimEnd()}\n\n${template.text}`);
				}}
			>
				<SelectField name="modele" label="Modèle" defaultValue={chosen ?? ""} className="min-w-0 flex-1 sm:max-w-80">
					{templates.map(({ id, title }) => (
						<option key={id} value={id}>
							{title}
						</option>
					))}
				</SelectField>
				<button type="submit" className={button("secondary")}>
					Insérer
				</button>
			</Form>
			{children}
			<ActForm act="reply" order={null} className="mt-4 space-y-4" onDone={() => change("")}>
				{({ busy, outcome }) => (
					<>
						<input type="hidden" name="conversation" value={conversation} />
						<input type="hidden" name="read" value={readUntil ?? lastAt} />
						<TextAreaField
							name="text"
							label="Votre réponse"
							rows={10}
							maxLength={maxReplyLength}
							value={text}
							onChange={(event) => change(event.target.value)}
							required
							aria-details={listId}
							error={findFieldError(outcome, "text")}
						/>
						{guess && (
							<CheckboxField
								name="about"
								value="1"
								label={`À propos de la commande ${guess.number}`}
								hint={
									"C’est la dernière commande de cette adresse. Cochez si le message parle d’elle\u00a0: l’objet et un lien la nomment alors, et les champs se remplissent."
								}
								checked={isAbout}
								onChange={(event) => setAbout(event.target.checked)}
							/>
						)}
						<FieldList id={listId} values={values} onPick={isLive ? (field) => change(`${text}{${field}}`) : undefined} />
						{isStale && (
							<Notice kind="warning" live>
								<p>Un message est arrivé pendant que vous écriviez. Relisez l’échange avant d’envoyer.</p>
								<button type="button" className={button("secondary", "mt-2")} onClick={() => setReadUntil(lastAt)}>
									J’ai relu
								</button>
							</Notice>
						)}
						{isLive && text.trim() !== "" && <ReplyPreview text={text} values={values} />}
						<p className="flex flex-wrap gap-3">
							<button type="submit" disabled={busy || isStale} className={button()}>
								Envoyer
							</button>
							{!isLive && (
								<button type="submit" name="do" value="preview" className={button("secondary")}>
									Prévisualiser
								</button>
							)}
						</p>
					</>
				)}
			</ActForm>
			{!isLive && typed !== null && <ReplyPreview text={typed} values={values} />}
		</section>
	);
}

/** The fields that a text may have, with what each becomes. */
function FieldList({ id, values, onPick }: { id: string; values: ReplyValues; onPick: ((field: ReplyField) => void) | undefined }) {
	const fields = typedKeys(replyFields);
	return (
		<details id={id} className="text-sm">
			<summary className="min-h-11 content-center">Champs remplis d’après la commande</summary>
			<dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4">
				{fields.map((field) => (
					<div key={field} className="contents">
						<dt>
							{onPick ? (
								<button type="button" className={button("quiet", "font-normal")} onClick={() => onPick(field)}>{`{${field}}`}</button>
							) : (
								`{${field}}`
							)}
						</dt>
						<dd className="min-w-0 break-words text-soft">
							{replyFields[field]}
							{values[field] === "" ? ", inconnu pour ce message" : `\u00a0: ${values[field]}`}
						</dd>
					</div>
				))}
			</dl>
		</details>
	);
}

/** The reply as its reader gets it, or what is still wrong with it. */
export function ReplyPreview({ text, values }: { text: string; values: ReplyValues }) {
	const filled = fillReply(text, values);
	if (!filled.ok)
		return (
			<Notice kind="warning">
				<p>{filled.sentence}</p>
			</Notice>
		);
	return (
		<section aria-label="Aperçu" className="border-l-2 border-line pl-4">
			<p className="label text-soft">Aperçu</p>
			<div className="mt-2 space-y-3">
				{toReplyBlocks(filled.text).map((block, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the blocks have no other identity
					<PreviewBlock key={index} block={block} />
				))}
			</div>
		</section>
	);
}

function PreviewBlock({ block }: { block: ReturnType<typeof toReplyBlocks>[number] }) {
	if (typeof block === "string") return <p className="break-words">{block}</p>;
	if (!("list" in block)) return null;
	return (
		<ul className="list-disc space-y-1 pl-6">
			{block.list.map((item) => (
				<li key={item}>{item}</li>
			))}
		</ul>
	);
}
