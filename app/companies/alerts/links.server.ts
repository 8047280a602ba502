import { daySeconds } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { expiringToken } from "../../../server/signing.ts";
import { alertLinkDays } from "../../catalogue/link-lifetimes.ts";
import { retention } from "../../catalogue/retention.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";

/** Signed links in e-mails. A link contains the id of an alert or of a mailbox, no personal data, and serves one purpose. */

type LinkContext = Pick<Context, "environment" | "signer">;

/** Confirms an alert; valid from its request. */
export const confirmationToken = expiringToken("company-alert-confirm", retention.newsletterRequests.days * daySeconds);

/** Opens the list of a mailbox's alerts. */
export const alertsToken = expiringToken("company-alerts", alertLinkDays * daySeconds);

/** Ends one alert, or all of a mailbox. These never expire, because an e-mail may be read years later (RFC 8058). */
const [endAlertPurpose, endAllPurpose] = ["company-alert-end", "company-alerts-end"] as const;

export const confirmationUrl = ({ environment, signer }: LinkContext, alertId: string, requestedAt: Date): string =>
	absoluteUrl(environment.baseUrl, "/alertes/confirmer/:token", { token: confirmationToken.sign(signer, alertId, requestedAt) });

export const alertsUrl = ({ environment, signer, now }: LinkContext & Pick<Context, "now">, followerId: string): string =>
	absoluteUrl(environment.baseUrl, "/alertes/:token", { token: alertsToken.sign(signer, followerId, now()) });

export const endAlertUrl = ({ environment, signer }: LinkContext, alertId: string): string =>
	absoluteUrl(environment.baseUrl, "/alertes/fin/:token", { token: signer.sign(endAlertPurpose, alertId) });

export const endAllUrl = ({ environment, signer }: LinkContext, followerId: string): string =>
	absoluteUrl(environment.baseUrl, "/alertes/desinscription/:token", { token: signer.sign(endAllPurpose, followerId) });

/** @returns the id of the alert, or null when the token is invalid. */
export const parseEndAlertToken = ({ signer }: Pick<Context, "signer">, token: string): string | null =>
	signer.verify(endAlertPurpose, token);

/** @returns the id of the mailbox, or null when the token is invalid. */
export const parseEndAllToken = ({ signer }: Pick<Context, "signer">, token: string): string | null => signer.verify(endAllPurpose, token);
