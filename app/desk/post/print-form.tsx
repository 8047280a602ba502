import { href } from "react-router";
import { button } from "../../ui/button.tsx";

/** The button that downloads one PDF of letters. Not React Router's form, because the browser saves the answer. */
export function PrintForm({ orders }: { orders: readonly string[] }) {
	return (
		<form method="post" action={href("/bureau/courrier/lettres")}>
			<input type="hidden" name="orders" value={orders.join(",")} />
			<button type="submit" className={button("secondary")}>
				{orders.length === 1 ? "Télécharger le courrier (PDF)" : `Télécharger les ${orders.length} courriers (PDF)`}
			</button>
		</form>
	);
}
