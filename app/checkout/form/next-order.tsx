import { button } from "../../ui/button.tsx";

/** The value of the button's `intent`, for the action of its page. */
export const nextOrderIntent = "next-order" as const;

/** « Commander pour une autre entreprise », on the page of an order: its form is filled in from that order. */
export function NextOrderButton() {
	return (
		<form method="post">
			<button type="submit" name="intent" value={nextOrderIntent} className={button("secondary")}>
				Commander pour une autre entreprise
			</button>
		</form>
	);
}
