import type { ComponentType } from "react";
import { href, isRouteErrorResponse } from "react-router";
import { button } from "./button.tsx";
import type { DrawingProps } from "./drawings/drawings.tsx";
import { Page, Title } from "./page.tsx";

/** What a visitor sees in place of a page that failed or does not exist. */
export function ErrorPage({ error, drawing }: { error: unknown; drawing?: ComponentType<DrawingProps> }) {
	const { title, sentence, advice, english, stack, back } = describeError(error);
	return (
		<Page>
			<Title lead={sentence} drawing={drawing}>
				{title}
			</Title>
			{english && (
				<p lang="en" className="-mt-5 mb-8 text-sm text-soft">
					{english}
				</p>
			)}
			{advice && <p className="-mt-2 mb-8 max-w-reading">{advice}</p>}
			{stack && <pre className="mb-8 overflow-x-auto border border-line bg-sheet p-4 text-xs">{stack}</pre>}
			<p className="flex flex-wrap items-center gap-x-6 gap-y-2">
				{(back ? [back] : shopLinks).map(({ url, label }, index) => (
					<a key={url} href={url} className={button(index === 0 ? "primary" : "quiet")}>
						{label}
					</a>
				))}
			</p>
		</Page>
	);
}

const shopLinks: WayBack[] = [
	{ url: href("/"), label: "Retour à l’accueil" },
	{ url: href("/recherche"), label: "Rechercher une entreprise" },
	{ url: href("/suivi-commande"), label: "Suivre ma commande" },
	{ url: href("/contact"), label: "Nous écrire" },
];

/** Where somebody goes on who was refused a page. */
interface WayBack {
	url: string;
	label: string;
}

/** The data of an error response that leads somewhere else than to the shop's pages. */
export interface Refusal {
	sentence: string;
	back: WayBack;
}

interface ErrorText {
	title: string;
	sentence: string;
	/** What the visitor can do, and what became of what they sent. */
	advice?: string;
	/** The agreed text in English, shown below (docs/rules.md, R52). */
	english?: string;
	stack?: string;
	back?: WayBack;
}

/** Of refusals before a page reads what was sent. Their sentences come with the answer. */
const unreadTitles: Readonly<Record<number, string>> = {
	408: "Votre envoi n’a pas été lu",
	413: "Votre envoi n’a pas été lu",
	429: "Merci de patienter",
};
const keptByBrowser = "Si vous remplissiez un formulaire, la page précédente de votre navigateur garde ce que vous avez saisi.";

/** Returns the text of the error page. It shows the cause in development only. */
export function describeError(error: unknown): ErrorText {
	const ours = { title: "Une erreur est survenue", english: "Unexpected Application Error!" };
	if (isRouteErrorResponse(error)) {
		const unread = unreadTitles[error.status];
		const refusal = unread ? { title: unread, advice: keptByBrowser } : { title: "Demande refusée" };
		if (isRefusal(error.data)) return { ...refusal, ...error.data };
		const sentence =
			(error.status < 500 || error.status === 503) && typeof error.data === "string" && error.data !== "" ? error.data : undefined;
		if (error.status === 404) {
			return {
				title: "Cette page n’existe pas",
				english: "Oops! Page not found",
				sentence: sentence ?? "Elle a peut-être été déplacée. Vérifiez l’adresse saisie, ou repartez de l’une de ces pages.",
			};
		}
		if (sentence) return { ...(error.status === 503 ? { title: "Service momentanément indisponible" } : refusal), sentence };
		return { ...ours, sentence: `Erreur ${error.status}. Réessayez dans un instant.` };
	}
	if (import.meta.env.DEV && error instanceof Error) return { ...ours, sentence: error.message, stack: error.stack };
	return { ...ours, sentence: "Réessayez dans un instant. Si l’erreur persiste, écrivez-nous." };
}

/** Whether the data of an error are a sentence of ours. */
export const isRefusal = (data: unknown): data is Refusal =>
	typeof data === "object" && data !== null && "sentence" in data && "back" in data;
