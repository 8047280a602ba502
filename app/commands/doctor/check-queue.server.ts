import { sql } from "kysely";
import { readDueJobs } from "../../../server/jobs.ts";
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
			const { rows } = await sql<{ alive: number }>`
				select count(*)::integer as alive from job_processes where seen_at > now() - interval '30 seconds'`.execute(db);
			const alive = rows[0]?.alive ?? 0;
			return createResult(formatCount(alive, "process", "processes"), ...(alive === 0 ? ["No process does the jobs."] : []));
		},
	},
];
