import { join } from "node:path";
import type { Environment } from "../server/environment/environment.ts";
import { lazy } from "../server/lazy.ts";
import { observeCalls } from "../server/observability/partner-calls.ts";
import type { Runtime } from "../server/runtime.ts";
import { createStatisticsReader } from "./books/statistics/read-statistics.server.ts";
import { isFrenchHoliday } from "./catalogue/holidays.ts";
import { parseOpeningHours } from "./catalogue/opening-hours.ts";
import { createSalesReader } from "./catalogue/settings/settings-memory.server.ts";
import { readSalesLoad } from "./checkout/payment/check-sales.server.ts";
import { createWatchReader } from "./companies/bulletin/find-bulletin-state.server.ts";
import { gatherTextVariables } from "./content/variables.ts";
import { createPusher } from "./desk/alerts/pusher.server.ts";
import { createPasswordQueue } from "./desk/operators/password-queue.ts";
import { inspectPdf } from "./fulfilment/extracts/inspect-pdf.server.ts";
import { demoIssuer } from "./fulfilment/issuers/demo-issuer.server.ts";
import { manualIssuer } from "./fulfilment/issuers/manual-issuer.server.ts";
import type { Mailer } from "./mail/mailer.ts";
import { folderMailer, smtpMailer } from "./mail/mailers.server.ts";
import { diskStorage } from "./orders/documents/disk-storage.server.ts";
import { s3Storage } from "./orders/documents/s3-storage.server.ts";
import type { DocumentStorage } from "./orders/documents/storage.ts";
import { createTermsRecorder } from "./orders/terms/record-terms.server.ts";
import type { PaymentProvider } from "./payments/provider.ts";
import { sandboxProvider } from "./payments/sandbox/sandbox-provider.server.ts";
import { stripeProvider } from "./payments/stripe/stripe-provider.server.ts";
import type { Shop } from "./shop.ts";
import { createFigureReaders } from "./web/metrics/read-figures.server.ts";
import { createPartProber } from "./web/status/probe-parts.server.ts";
import { createHealthReader } from "./web/status/read-health.server.ts";

// Composition root: the only place that chooses implementations from the environment.

export const createStorage = ({ s3, dataDir }: Environment): DocumentStorage =>
	s3 ? s3Storage(s3) : diskStorage(join(dataDir, "documents"));

export const createMailer = ({ smtpUrl, mailFrom, dataDir }: Environment): Mailer =>
	smtpUrl ? smtpMailer(smtpUrl, mailFrom) : folderMailer(join(dataDir, "mails"), mailFrom);

/** The payment provider outside the shop; undefined when payments are simulated. */
export const createPaymentPartner = ({ stripe }: Environment, now: () => Date): PaymentProvider | undefined =>
	stripe && stripeProvider(stripe, now);

/** Milliseconds for which the measured difference of the clocks is shown: measuring it costs a request to the payment provider. */
const clockTtlMs = 60_000;

/** Creates the shop; calls to its partners are measured. */
export function createShop(runtime: Runtime): Shop {
	const { environment, db, now, metrics } = runtime;
	metrics.watchFigures(createFigureReaders(runtime), runtime.log);
	const storage = observeCalls("storage", createStorage(environment), metrics);
	const chosen = createPaymentPartner(environment, now) ?? sandboxProvider({ ...runtime, baseUrl: environment.baseUrl });
	const provider = observeCalls("payment", chosen, metrics);
	const mailer = observeCalls("mail", createMailer(environment), metrics);
	const prober = createPartProber({ ...runtime, storage, mailer, provider });
	metrics.watchClock(() => prober.readClock(clockTtlMs));
	const openingHours = { ...parseOpeningHours(environment.openingHours), isHoliday: isFrenchHoliday };
	const textVariables = gatherTextVariables(environment, provider.texts);
	return {
		...runtime,
		openingHours,
		readSales: createSalesReader({ ...runtime, openingHours, readSalesLoad }),
		provider,
		issuer: environment.issuer === "manual" ? manualIssuer({ db, read: storage.get, now }) : demoIssuer({ db, read: storage.get, now }),
		storage,
		inspectPdf,
		mailer,
		pusher: createPusher(environment, runtime.log),
		operatorAuth: lazy(async () => (await import("./desk/operators/auth.server.ts")).createOperatorAuth(runtime)),
		passwordQueue: createPasswordQueue(),
		customerAuth: lazy(async () => (await import("./customer/sign-in/auth.server.ts")).createCustomerAuth(runtime)),
		prober,
		readHealth: createHealthReader({ ...runtime, prober }),
		statistics: createStatisticsReader({ ...runtime, openingHours }),
		readWatch: createWatchReader(runtime),
		textVariables,
		recordTerms: createTermsRecorder(runtime, textVariables),
	};
}
