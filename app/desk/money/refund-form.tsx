import { useState } from "react";
import { operatorCauses } from "../../orders/refunds/operator-causes.ts";
import { parseEuros } from "../../orders/refunds/parse-euros.ts";
import { button } from "../../ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { ActForm, findFieldError } from "../acts/act-form.tsx";

interface RefundFormProps {
	orderId: string;
	payment: { id: string; left: { cents: number; text: string; half: string } };
	/** A whole refund asks whether the order goes on. */
	asksToStop: boolean;
	/** The amount, and what it is for. */
	approvalAbove: string;
}

/** The refund of a payment: all that is left, half of it, or an amount. */
export function RefundForm({ orderId, payment: { id, left }, asksToStop, approvalAbove }: RefundFormProps) {
	const isLive = useHydrated();
	const [part, setPart] = useState<string>();
	const [amount, setAmount] = useState("");
	const parts = [
		["whole", `Tout ce qui reste, ${left.text}`],
		...(left.cents > 1 ? [["half", `La moitié, ${left.half}`]] : []),
		["other", "Un autre montant"],
	] as const;
	const showsAmount = !isLive || part === "other";
	const isWhole = part === "whole" || (part === "other" && parseEuros(amount) === left.cents);
	const asksStop = asksToStop && isLive && isWhole;
	return (
		<ActForm act="refund" order={orderId} className="max-w-form space-y-4">
			{({ busy, outcome }) => (
				<>
					<input type="hidden" name="payment" value={id} />
					<input type="hidden" name="left" value={left.cents} />
					<fieldset>
						<legend className="font-semibold">Rembourser</legend>
						{parts.map(([value, label]) => (
							<Choice key={value} name="part" required value={value ?? ""} label={label ?? ""} id={`${id}-${value}`} onPick={setPart} />
						))}
						{outcome?.state === "refused" && outcome.field === "amount" && part !== "other" && (
							<p className="text-sm font-semibold text-failed">{outcome.text}</p>
						)}
					</fieldset>
					{showsAmount && (
						<TextField
							id={`${id}-amount`}
							name="amount"
							label="Montant en euros"
							inputMode="decimal"
							hint={isLive ? undefined : "Pour «\u00a0Un autre montant\u00a0»."}
							className="max-w-60"
							onChange={({ target }) => setAmount(target.value)}
							error={findFieldError(outcome, "amount")}
						/>
					)}
					{(asksStop || (asksToStop && !isLive)) && (
						<fieldset>
							<legend className="font-semibold">Cette commande est en cours</legend>
							{!isLive && <p className="text-sm text-soft">À choisir si vous remboursez tout.</p>}
							<Choice
								name="stop"
								value="yes"
								required={asksStop}
								id={`${id}-stop`}
								label="Elle s’arrête&nbsp;: le client est prévenu, rien n’est livré"
							/>
							<Choice name="stop" value="no" required={asksStop} id={`${id}-go-on`} label="Son extrait part quand même" />
							{findFieldError(outcome, "stop") && <p className="text-sm font-semibold text-failed">{findFieldError(outcome, "stop")}</p>}
						</fieldset>
					)}
					<SelectField id={`${id}-cause`} name="cause" label="Motif" required defaultValue="" error={findFieldError(outcome, "cause")}>
						<option value="">Choisissez</option>
						{Object.entries(operatorCauses).map(([code, label]) => (
							<option key={code} value={code}>
								{label}
							</option>
						))}
					</SelectField>
					<TextAreaField
						id={`${id}-note`}
						name="note"
						label="Note"
						hint="Reste dans la boutique&nbsp;: le client ne la lit pas."
						rows={2}
						maxLength={1000}
						optional
						error={findFieldError(outcome, "note")}
					/>
					<p className="text-sm text-soft">Au-dessus de {approvalAbove}, une deuxième personne approuve.</p>
					<button type="submit" disabled={busy} className={button()}>
						Rembourser
					</button>
				</>
			)}
		</ActForm>
	);
}

function Choice({
	name,
	value,
	id,
	label,
	required,
	onPick,
}: {
	name: string;
	value: string;
	id: string;
	label: string;
	required: boolean;
	onPick?: (value: string) => void;
}) {
	return (
		<div className="flex items-start">
			<input type="radio" name={name} value={value} id={id} required={required} className="radio mt-3" onChange={() => onPick?.(value)} />
			<label htmlFor={id} className="figures min-h-11 py-2 pl-3">
				{label}
			</label>
		</div>
	);
}
