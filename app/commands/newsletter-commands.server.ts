import { parseArgs } from "node:util";
import type { Context } from "../../server/runtime.ts";
import { formatDay, formatStamp } from "../catalogue/instants.ts";
import { countAlerts } from "../companies/alerts/alerts.store.server.ts";
import { listIssues } from "../emails/newsletter/issues.store.server.ts";
import { queueIssue, queueTestCopy } from "../emails/newsletter/queue-issue.server.ts";
import { readIssue } from "../emails/newsletter/read-issue.ts";
import { countSubscriptions } from "../emails/newsletter/subscriptions.store.server.ts";
import { isEmail } from "../mail/email-address.ts";
import { alignColumns, formatSection } from "./columns.ts";
import { type CommandCall, type CommandResult, done, refuse } from "./command.ts";
import { readNamedFile } from "./read-named-file.server.ts";
import { asOption, getOperatorName, runRecordedCommand } from "./run-recorded-command.server.ts";

type NewsletterContext = Context & Pick<CommandCall, "readInput">;

export const usage = `Usage : npm run newsletter -- <verbe> …

  send <lettre.md> --to <e-mail>
      une copie pour relecture, à cette adresse seulement
  send <lettre.md>
      à tous ceux qui ont confirmé leur inscription, une fois chacun ; une lettre par mois au plus
  list
      combien sont inscrits, combien suivent des entreprises, et les lettres envoyées

Écrivez « - » à la place du fichier pour lire la lettre sur l’entrée standard. La lettre est en Markdown : « # Son objet », puis des titres, des paragraphes, des listes, des citations et des liens.
L’adresse de désinscription est ajoutée à la fin. Chaque verbe est noté au journal, avec --as <nom> ou l’utilisateur du système.`;

/** Runs and records a newsletter command. @returns the text for the terminal, also for a refusal or wrong usage. */
export async function runNewsletterCommand(context: NewsletterContext, args: readonly string[]): Promise<CommandResult> {
	const parsed = parse(args);
	const [name, ...rest] = parsed?.args ?? [];
	const [file] = rest;
	const record = { verb: `newsletter ${name}`, subject: null, who: getOperatorName(parsed?.as) };
	if (name === "list" && file === undefined && parsed?.to === undefined) return runRecordedCommand(context, record, () => list(context));
	if (name === "send" && rest.length === 1 && file !== undefined)
		return runRecordedCommand(context, record, () => send(context, file, parsed?.to));
	return refuse(usage);
}

function parse(args: readonly string[]): { args: string[]; to: string | undefined; as: string | undefined } | null {
	try {
		const { values, positionals } = parseArgs({
			args: [...args],
			options: { to: { type: "string" }, ...asOption },
			allowPositionals: true,
			strict: true,
		});
		return { args: positionals, to: values.to, as: values.as };
	} catch {
		return null; // an unknown option, or one without its value
	}
}

async function send(context: NewsletterContext, file: string, to: string | undefined): Promise<CommandResult> {
	const input = await readNamedFile(context, file);
	if (!input.ok) return input;
	const content = new TextDecoder().decode(input.bytes);
	const issue = readIssue(content, context.environment.baseUrl);
	if (!issue.ok) return refuse([...issue.problems, "Rien n’est envoyé."].join("\n"));
	if (to !== undefined) {
		if (!isEmail(to)) return refuse("Cette adresse e-mail n’est pas valide.");
		await queueTestCopy(context, content, to);
		return done(`Une copie de « ${issue.email.subject} » part à ${to}. Personne d’autre ne la reçoit.`);
	}
	const outcome = await queueIssue(context, issue);
	if (!outcome.ok) {
		const { subject, created_at } = outcome.existing;
		return refuse(
			`« ${subject} » est partie le ${formatDay(created_at)}, et les pages promettent une lettre par mois au plus. Rien n’est envoyé.`,
		);
	}
	const { queued } = outcome;
	return queued === 0
		? refuse(`« ${issue.email.subject} » ne part à personne : aucun inscrit qui ne l’ait déjà reçue ou ne l’attende.`)
		: done(`« ${issue.email.subject} » part à ${queued} inscrit${queued > 1 ? "s" : ""}. Pour suivre : npm run newsletter -- list`);
}

async function list({ db }: NewsletterContext): Promise<CommandResult> {
	const { asked, confirmed, ended } = await countSubscriptions(db);
	const alerts = await countAlerts(db);
	const issues = await listIssues(db);
	const counts = alignColumns([
		["À confirmer :", String(asked)],
		["Inscrits :", String(confirmed)],
		["Terminées :", String(ended)],
		["Alertes sur des entreprises :", `${alerts.companies} suivies par ${alerts.mailboxes} adresses ; à confirmer : ${alerts.asked}`],
	]);
	const rows = issues.map(({ subject, created_at, sent, waiting, refused }) => [
		formatStamp(created_at),
		subject,
		`envoyées : ${sent}`,
		`en attente : ${waiting}`,
		`refusées : ${refused}`,
	]);
	return done([counts, formatSection("Lettres", rows)].filter((part) => part !== "").join("\n\n"));
}
