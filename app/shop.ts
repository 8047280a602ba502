import { createContext } from "react-router";
import type { Client } from "../server/client.ts";
import type { Runtime } from "../server/runtime.ts";
import type { StatisticsReader } from "./books/statistics/read-statistics.server.ts";
import type { OpeningCalendar } from "./catalogue/opening-hours.ts";
import type { Sales } from "./catalogue/settings/sales.ts";
import type { TextVariables } from "./content/variables.ts";
import type { CustomerAuth } from "./customer/sign-in/auth.server.ts";
import type { Pusher } from "./desk/alerts/pusher.server.ts";
import type { OperatorAuth } from "./desk/operators/auth.server.ts";
import type { PasswordQueue } from "./desk/operators/password-queue.ts";
import type { InspectorContext } from "./fulfilment/extracts/inspect-pdf.server.ts";
import type { Issuer } from "./fulfilment/issuers/issuer.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { DocumentStorage } from "./orders/documents/storage.ts";
import type { PaymentProvider } from "./payments/provider.ts";
import type { PreviewPictures } from "./ui/preview-picture.server.tsx";
import type { PartProber } from "./web/status/probe-parts.server.ts";
import type { HealthReader } from "./web/status/read-health.server.ts";

/** The shop with all dependencies, as routes and jobs receive it. */
export interface Shop extends Runtime, InspectorContext {
	/** Opening hours and public holidays. The promise clock also counts days off: `readSales` has its calendar. */
	openingHours: OpeningCalendar;
	/** What is sold now, and the calendar of the promise clock, from memory. */
	readSales: () => Promise<Sales>;
	provider: PaymentProvider;
	issuer: Issuer;
	storage: DocumentStorage;
	mailer: Mailer;
	pusher: Pusher;
	/** Signs operators in; loaded at its first use, because most processes never need it. */
	operatorAuth: () => Promise<OperatorAuth>;
	passwordQueue: PasswordQueue;
	/** Signs customers in by a link; loaded at its first use. */
	customerAuth: () => Promise<CustomerAuth>;
	prober: PartProber;
	/** What operators are told of the shop's health, from memory. */
	readHealth: HealthReader;
	/** The published figures, from memory. */
	statistics: StatisticsReader;
	/** Whether pages may promise the watch of extracts and alerts about companies. */
	readWatch: () => Promise<boolean>;
	textVariables: TextVariables;
	/** Records the terms of sale in force, once per process. Returns their hash, which an order names. */
	recordTerms: () => Promise<string>;
}

/** `context.get(shopContext)` in loaders and actions. */
export const shopContext = createContext<Shop>();

/** Draws the preview picture of a shared page. Commands run without the build and cannot draw. */
export const previewPicturesContext = createContext<PreviewPictures>();

/** The client of the request. */
export const clientContext = createContext<Client>({ key: "unknown", isLocal: false });

/** The seconds for the header Retry-After when a request exceeds a limit; app/web/web.ts sets the header. */
export const retryAfterContext = createContext<number | null>(null);

/** True when a request failed because the database is unavailable; app/web/web.ts sends the response. */
export const databaseUnavailableContext = createContext<boolean>(false);

/** The refusal of a request before its route, such as a large body; not-found.tsx renders its page. `page`: the path that was asked for. */
export const refusalContext = createContext<{ status: number; sentence: string; page: string | null } | undefined>(undefined);

/** True when the file of a form was too large: the form then ends within it (app/web/bounded-body.ts). */
export const truncatedFormContext = createContext<boolean>(false);
