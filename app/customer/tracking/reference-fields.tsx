import { TextField } from "../../ui/field.tsx";

/** The fields that identify an order's customer: e-mail and number. */
export function ReferenceFields({ email, reference }: { email: string | undefined; reference: string | undefined }) {
	return (
		<div className="grid gap-5">
			<TextField name="email" type="email" label="Adresse e-mail" autoComplete="email" defaultValue={email} />
			<TextField
				name="orderId"
				label="Numéro de commande"
				hint="Il figure dans votre e-mail de confirmation, par exemple KB-7F3K-92QD."
				autoComplete="off"
				autoCapitalize="characters"
				spellCheck={false}
				defaultValue={reference}
			/>
		</div>
	);
}
