import { button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";

/** A link that still opens its extract. `text`: the customer's name of it, its days and its openings. */
export interface ActiveShare {
	id: string;
	text: string;
}

/** Takes back a link to an extract. @param order the order's id. */
export function ShareForm({ order, shares }: { order: string; shares: readonly ActiveShare[] }) {
	return (
		<ActForm act="revoke-share" order={order} className="space-y-3">
			{({ busy, outcome }) => (
				<>
					<p className="text-sm">À la demande du client&nbsp;: le lien n’ouvre plus l’extrait, même sur une page déjà ouverte.</p>
					<SelectField name="share" label="Lien" required error={findFieldError(outcome, "share")}>
						{shares.map(({ id, text }) => (
							<option key={id} value={id}>
								{text}
							</option>
						))}
					</SelectField>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Retirer le lien
					</button>
				</>
			)}
		</ActForm>
	);
}
