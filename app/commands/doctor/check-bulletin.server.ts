import { maxDelayDays } from "../../companies/bulletin/bulletin-source.ts";
import { findBulletinState } from "../../companies/bulletin/find-bulletin-state.server.ts";
import { type Check, createResult, formatCount, skipCheck } from "./check.ts";

export const bulletinChecks: Check[] = [
	{
		name: "bulletin",
		what: "Notices of the bulletin",
		how: `the shop reads them every day, and the last day that was read whole is at most ${maxDelayDays} days old`,
		todo: "Switch the reading on at the desk, in its settings; the log says why a reading stopped. Until then pages promise neither the watch of extracts nor alerts.",
		async examine({ db, environment, now }) {
			const bulletin = await findBulletinState(db, now());
			if (bulletin.state === "off")
				return environment.production
					? createResult("never read", "The reading of the bulletin is switched off.")
					: skipCheck("switched off");
			if (bulletin.state === "never") return createResult("never read", "The bulletin was never read whole.");
			const { readUntil, days } = bulletin;
			const problem = `The bulletin was read up to ${readUntil}, ${formatCount(days, "day")} ago.`;
			return createResult(`read up to ${readUntil}`, ...(bulletin.state === "late" ? [problem] : []));
		},
	},
];
