import { useState } from "react";
import { href, Link } from "react-router";
import { button } from "../../ui/button.tsx";
import { TextAreaField } from "../../ui/field.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import type { TimelineLine } from "./describe-file.server.ts";

const icons: Record<TimelineLine["kind"], { icon: IconName; label: string }> = {
	event: { icon: "document", label: "Commande" },
	mail: { icon: "mail", label: "E-mail" },
	payment: { icon: "card", label: "Paiement" },
	note: { icon: "info", label: "Note" },
	trail: { icon: "lock", label: "Bureau" },
	request: { icon: "alert", label: "Demande" },
};

/** Everything that happened to an order, newest first. */
export function OrderTimeline({ number, lines }: { number: string; lines: readonly TimelineLine[] }) {
	return (
		<ol className="mt-6 divide-y divide-line border-y border-line text-sm">
			{lines.map(({ id, at, stamp, kind, text, details, email }) => (
				<li key={id} className="grid gap-x-6 py-2 sm:grid-cols-[11rem_1fr]">
					<time dateTime={at} className="figures text-soft">
						{stamp}
					</time>
					<span className="flex min-w-0 gap-2">
						<Icon name={icons[kind].icon} className="mt-0.5 size-4.5 text-soft" />
						<span className="min-w-0 break-words whitespace-pre-line">
							<span className="sr-only">{icons[kind].label}&nbsp;: </span>
							{email ? (
								<Link className="link" to={href("/bureau/commandes/:number/e-mails/:mail", { number, mail: email })}>
									{text}
								</Link>
							) : (
								text
							)}
							{details.length > 0 && <span className="text-soft"> ({details.join(", ")})</span>}
						</span>
					</span>
				</li>
			))}
		</ol>
	);
}

/** The operators' own words about an order. */
export function NoteForm({ order }: { order: string }) {
	const [kept, setKept] = useState(0);
	return (
		<ActForm
			act="note"
			order={order}
			onDone={() => setKept((count) => count + 1)}
			className="mt-3 flex max-w-reading flex-wrap items-end gap-3"
		>
			{({ busy, outcome }) => (
				<>
					<TextAreaField
						name="text"
						id="note"
						label="Note interne"
						hint="Le client ne la voit pas&nbsp;; il la reçoit s’il demande ses données."
						rows={2}
						maxLength={2000}
						className="min-w-60 flex-1"
						// an empty field after the note is kept
						key={kept}
						error={findFieldError(outcome, "text")}
					/>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Ajouter
					</button>
				</>
			)}
		</ActForm>
	);
}
