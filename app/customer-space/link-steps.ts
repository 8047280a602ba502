import { href } from "react-router";
import type { LinkStep } from "../content/email-links/link-step.ts";

/** The page behind the link of an e-mail: sections of texts/mes-commandes.md. */
export const customerLinkSteps = {
	open: { anchor: "ouvrir", status: 200, submit: "Ouvrir mes commandes" },
	ended: { anchor: "lien-expire", status: 410, next: { label: "Demander un nouveau lien", url: href("/mes-commandes") } },
} as const satisfies Record<string, LinkStep>;
