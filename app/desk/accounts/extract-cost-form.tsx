import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { ActForm } from "../acts/act-form.tsx";

/** What the greffe charged for an order, entered by the person who serves it. */
export function ExtractCostForm({ orderId }: { orderId: string }) {
	return (
		<ActForm act="extract-cost" order={orderId} className="flex flex-wrap items-end gap-4">
			{({ busy, outcome }) => (
				<>
					<TextField
						name="amount"
						id={`cost-${orderId}`}
						label="Ce que le greffe a pris, en euros"
						hint="En tout, pour cette commande. Sans montant, c’est le tarif officiel qui compte."
						inputMode="decimal"
						required
						placeholder="3,20"
						error={outcome?.state === "refused" && outcome.field === "amount" ? outcome.text : undefined}
					/>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Noter
					</button>
				</>
			)}
		</ActForm>
	);
}
