import { button } from "../../ui/button.tsx";
import { Focused } from "../../ui/focused.tsx";
import { Notice } from "../../ui/notice.tsx";
import { correctionField } from "./email-correction.ts";
import type { OrderField } from "./order-form.ts";

interface EmailDoubtProps {
	field: OrderField;
	typed: string;
	/** What was probably meant. */
	meant: string;
}

/** Asks about an e-mail address that looks mistyped, beside the button that was pressed. Both answers go on to the payment. */
export function EmailDoubt({ field, typed, meant }: EmailDoubtProps) {
	return (
		<Focused className="mb-6">
			<Notice
				kind="warning"
				title={
					<>
						Vouliez-vous dire <span className="break-all">{meant}</span>&nbsp;?
					</>
				}
				live
			>
				<p>
					Vous avez écrit <span className="break-all">{typed}</span>.
				</p>
				<div className="mt-3 flex flex-wrap gap-3">
					<button type="submit" name={correctionField} value={field} className={button("primary")}>
						Oui, corriger
					</button>
					<button type="submit" className={button("secondary")}>
						Non, garder
					</button>
				</div>
			</Notice>
		</Focused>
	);
}
