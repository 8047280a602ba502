import { findBulletinReading } from "../bulletin/bulletin.server.ts";
import { type Check, createResult, formatCount, skipCheck } from "./check.ts";

const dayMs = 86_400_000;
/** Days. No day counts before an issue is there: after a holiday on Monday, the last one is of Friday. */
const maxAgeDays = 4;

export const bulletinChecks: Check[] = [
	{
		name: "bulletin",
		what: "Notices of the bulletin",
		how: `once days of it were read, the last one is at most ${maxAgeDays} days old`,
		todo: "Run npm run companies:notices and read its output; look whether its timer runs.",
		async examine({ db, now }) {
			const reading = await findBulletinReading(db);
			if (!reading?.covered) return skipCheck(reading ? "only single notices were read" : "never read");
			const { to } = reading.covered;
			const days = Math.floor((now().getTime() - Date.parse(to)) / dayMs);
			const problem = `The bulletin was read up to ${to}, ${formatCount(days, "day")} ago.`;
			return createResult(`read up to ${to}`, ...(days > maxAgeDays ? [problem] : []));
		},
	},
];
