import type pg from "pg";

/** The statements of pg-boss 12 compare each stamp with the database's clock: one that lies in the future stops its work until then. */
const statements = [
	"update jobs.version set cron_on = null where cron_on > now() + interval '1 minute'",
	`update jobs.queue set maintain_on = null where maintain_on > now() + interval '1 minute'`,
	`update jobs.queue set monitor_claim_on = null, monitor_on = null where coalesce(monitor_claim_on, monitor_on) > now() + interval '1 minute'`,
	// the minutes of a schedule that were sent in advance would not be sent again
	`delete from jobs.job where name = '__pgboss__send-it' and singleton_on > now() at time zone 'UTC' + interval '1 minute'`,
	// jobs that were to start at once, or again
	`update jobs.job set start_after = now() where state < 'active' and created_on > now() + interval '1 minute' and start_after <= created_on`,
	`update jobs.job set start_after = now() where state = 'retry' and start_after > now() + interval '10 minutes'`,
	"update jobs.job set heartbeat_on = now() where state = 'active' and heartbeat_on > now() + interval '1 minute'",
	"delete from job_processes where seen_at > now() + interval '1 minute'",
];

/**
 * Removes the stamps in the future that are left in the database when its machine's clock was set back. Without this, nothing scheduled
 * runs until the old time comes again, also after a restart.
 * @returns false when no stamp lay in the future.
 */
export async function clearFutureStamps(pool: pg.Pool): Promise<boolean> {
	// the schedule is stamped every five seconds: after a step back it tells first
	const { rows } = await pool.query<{ stepped: boolean }>(
		`select exists (select from jobs.version where cron_on > now() + interval '1 minute')
			or exists (select from job_processes where seen_at > now() + interval '1 minute') as stepped`,
	);
	if (rows[0]?.stepped !== true) return false;
	for (const statement of statements) await pool.query(statement);
	return true;
}
