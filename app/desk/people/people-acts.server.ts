import { maskEmail } from "../../mail/email-address.ts";
import { closeAccess, endAccess } from "../access/end-access.server.ts";
import { defineAct, refuse } from "../acts/act.ts";
import { email, type FieldParser, id, refuseField, text, value } from "../acts/fields.ts";
import { changeRoles } from "../operators/end-operator.server.ts";
import { cancelInvitation } from "../operators/invitations.store.server.ts";
import { inviteOperator, isNameTaken } from "../operators/invite-operator.server.ts";
import { invitingRole, isRole, type Role, roleLabels, roles } from "../operators/roles.ts";
import { describeReleased, operatorRefusals } from "./operator-sentences.ts";

const person = id("Cette personne n’existe pas.");

/** The roles ticked in a form: fields « role-serve », « role-refund » … */
const granted: FieldParser<Role[]> = (_, sent) => value(roles.filter((role) => sent[`role-${role}`] !== undefined));

/** In characters. */
const maxNameLength = 100;

const formatRoles = (given: readonly Role[]) => given.join(", ");

const rolesChange = {
	name: "Rôles",
	format: (list: string | number) =>
		String(list)
			.split(", ")
			.map((role) => (isRole(role) ? roleLabels[role].toLowerCase() : role))
			.join(", "),
};

const released = { orders: "Commandes rendues", messages: "Messages rendus" };
const ended = { person: "Personne", undone: "Actions annulées", devices: "Appareils", ...released };

/** Who may use the desk. */
export const peopleActs = [
	defineAct({
		name: "invite",
		role: invitingRole,
		label: "Inviter une personne",
		fields: {
			name: text("Donnez le nom de la personne.", maxNameLength),
			email,
			roles(typed, sent) {
				const read = granted(typed, sent);
				return read.ok && read.value.length === 0 ? refuseField("Cochez au moins un rôle.") : read;
			},
		},
		async run({ shop, actor }, input) {
			if (await isNameTaken(shop, input))
				return refuse("Une personne de l’équipe porte déjà ce nom. Donnez-en un qui les distingue.", "name");
			await inviteOperator(shop, { ...input, invitedBy: actor.name, invitedById: actor.id });
			const after = { name: input.name, person: maskEmail(input.email), roles: formatRoles(input.roles) };
			return { ok: true, text: "L’invitation part par e-mail.", after };
		},
		changes: { name: "Nom", person: "Personne", roles: rolesChange },
	}),
	defineAct({
		name: "cancel-invitation",
		role: invitingRole,
		label: "Annuler une invitation",
		fields: { invitation: id("Cette invitation n’existe pas.") },
		async run({ shop }, { invitation }) {
			const cancelled = await cancelInvitation(shop.db, invitation, shop.now());
			if (cancelled === null) return refuse("Cette invitation n’est plus ouverte.");
			return { ok: true, text: "L’invitation est annulée\u00a0: son lien ne sert plus.", after: { person: maskEmail(cancelled.email) } };
		},
		changes: { person: "Personne" },
	}),
	defineAct({
		name: "change-roles",
		role: invitingRole,
		label: "Changer les rôles",
		fields: { person, roles: granted },
		async run({ shop }, { person, roles }) {
			const outcome = await changeRoles(shop, person, roles);
			if (!outcome.ok) return refuse(operatorRefusals[outcome.code]);
			const [before, after] = [outcome.before, roles].map((list) => ({ person, roles: formatRoles(list) }));
			const { orders, messages } = outcome.released;
			const text = `Les rôles sont changés.${describeReleased(outcome.released)}`;
			return { ok: true, text, before, after: { ...after, ...(orders + messages > 0 && { orders, messages }) } };
		},
		changes: { person: "Personne", roles: rolesChange, ...released },
	}),
	defineAct({
		name: "end-operator",
		role: invitingRole,
		label: "Fermer l’accès d’une personne",
		fields: { person },
		async run({ shop }, { person }) {
			const outcome = await closeAccess(shop, person);
			if (!outcome.ok) return refuse(operatorRefusals[outcome.code]);
			const { acts: undone, devices, orders, messages } = outcome;
			const text = `L’accès est fermé, et les sessions de cette personne sont terminées.${describeReleased(outcome)}`;
			return { ok: true, text, after: { person, undone, devices, orders, messages } };
		},
		changes: ended,
	}),
	defineAct({
		name: "end-sessions",
		role: invitingRole,
		label: "Terminer les sessions d’une personne",
		fields: { person },
		async run({ shop }, { person }) {
			const { sessions, acts, devices, orders, messages } = await endAccess(shop, person);
			const text = `Sessions terminées\u00a0: ${sessions}. Actions annulées\u00a0: ${acts}. Appareils désinscrits des alertes\u00a0: ${devices}.`;
			const after = { person, undone: acts, devices, orders, messages };
			return { ok: true, text: `${text}${describeReleased({ orders, messages })}`, after };
		},
		changes: ended,
	}),
];
