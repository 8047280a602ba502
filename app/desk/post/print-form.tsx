import { href } from "react-router";
import { button } from "../../ui/button.tsx";

interface PrintFormProps {
	orders: readonly string[];
	/** In place of « Télécharger les 12 courriers (PDF) ». */
	label?: string;
}

/** The button that downloads one PDF of letters. Not React Router's form, because the browser saves the answer. */
export function PrintForm({ orders, label }: PrintFormProps) {
	const counted = orders.length === 1 ? "Télécharger le courrier (PDF)" : `Télécharger les ${orders.length} courriers (PDF)`;
	return (
		<form method="post" action={href("/bureau/courrier/lettres")}>
			<input type="hidden" name="orders" value={orders.join(",")} />
			<button type="submit" className={button("secondary")}>
				{label ?? counted}
			</button>
		</form>
	);
}
