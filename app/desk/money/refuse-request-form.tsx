import { useState } from "react";
import { button } from "../../ui/button.tsx";
import { TextAreaField } from "../../ui/field.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";

/** The refusal of a customer's refund request, with the e-mail that the customer gets. */
export function RefuseRequestForm({ orderId, number }: { orderId: string; number: string }) {
	const [answer, setAnswer] = useState("");
	return (
		<details className="mt-3">
			<summary className="min-h-11 content-center font-semibold">Refuser la demande</summary>
			<ActForm act="refuse-refund-request" order={orderId} className="mt-2 space-y-4">
				{({ busy, outcome }) => (
					<>
						<TextAreaField
							name="answer"
							label="Pourquoi"
							hint="Le client lit votre réponse telle quelle."
							rows={5}
							maxLength={2000}
							required
							value={answer}
							onChange={(event) => setAnswer(event.target.value)}
							error={findFieldError(outcome, "answer")}
						/>
						<section aria-label="Aperçu" className="space-y-2 border-l-2 border-line pl-4">
							<p className="label text-soft">L’e-mail du client</p>
							<p>
								Nous avons vérifié l’extrait que vous nous avez signalé. Nous ne pouvons pas accorder le remboursement demandé pour la
								commande <span className="figures">{number}</span>.
							</p>
							<blockquote className="border-l-2 border-line pl-4 break-words whitespace-pre-line">{answer || "Votre réponse"}</blockquote>
							<p>
								Si cette réponse ne vous satisfait pas, écrivez-nous. Si vous êtes un consommateur, vous pouvez aussi saisir gratuitement le
								médiateur.
							</p>
						</section>
						<button type="submit" disabled={busy} className={button("secondary")}>
							Refuser et répondre
						</button>
					</>
				)}
			</ActForm>
		</details>
	);
}
