// Rules that involve several variables: in the demo, in production, and for variables that need each other.
import { typedEntries } from "../types/objects.ts";
import { checkMonths, isCheckTooOld } from "./dated-checks.ts";
import { placeholderIdentity } from "./shop-identity.ts";
import { examples, type Variables } from "./variables.ts";

/** Whether Stripe would charge real money. */
export const isLiveKey = (v: Variables) => /^(sk|rk)_live_/.test(v.STRIPE_SECRET_KEY ?? "");

/** A demo never charges anybody. */
export function findDemoProblems(v: Variables): string[] {
	return isLiveKey(v) ? ["STRIPE_SECRET_KEY is a live key outside production: nobody may pay for a specimen. Example: sk_test_…"] : [];
}

/** A real shop may use the demo's name and hours, but must set them explicitly. */
const sharedWithDemo = { SHOP_NAME: "every page bears it", SHOP_SUPPORT_HOURS: "every page promises it" } as const;

/** Returns the settings with which, or without which, production does not start. */
export function findProductionProblems(
	v: Variables,
	baseUrl: string,
	{ given, now }: { given: Record<string, string | undefined>; now: Date },
): string[] {
	return [
		...typedEntries(placeholderIdentity)
			.filter(([name, value]) => v[name] === value && !(name in sharedWithDemo))
			.map(([name, value]) => `${name} still holds its placeholder « ${value} »: set the real one.`),
		...typedEntries(sharedWithDemo)
			.filter(([name]) => !given[name])
			.map(([name, reason]) => `${name} is not set: ${reason}. Example: ${placeholderIdentity[name]}`),
		...(v.SHOP_LEGAL_ENTITY !== placeholderIdentity.SHOP_LEGAL_ENTITY && !namesFormAndCapital(v.SHOP_LEGAL_ENTITY)
			? [
					`SHOP_LEGAL_ENTITY names no legal form with its capital, nor a sole trader (C. com. art. R123-238). Example: ${examples.SHOP_LEGAL_ENTITY}`,
				]
			: []),
		...findPriceProblems(v, now),
		...(v.SHOP_BACKUPS
			? []
			: [
					`SHOP_BACKUPS is not set: the privacy policy says how backups are stored and when they are deleted. Example: ${examples.SHOP_BACKUPS}`,
				]),
		...(v.STRIPE_SECRET_KEY ? [] : ["STRIPE_SECRET_KEY is not set: production does not take sandbox payments. Example: sk_live_…"]),
		...(v.STRIPE_SECRET_KEY && !isLiveKey(v) && !v.STRIPE_API_BASE
			? ["STRIPE_SECRET_KEY is a test key: anybody could order with a test card. Example: sk_live_…"]
			: []),
		...(v.ISSUER === "manual"
			? []
			: ["ISSUER is not « manual »: production does not sell the specimen issuer’s specimens. Example: manual"]),
		...(v.READ_LIMITS === null ? [`READ_LIMITS is off: anybody could take all of the processor. Example: ${examples.READ_LIMITS}`] : []),
		...(v.PASSWORD_HASHING === "fast"
			? [`PASSWORD_HASHING is fast: a stolen hash would be guessed quickly. Example: ${examples.PASSWORD_HASHING}`]
			: []),
		...(v.SMTP_URL ? [] : [`SMTP_URL is not set: production must send its mails. Example: ${examples.SMTP_URL}`]),
		...(v.APP_SECRET.length > 0 ? [] : [`APP_SECRET is not set: it signs links and cookies. Example: ${examples.APP_SECRET}`]),
		...(v.ORDER_LIMITS === null
			? [`ORDER_LIMITS is off: production limits how often anybody may order. Example: ${examples.ORDER_LIMITS}`]
			: []),
		...(baseUrl.startsWith("https://") ? [] : [`BASE_URL is not https: ${baseUrl}. Example: ${examples.BASE_URL}`]),
	];
}

/** « Extraits & Cie, SAS au capital de 1 000 € », « Marie Martin, entrepreneur individuel (EI) » */
function namesFormAndCapital(legalEntity: string): boolean {
	if (/(^|[^\p{L}])(EI|entrepreneure? individuelle?)([^\p{L}]|$)/u.test(legalEntity)) return true;
	const form = /(^|[^\p{L}])(SA|SAS|SASU|SARL|EURL|SNC|SCA|SCS|SELARL|SELAS|société)([^\p{L}]|$)/u;
	return form.test(legalEntity) && /capital (variable )?(de|minimum de) \d/.test(legalEntity);
}

/** A comparison with the greffe's price must be current (C. conso. art. L122-1). */
function findPriceProblems(v: Variables, now: Date): string[] {
	const example = `Example: ${examples.OFFICIAL_PRICE_CHECKED}`;
	if (v.OFFICIAL_PRICE_CHECKED === undefined)
		return [`OFFICIAL_PRICE_CHECKED is not set: the day on which you compared OFFICIAL_PRICE_CENTS with its source. ${example}`];
	if (!isCheckTooOld(v.OFFICIAL_PRICE_CHECKED, now)) return [];
	return [
		`OFFICIAL_PRICE_CHECKED is ${v.OFFICIAL_PRICE_CHECKED}: compare OFFICIAL_PRICE_CENTS with its source again, every ${checkMonths} months, and set the day. ${example}`,
	];
}

/** The first setting of each pair needs the second. */
const requiredTogether = [
	["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "whsec_…, shown beside the webhook in Stripe’s dashboard"],
	["STRIPE_WEBHOOK_SECRET", "STRIPE_SECRET_KEY", "sk_test_…"],
	["STRIPE_API_BASE", "STRIPE_SECRET_KEY", "sk_test_…"],
	["S3_BUCKET", "S3_ACCESS_KEY_ID", "the identifier of a key that may read and write the bucket"],
	["S3_BUCKET", "S3_SECRET_ACCESS_KEY", "the secret of that key"],
	["S3_ENDPOINT", "S3_BUCKET", "extraits"],
	["S3_ACCESS_KEY_ID", "S3_BUCKET", "extraits"],
	["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "the private key of: npx web-push generate-vapid-keys"],
	["VAPID_PRIVATE_KEY", "VAPID_PUBLIC_KEY", "the public key of: npx web-push generate-vapid-keys"],
] as const;

/** The shop refuses to start rather than ignore a setting silently. */
export function findMissingSettings(v: Variables): string[] {
	const missing = requiredTogether.filter(([set, needed]) => v[set] && !v[needed]);
	// one sentence per missing variable, even if two settings need it
	return missing
		.filter(([, needed], i) => missing.findIndex((other) => other[1] === needed) === i)
		.map(([set, needed, example]) => `${needed} is not set, and ${set} needs it. Example: ${example}`);
}
