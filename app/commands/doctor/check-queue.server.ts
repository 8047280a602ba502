import { sql } from "kysely";
import { isScheduleRead, readDueJobs, readJobProcesses } from "../../../server/jobs.ts";
import { type Check, createResult, formatCount } from "./check.ts";

/** Jobs of low priority (below 0, see server/jobs.ts) do not count. */
export const queueChecks: Check[] = [
	{
		name: "failed-jobs",
		what: "Failed jobs",
		how: "no job failed at every attempt within a day",
		todo: "Search for « a job failed » in the log and fix the cause; the shop resumes the orders within two minutes.",
		async examine({ db }) {
			const { rows } = await sql<{ name: string; n: number }>`
				select name, count(*)::integer as n from jobs.job where state = 'failed' group by name order by name`.execute(db);
			return createResult("none", ...rows.map(({ name, n }) => `${name}: ${formatCount(n, "failed job")}.`));
		},
	},
	{
		name: "queue",
		what: "Job queue",
		how: "no due job has waited for more than ten minutes",
		todo: "Start another jobs process (npm run jobs), or find out what blocks the running ones.",
		async examine({ db }) {
			const { due, minutes } = await readDueJobs(db);
			const seen = formatCount(due, "due job");
			return (minutes ?? 0) >= 10 ? createResult(seen, `${seen}; the oldest has waited for ${minutes} minutes.`) : createResult(seen);
		},
	},
	{
		name: "job-processes",
		what: "Jobs processes",
		how: "at least one wrote a heartbeat in the last thirty seconds",
		todo: "Start one: npm run jobs (npm start does so, too).",
		async examine({ db }) {
			const { processes } = await readJobProcesses(db);
			return createResult(formatCount(processes, "process", "processes"), ...(processes === 0 ? ["No process does the jobs."] : []));
		},
	},
	{
		name: "schedule",
		what: "Scheduled jobs",
		how: "the schedules were looked at within two minutes, as every five seconds",
		todo: "Restart the jobs process, and look at the clocks (docs/operations.md, ScheduleStopped).",
		async examine({ db }) {
			const { scheduleAge } = await readJobProcesses(db);
			if (scheduleAge === null) return createResult("never looked at");
			const seen = `looked at ${formatCount(Math.round(scheduleAge), "second")} ago`;
			return isScheduleRead(scheduleAge) ? createResult(seen) : createResult(seen, `The schedules were ${seen}.`);
		},
	},
];
