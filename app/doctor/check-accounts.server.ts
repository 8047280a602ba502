import { createHash } from "node:crypto";
import { sql } from "kysely";
import { day } from "../../server/durations.ts";
import { type Check, createResult, formatCount, skipCheck } from "./check.ts";

/** Days after which the nightly update of the accounts counts as missing. */
const maxUpdateAgeDays = 2;

/** The files of a closed month, as app/accounts stores them. */
interface ClosedFile {
	month: string;
	name: string;
	object: string;
	sha256: string;
}

export const accountChecks: Check[] = [
	{
		name: "closed-months",
		what: "Files of closed months",
		how: "each is in the storage, with the content that it had at the closing",
		todo: "Put the object back from the storage's backup; its name has the hash. Do not close the month again.",
		async examine({ db, storage }) {
			const { rows } = await sql<ClosedFile>`
				select to_char(month, 'YYYY-MM') as month, file->>'name' as name, file->>'object' as object, file->>'sha256' as sha256
				from account_closings cross join jsonb_array_elements(files) file order by month, name`.execute(db);
			const problems: string[] = [];
			for (const { month, name, object, sha256 } of rows) {
				const bytes = await storage.findObject(object);
				if (bytes === null) problems.push(`${name} of ${month} is missing (${object}).`);
				else if (createHash("sha256").update(bytes).digest("hex") !== sha256) problems.push(`${name} of ${month} is altered (${object}).`);
			}
			return createResult(formatCount(rows.length, "file"), ...problems);
		},
	},
	{
		name: "balance-read",
		what: "Balance at the payment provider",
		how: `it was read within ${maxUpdateAgeDays} days, so that fees and payouts are booked`,
		todo: "Type npm run accounts -- update. If the provider refuses, give its key read access to balance transactions and payouts.",
		async examine({ db, now }) {
			const oldest = new Date(now().getTime() - maxUpdateAgeDays * day);
			const { rows } = await sql<{ until: Date | null; isDue: boolean }>`
				select (select max(until) from provider_readings) as until,
					exists (select from payments where created_at < ${oldest}) as "isDue"`.execute(db);
			const { until = null, isDue = false } = rows[0] ?? {};
			if (!isDue) return skipCheck("no payment is that old");
			if (until !== null && until >= oldest) return createResult(`read until ${until.toISOString()}`);
			return createResult("not read", until === null ? "It was never read." : `It was last read until ${until.toISOString()}.`);
		},
	},
];
