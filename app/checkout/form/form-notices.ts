import { formatPeriod, orderFormHours } from "../../catalogue/retention.ts";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import type { OpenedForm } from "./order-forms.server.ts";

/** What a page says of its stored form, from the server: sentences for few visitors are not among the scripts of all. */
export interface FormNotice {
	kind: "info" | "warning";
	title: string;
	text: string;
	/** The notice is not shown while this service is chosen. */
	unless?: ServiceCode;
}

/** The service of the link cannot be ordered: another is suggested in its place. */
export const describeClosedService = (closed: ServiceCode, suggested: ServiceCode): FormNotice => ({
	kind: "warning",
	title: `Nous vous proposons le ${services[suggested].name} à la place du ${services[closed].name}.`,
	text: "Son prix et son heure sont différents\u00a0: vérifiez-les, ou choisissez un autre service. Votre saisie est conservée.",
	unless: closed,
});

/** The stored form of a link has expired. */
export const formExpired: FormNotice = {
	kind: "warning",
	title: "Votre saisie a expiré",
	text: `Nous la gardons ${formatPeriod({ hours: orderFormHours })}. Si ce navigateur en a gardé un brouillon, le formulaire vous propose de le reprendre.`,
};

/** @param changed another tab has changed the order since its payment was asked for. */
export const describePaymentNotices = (form: Pick<OpenedForm, "isMasked">, changed: boolean): FormNotice[] =>
	[changed ? orderChanged : null, describeMasked(form, "payment")].filter((notice) => notice !== null);

const orderChanged: FormNotice = {
	kind: "warning",
	title: "Votre commande a été modifiée dans un autre onglet.",
	text: "Rien n’a été débité. Vérifiez-la avant de payer.",
};

/** The rows that a notice quotes. */
const maxQuoted = 5;

/** @param rows those of a list that name no company. @returns null for none. */
export function describeLeftOut(rows: readonly string[]): FormNotice | null {
	if (rows.length === 0) return null;
	const quoted = rows.slice(0, maxQuoted).map((row) => `«\u00a0${row}\u00a0»`);
	const isMany = rows.length > 1;
	return {
		kind: "info",
		title: isMany ? `Nous avons écarté ${rows.length} lignes de votre liste.` : "Nous avons écarté une ligne de votre liste.",
		text: `${isMany ? "Elles ne nomment" : "Elle ne nomme"} aucune entreprise\u00a0: ${quoted.join(", ")}${rows.length > maxQuoted ? "…" : "."} ${isMany ? "Si l’une d’elles en nomme une, ajoutez-la." : "Si elle en nomme une, ajoutez-la."}`,
	};
}

const nextSteps = {
	form: "Pour modifier la commande, saisissez-les de nouveau.",
	payment: "Elles sont enregistrées avec la commande\u00a0: vous pouvez la payer.",
} as const;

/** @returns null when the page shows all that was typed (docs/rules.md, R215). */
export const describeMasked = ({ isMasked }: Pick<OpenedForm, "isMasked">, page: keyof typeof nextSteps): FormNotice | null =>
	isMasked
		? {
				kind: "info",
				title: "Les coordonnées de cette commande ne sont pas affichées ici.",
				text: `Ces informations ont été saisies dans un autre navigateur, ou ce navigateur refuse les cookies. ${nextSteps[page]}`,
			}
		: null;

/** The doubt about an invoiced name beside which stands another company's SIREN. @param otherName that company's; null without a doubt. */
export const describeOtherName = (otherName: string | null): FormNotice[] =>
	otherName === null
		? []
		: [
				{
					kind: "warning",
					title: `Le SIREN de la facture appartient à ${otherName}.`,
					text: "Ce n’est pas le nom que vous avez écrit. Si c’est une erreur, corrigez-la par «\u00a0Modifier ma commande\u00a0».",
				},
			];
