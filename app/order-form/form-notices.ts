import type { OpenedForm } from "./order-forms.server.ts";

/** What a page says in place of details that were typed in another browser. */
export interface MaskedNotice {
	title: string;
	text: string;
}

const nextSteps = {
	form: "Pour modifier la commande, saisissez-les de nouveau.",
	payment: "Elles sont enregistrées avec la commande\u00a0: vous pouvez la payer.",
} as const;

/** @returns null when the page shows all that was typed (docs/rules.md, R215). */
export const describeMasked = ({ isMasked }: Pick<OpenedForm, "isMasked">, page: keyof typeof nextSteps): MaskedNotice | null =>
	isMasked
		? {
				title: "Les coordonnées de cette commande ne sont pas affichées ici.",
				text: `Ces informations ont été saisies dans un autre navigateur, ou ce navigateur refuse les cookies. ${nextSteps[page]}`,
			}
		: null;
