import { createContext } from "react-router";
import type { Client } from "../server/client.ts";
import type { Runtime } from "../server/runtime.ts";
import type { OpeningCalendar } from "./catalogue/opening-hours.ts";
import type { TextVariables } from "./content/variables.ts";
import type { DocumentStorage } from "./documents/storage.ts";
import type { Issuer } from "./fulfilment/issuer.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { PaymentProvider } from "./payments/provider.ts";
import type { PartProber } from "./status/probe-parts.server.ts";
import type { DrawPreview } from "./ui/preview-picture.server.tsx";

/** The whole shop, wired, as routes and jobs receive it. */
export interface Shop extends Runtime {
	calendar: OpeningCalendar;
	provider: PaymentProvider;
	issuer: Issuer;
	storage: DocumentStorage;
	mailer: Mailer;
	prober: PartProber;
	textVariables: TextVariables;
}

/** `context.get(shopContext)` in loaders and actions. */
export const shopContext = createContext<Shop>();

/** Draws what a network shows of a shared page. The commands, which run without the build, draw nothing. */
export const drawPreviewContext = createContext<DrawPreview>();

/** Who sent the request. */
export const clientContext = createContext<Client>({ key: "unknown", isLocal: false });

/** Set to a number of seconds when a request is refused because it came too often, for app/web/web.ts to say it in Retry-After. */
export const retryAfterContext = createContext<number | null>(null);

/** Set when a request failed because the database does not answer, for app/web/web.ts to say so. */
export const databaseUnavailableContext = createContext<boolean>(false);

/** A request that was refused before any route saw it (a body too large), for root.tsx to say so on a page. */
export const refusalContext = createContext<{ status: number; sentence: string } | undefined>(undefined);
