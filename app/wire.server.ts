import { join } from "node:path";
import type { Runtime } from "../server/runtime.ts";
import { isFrenchHoliday } from "./catalogue/holidays.ts";
import { parseOpeningHours } from "./catalogue/opening-hours.ts";
import { diskStorage } from "./documents/disk-storage.server.ts";
import { s3Storage } from "./documents/s3-storage.server.ts";
import { manualIssuer } from "./issuing/manual-issuer.server.ts";
import { specimenIssuer } from "./issuing/specimen.server.ts";
import { folderMailer, smtpMailer } from "./mail/mailers.server.ts";
import { sandboxProvider } from "./payment/sandbox.server.ts";
import { stripeProvider } from "./payment/stripe.server.ts";
import type { Shop } from "./shop.ts";

/** Chooses an implementation for each contract from the environment: the only place that does. */
export function wireShop(runtime: Runtime): Shop {
	const { environment, db, now } = runtime;
	const storage = environment.s3 ? s3Storage(environment.s3, now) : diskStorage(join(environment.dataDir, "documents"));
	return {
		...runtime,
		calendar: { ...parseOpeningHours(environment.openingHours), isHoliday: isFrenchHoliday },
		provider: environment.stripe ? stripeProvider(environment.stripe, now) : sandboxProvider({ ...runtime, baseUrl: environment.baseUrl }),
		issuer: environment.issuer === "manual" ? manualIssuer({ db, read: storage.get, now }) : specimenIssuer(now),
		storage,
		mailer: environment.smtpUrl
			? smtpMailer(environment.smtpUrl, environment.mailFrom)
			: folderMailer(join(environment.dataDir, "mails"), environment.mailFrom),
	};
}
