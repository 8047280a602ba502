// What each variable must be beside the others: in the demo, in production, and where one is of no use without another.
import { typedEntries } from "../types/objects.ts";
import { placeholderIdentity } from "./shop-identity.ts";
import { examples, type Variables } from "./variables.ts";

/** Whether Stripe would take real money. */
export const isLiveKey = (v: Variables) => /^(sk|rk)_live_/.test(v.STRIPE_SECRET_KEY ?? "");

/** A demo takes nobody's money and pretends nothing: see docs/decisions. */
export function refusedInDemo(v: Variables): string[] {
	return isLiveKey(v) ? ["STRIPE_SECRET_KEY is a live key outside production: nobody may pay for a specimen. Example: sk_test_…"] : [];
}

/** A real shop may have the demo's name and hours, but must say so. The legal identity beside them proves that somebody filled it in. */
const sharedWithDemo = { SHOP_NAME: "every page bears it", SHOP_SUPPORT_HOURS: "every page promises it" } as const;

/** What production does not start without or with. */
export function refusedInProduction(v: Variables, baseUrl: string, given: Record<string, string | undefined>): string[] {
	return [
		...typedEntries(placeholderIdentity)
			.filter(([name, value]) => v[name] === value && !(name in sharedWithDemo))
			.map(([name, value]) => `${name} still holds its placeholder « ${value} »: set the real one.`),
		...typedEntries(sharedWithDemo)
			.filter(([name]) => !given[name])
			.map(([name, why]) => `${name} is not set: ${why}. Example: ${placeholderIdentity[name]}`),
		...(v.STRIPE_SECRET_KEY ? [] : ["STRIPE_SECRET_KEY is not set: production does not take sandbox payments. Example: sk_live_…"]),
		...(v.STRIPE_SECRET_KEY && !isLiveKey(v) && !v.STRIPE_API_BASE
			? ["STRIPE_SECRET_KEY is a test key: anybody could order with a test card. Example: sk_live_…"]
			: []),
		...(v.ISSUER === "manual"
			? []
			: ["ISSUER is not « manual »: production does not sell the specimen issuer’s specimens. Example: manual"]),
		...(v.READ_LIMITS?.trim() === "off"
			? [`READ_LIMITS is off: anybody could take all of the processor. Example: ${examples.READ_LIMITS}`]
			: []),
		...(v.SMTP_URL ? [] : [`SMTP_URL is not set: production must send its mails. Example: ${examples.SMTP_URL}`]),
		...(v.APP_SECRET ? [] : [`APP_SECRET is not set: it signs links and cookies. Example: ${examples.APP_SECRET}`]),
		...(v.ORDER_LIMITS?.trim() === "off"
			? [`ORDER_LIMITS is off: production limits how often anybody may order. Example: ${examples.ORDER_LIMITS}`]
			: []),
		...(baseUrl.startsWith("https://") ? [] : [`BASE_URL is not https: ${baseUrl}. Example: ${examples.BASE_URL}`]),
	];
}

/** Settings that mean nothing, or something else than was meant, without another one. */
const together = [
	["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "whsec_…, shown beside the webhook in Stripe’s dashboard"],
	["STRIPE_WEBHOOK_SECRET", "STRIPE_SECRET_KEY", "sk_test_…"],
	["STRIPE_API_BASE", "STRIPE_SECRET_KEY", "sk_test_…"],
	["S3_BUCKET", "S3_ACCESS_KEY_ID", "the identifier of a key that may read and write the bucket"],
	["S3_BUCKET", "S3_SECRET_ACCESS_KEY", "the secret of that key"],
	["S3_ENDPOINT", "S3_BUCKET", "extraits"],
	["S3_ACCESS_KEY_ID", "S3_BUCKET", "extraits"],
] as const;

/** Better a start refused than a setting silently ignored. */
export function incomplete(v: Variables): string[] {
	const missing = together.filter(([set, needed]) => v[set] && !v[needed]);
	// one sentence for each missing variable, whatever needs it
	return missing
		.filter(([, needed], i) => missing.findIndex((other) => other[1] === needed) === i)
		.map(([set, needed, example]) => `${needed} is not set, and ${set} needs it. Example: ${example}`);
}
