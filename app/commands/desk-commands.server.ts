import { parseArgs } from "node:util";
import type { Context } from "../../server/runtime.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { closeAccess } from "../desk/access/end-access.server.ts";
import { cancelInvitation, listOpenInvitations } from "../desk/operators/invitations.store.server.ts";
import { inviteOperator, isNameTaken } from "../desk/operators/invite-operator.server.ts";
import { findOperatorByEmail, listOperators } from "../desk/operators/operators.store.server.ts";
import { parseRoles, roleSets, roles } from "../desk/operators/roles.ts";
import { describeReleased, operatorRefusals } from "../desk/people/operator-sentences.ts";
import { isEmail } from "../mail/email-address.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { alignColumns } from "./columns.ts";
import { asksForHelp, type CommandResult, done, refuse } from "./command.ts";
import { asOption, getOperatorName, runRecordedCommand } from "./run-recorded-command.server.ts";

const commandLine = "npm run desk --";

interface Verb {
	usage: string;
	description: string;
	run(context: Context, args: string[], options: { name?: string; roles?: string; who: string }): Promise<CommandResult>;
}

/** The commands that open and close the desk to people. */
const verbs: Record<string, Verb> = {
	invite: {
		usage: 'invite <e-mail> --name "Prénom Nom" --roles operator|accountant|manager|serve,refund,…',
		description: `invite une personne au bureau ; rôles : ${roles.join(", ")}, ou operator (${roleSets.operator?.join(", ")}), ou accountant (${roleSets.accountant?.join(", ")}), ou manager (tous)`,
		async run(context, [email = ""], { name = "", roles: typed = "", who }) {
			if (!isEmail(email)) return refuse("Cette adresse e-mail n’est pas valable.");
			if (name.trim() === "" || name.length > 100) return refuse('Donnez le nom de la personne : --name "Prénom Nom".');
			const parsed = parseRoles(typed);
			if (parsed === null) return refuse(`Donnez ses rôles : --roles ${roles.join(",")}, ou operator, ou accountant, ou manager.`);
			if (await isNameTaken(context, { email, name }))
				return refuse("Une personne de l’équipe porte déjà ce nom : donnez-en un qui les distingue.");
			const url = await inviteOperator(context, { email, name: name.trim(), roles: parsed, invitedBy: who });
			return done(`L’invitation part par e-mail. Elle sert une fois, pendant 48 heures :\n${url}`);
		},
	},
	list: {
		usage: "list",
		description: "les personnes qui ont accès au bureau, et les invitations qui attendent",
		async run({ db, now }) {
			const people = (await listOperators(db)).map(({ name, email, roles: granted, leftAt }) => [
				name,
				email,
				leftAt ? `accès fermé le ${formatInstant(leftAt)}` : granted.join(", "),
			]);
			const invitations = (await listOpenInvitations(db, now())).map(({ name, email, roles: offered, expires_at }) => [
				name,
				email,
				`${offered.join(", ")} ; invitation ouverte jusqu’au ${formatInstant(expires_at)}`,
			]);
			const rows = [...people, ...invitations];
			return done(rows.length === 0 ? "Personne n’a accès au bureau, et aucune invitation n’attend." : alignColumns(rows));
		},
	},
	end: {
		usage: "end <e-mail>",
		description: "ferme l’accès d’une personne : invitation, sessions, mot de passe, second facteur",
		async run(context, [typed = ""]) {
			const email = normalizeEmail(typed);
			const operator = await findOperatorByEmail(context.db, email);
			if (operator === null || operator.leftAt !== null) {
				const invitation = (await listOpenInvitations(context.db, context.now())).find((open) => open.email === email);
				const cancelled = invitation && (await cancelInvitation(context.db, invitation.id, context.now()));
				return cancelled ? done("L’invitation est annulée.") : refuse("Cette personne n’a ni accès ni invitation.");
			}
			const outcome = await closeAccess(context, operator.id);
			if (!outcome.ok) return refuse(operatorRefusals[outcome.code]);
			return done(`L’accès est fermé, et ses sessions sont terminées.${describeReleased(outcome)}`);
		},
	},
};

export const usage = `Usage : ${commandLine} <verbe> …\n\n${Object.values(verbs)
	.map((verb) => `  ${verb.usage}\n      ${verb.description}`)
	.join("\n")}`;

/** Runs and records a command of `npm run desk`. */
export async function runDeskCommand(context: Context, [name = "", ...rest]: readonly string[]): Promise<CommandResult> {
	const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
	if (verb === undefined) return refuse(usage);
	if (asksForHelp(rest)) return done(`Usage : ${commandLine} ${verb.usage}\n      ${verb.description}`);
	const parsed = parse(rest);
	if (parsed === null) return refuse(`Usage : ${commandLine} ${verb.usage}`);
	const who = getOperatorName(parsed.options.as);
	return runRecordedCommand(context, { verb: `desk ${name}`, subject: null, who }, () =>
		verb.run(context, parsed.args, { ...parsed.options, who }),
	);
}

function parse(rest: string[]) {
	try {
		const { values, positionals } = parseArgs({
			args: rest,
			options: { name: { type: "string" }, roles: { type: "string" }, ...asOption },
			allowPositionals: true,
			strict: true,
		});
		return { args: positionals, options: values };
	} catch {
		return null; // an unknown option, or one without its value
	}
}
