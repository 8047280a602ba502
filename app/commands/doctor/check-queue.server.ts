import { sql } from "kysely";
import { day } from "../../../server/durations.ts";
import { maxCompaniesDays, maxFailedRuns, maxProbeMinutes, maxWaitMinutes } from "../../../server/health-limits.ts";
import { isScheduleRead, readDueJobs, readJobProcesses } from "../../../server/jobs.ts";
import { frequentKinds } from "../../job-kinds.ts";
import { type Check, createResult, formatCount, skipCheck } from "./check.ts";

/** Jobs of low priority (below 0, see server/jobs.ts) do not count. */
export const queueChecks: Check[] = [
	{
		name: "failed-jobs",
		what: "Failed jobs",
		how: `no job failed at every attempt within a day; of those that run every few minutes, ${maxFailedRuns} at most`,
		todo: "Search for « a job failed » in the log and fix the cause; the shop resumes the orders within two minutes.",
		async examine({ db }) {
			const { rows } = await sql<{ name: string; failed: number; last: string; fault: string | null }>`
				select name, count(*)::integer as failed, to_char(max(completed_on) at time zone 'Europe/Paris', 'YYYY-MM-DD HH24:MI') as last,
					(array_agg(output->>'fault' order by completed_on desc nulls last))[1] as fault
				from jobs.job where state = 'failed' group by name order by name`.execute(db);
			const grave = rows.filter(({ name, failed }) => failed > (frequentKinds.includes(name) ? maxFailedRuns : 0));
			const seen = rows.map(({ name, failed }) => `${name} ${failed}`).join(", ");
			return createResult(
				seen === "" ? "none" : seen,
				...grave.map(
					({ name, failed, last, fault }) =>
						`${name}: ${formatCount(failed, "failed job")}, the last on ${last} (${fault ?? "it ran out of time"}).`,
				),
			);
		},
	},
	{
		name: "queue",
		what: "Job queue",
		how: `no due job has waited for ${maxWaitMinutes} minutes`,
		todo: "Start another jobs process (npm run jobs), or find out what blocks the running ones.",
		async examine({ db }) {
			const { due, minutes } = await readDueJobs(db);
			const seen = formatCount(due, "due job");
			return (minutes ?? 0) >= maxWaitMinutes
				? createResult(seen, `${seen}; the oldest has waited for ${minutes} minutes.`)
				: createResult(seen);
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
	{
		name: "probes",
		what: "Probes of the parts",
		how: `written within ${maxProbeMinutes} minutes, as every five minutes`,
		todo: "Find out why the job measure-parts does not run (docs/operations.md, PartsNotAsked).",
		async examine({ db, now }) {
			const { rows } = await sql<{ at: Date | null }>`select max(at) as at from probes`.execute(db);
			const at = rows[0]?.at;
			if (!at) return skipCheck("none yet");
			const minutes = Math.floor((now().getTime() - at.getTime()) / 60_000);
			const seen = `${formatCount(Math.max(0, minutes), "minute")} old`;
			return createResult(seen, ...(minutes > maxProbeMinutes ? [`The last probes are ${seen}.`] : []));
		},
	},
	{
		name: "companies-age",
		what: "Update of the companies",
		how: `within ${maxCompaniesDays} days, as every day`,
		todo: "Run npm run companies:update and read its output.",
		async examine({ db, now, environment }) {
			if (!environment.production) return skipCheck("demo, sample");
			const { rows } = await sql<{ at: Date }>`select imported_at as at from company_sources where name = 'sirene'`.execute(db);
			const at = rows[0]?.at;
			if (!at) return skipCheck("none from SIRENE");
			const age = (now().getTime() - at.getTime()) / day;
			const seen = `${formatCount(Math.max(0, Math.floor(age)), "day")} old`;
			return createResult(seen, ...(age > maxCompaniesDays ? [`The companies are ${seen}.`] : []));
		},
	},
];
