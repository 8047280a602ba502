import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { ActForm } from "../acts/act-form.tsx";

interface Props {
	/** Amounts with their sign: « 3,20 € ». */
	order: { id: string; extractCost: { recorded: string | null; official: string } };
}

/** What the greffe charged for an order, entered by the person who serves it. */
export function ExtractCostForm({ order: { id, extractCost } }: Props) {
	const { recorded, official } = extractCost;
	return (
		<ActForm act="extract-cost" order={id} className="flex flex-wrap items-end gap-4">
			{({ busy, outcome }) => (
				<>
					<TextField
						name="amount"
						id={`cost-${id}`}
						label="Ce que le greffe a pris, en euros"
						hint={
							recorded
								? `En tout, pour cette commande. Noté\u00a0: ${recorded}.`
								: `En tout, pour cette commande. Rien n’est noté\u00a0: c’est le tarif officiel de l’extrait électronique qui compte, ${official}.`
						}
						inputMode="decimal"
						required
						key={recorded}
						defaultValue={recorded?.replace("\u00a0€", "")}
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
