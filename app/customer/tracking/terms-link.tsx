import { href } from "react-router";

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
