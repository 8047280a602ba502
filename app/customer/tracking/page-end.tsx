import { Form, href } from "react-router";
import { button } from "../../ui/button.tsx";

/** The ways to end the contract and to write to the shop. @param number of the order, or of the first of the purchase. */
export function ContractLinks({ number, mayWithdraw }: { number: string; mayWithdraw: boolean }) {
	return (
		<div className="flex flex-wrap gap-x-6">
			{mayWithdraw && (
				<Form method="post">
					<button type="submit" name="intent" value="withdraw" className="link inline-flex min-h-11 items-center">
						Renoncer au contrat ici
					</button>
				</Form>
			)}
			<a className="link inline-flex min-h-11 items-center" href={href("/suivi/:number/message", { number })}>
				Nous écrire
			</a>
		</div>
	);
}

/**
 * « Quitter ». It loads a document, so that the browser sends the cookies of the page, and no other page of the order stays in memory.
 * @param number of the order, or of the first of the purchase. @param quitKey says what opened the page.
 */
export function QuitForm({ number, quitKey }: { number: string; quitKey: string }) {
	return (
		<Form method="post" action={href("/suivi/:number", { number })} reloadDocument className="border-t border-line pt-6 print:hidden">
			<p className="mb-2 text-sm text-soft">Sur un ordinateur partagé, cliquez sur «&nbsp;Quitter&nbsp;» en partant.</p>
			<input type="hidden" name="key" value={quitKey} />
			<button type="submit" name="intent" value="quit" className={button("secondary")}>
				Quitter
			</button>
		</Form>
	);
}

/** The terms of sale under which an order was placed, as they were then. @param version their hash. */
export function TermsLink({ version }: { version: string }) {
	return (
		<p className="mt-2 text-sm print:hidden">
			<a className="link inline-flex min-h-11 items-center" href={href("/cgv/version/:version", { version })}>
				Conditions générales de votre commande (PDF)
			</a>
		</p>
	);
}
