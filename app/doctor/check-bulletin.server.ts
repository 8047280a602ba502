import { findBulletinReading } from "../bulletin/bulletin.server.ts";
import { countDaysSince, maxDelayDays } from "../bulletin/bulletin-source.ts";
import { type Check, createResult, formatCount, skipCheck } from "./check.ts";

export const bulletinChecks: Check[] = [
	{
		name: "bulletin",
		what: "Notices of the bulletin",
		how: `once days of it were read, the last one is at most ${maxDelayDays} days old`,
		todo: "Run npm run companies:notices and read its output; look whether its timer runs.",
		async examine({ db, now }) {
			const reading = await findBulletinReading(db);
			if (!reading?.covered) return skipCheck(reading ? "only single notices were read" : "never read");
			const { to } = reading.covered;
			const days = countDaysSince(to, now());
			const problem = `The bulletin was read up to ${to}, ${formatCount(days, "day")} ago.`;
			return createResult(`read up to ${to}`, ...(days > maxDelayDays ? [problem] : []));
		},
	},
];
