import { sql } from "kysely";
import { type Check, count, found } from "./check.ts";

/** pg-boss's priority of what may wait is below 0: see server/jobs.ts. */
export const queueChecks: Check[] = [
	{
		name: "failed-jobs",
		what: "Tâches abandonnées",
		how: "celles qui ont échoué à chaque essai, depuis un jour",
		todo: "Cherchez «\u00a0a job failed\u00a0» dans le journal, réparez la cause\u00a0; les commandes sont reprises d’elles-mêmes dans les deux minutes.",
		async examine({ db }) {
			const { rows } = await sql<{ name: string; n: number }>`
				select name, count(*)::integer as n from jobs.job where state = 'failed' group by name order by name`.execute(db);
			return found("aucune", ...rows.map(({ name, n }) => `${name}\u00a0: ${count(n, "tâche abandonnée", "tâches abandonnées")}.`));
		},
	},
	{
		name: "queue",
		what: "File des tâches",
		how: "aucune tâche prête n’attend depuis plus de dix minutes",
		todo: "Démarrez un processus de tâches de plus (npm run jobs), ou cherchez ce qui retient ceux qui tournent.",
		async examine({ db }) {
			const { rows } = await sql<{ n: number; minutes: number | null }>`
				select count(*)::integer as n, floor(extract(epoch from now() - min(start_after)) / 60)::integer as minutes from jobs.job
				where state < 'active' and not blocked and priority > -1 and start_after < now()`.execute(db);
			const { n = 0, minutes = null } = rows[0] ?? {};
			const seen = count(n, "tâche prête", "tâches prêtes");
			return (minutes ?? 0) >= 10 ? found(seen, `${seen}, la plus ancienne depuis ${minutes} minutes.`) : found(seen);
		},
	},
	{
		name: "job-processes",
		what: "Processus de tâches",
		how: "au moins un a donné signe de vie dans les trente dernières secondes",
		todo: "Démarrez-en un\u00a0: npm run jobs (npm start le fait aussi).",
		async examine({ db }) {
			const { rows } = await sql<{ alive: number }>`
				select count(*)::integer as alive from job_processes where seen_at > now() - interval '30 seconds'`.execute(db);
			const alive = rows[0]?.alive ?? 0;
			return found(count(alive, "processus", "processus"), ...(alive === 0 ? ["Aucun processus ne fait les tâches."] : []));
		},
	},
];
