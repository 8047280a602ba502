import { isUuid } from "../../../server/uuid.ts";
import type { Fields } from "../../desk-log/acts.store.server.ts";
import { isEmail, maskEmail } from "../../mail/email-address.ts";
import { changeRoles } from "../../operators/end-operator.server.ts";
import { cancelInvitation } from "../../operators/invitations.store.server.ts";
import { inviteOperator, isNameTaken } from "../../operators/invite-operator.server.ts";
import { invitingRole, type Role, roles } from "../../operators/roles.ts";
import { closeAccess, endAccess } from "../access/end-access.server.ts";
import { defineAct } from "../acts/act.ts";
import { operatorRefusals } from "./operator-sentences.ts";

/** The roles ticked in a form: fields « role-serve », « role-refund » … */
const readRoles = (fields: Fields): Role[] => roles.filter((role) => fields[`role-${role}`] !== undefined);

const readPerson = (fields: Fields) => {
	const { person = "" } = fields;
	return isUuid(person) ? { ok: true as const, input: { id: person, roles: readRoles(fields) } } : refuse("Cette personne n’existe pas.");
};

const refuse = (text: string, field?: string) => ({ ok: false as const, text, ...(field && { field }) });

/** Who may use the desk. */
export const peopleActs = {
	invite: defineAct({
		role: invitingRole,
		label: "Inviter une personne",
		parse(fields) {
			const [email, name] = [(fields.email ?? "").trim(), (fields.name ?? "").trim()];
			if (name === "" || name.length > 100) return refuse("Donnez le nom de la personne.", "name");
			if (!isEmail(email)) return refuse("Cette adresse e-mail n’est pas valable.", "email");
			const granted = readRoles(fields);
			return granted.length === 0 ? refuse("Cochez au moins un rôle.", "roles") : { ok: true, input: { email, name, roles: granted } };
		},
		async run({ shop, actor }, input) {
			if (await isNameTaken(shop, input))
				return refuse("Une personne de l’équipe porte déjà ce nom. Donnez-en un qui les distingue.", "name");
			await inviteOperator(shop, { ...input, invitedBy: actor.name, invitedById: actor.id });
			const after = { name: input.name, person: maskEmail(input.email), roles: input.roles.join(", ") };
			return { ok: true, text: "L’invitation part par e-mail.", after };
		},
	}),
	"cancel-invitation": defineAct({
		role: invitingRole,
		label: "Annuler une invitation",
		parse({ invitation = "" }) {
			return isUuid(invitation) ? { ok: true, input: { invitation } } : refuse("Cette invitation n’existe pas.");
		},
		async run({ shop }, { invitation }) {
			const cancelled = await cancelInvitation(shop.db, invitation, shop.now());
			if (cancelled === null) return refuse("Cette invitation n’est plus ouverte.");
			return { ok: true, text: "L’invitation est annulée\u00a0: son lien ne sert plus.", after: { person: maskEmail(cancelled.email) } };
		},
	}),
	"change-roles": defineAct({
		role: invitingRole,
		label: "Changer les rôles",
		parse: readPerson,
		async run({ shop }, { id, roles: granted }) {
			const outcome = await changeRoles(shop, id, granted);
			if (!outcome.ok) return refuse(operatorRefusals[outcome.code]);
			const [before, after] = [outcome.before, granted].map((list) => ({ person: id, roles: list.join(", ") }));
			return { ok: true, text: "Les rôles sont changés.", before, after };
		},
	}),
	"end-operator": defineAct({
		role: invitingRole,
		label: "Fermer l’accès d’une personne",
		parse: readPerson,
		async run({ shop }, { id }) {
			const outcome = await closeAccess(shop, id);
			if (!outcome.ok) return refuse(operatorRefusals[outcome.code]);
			const after = { person: id, undone: outcome.acts, devices: outcome.devices };
			return { ok: true, text: "L’accès est fermé, et les sessions de cette personne sont terminées.", after };
		},
	}),
	"end-sessions": defineAct({
		role: invitingRole,
		label: "Terminer les sessions d’une personne",
		parse: readPerson,
		async run({ shop }, { id }) {
			const { sessions, acts, devices } = await endAccess(shop, id);
			const text = `Sessions terminées\u00a0: ${sessions}. Actions annulées\u00a0: ${acts}. Appareils désinscrits des alertes\u00a0: ${devices}.`;
			return { ok: true, text, after: { person: id, undone: acts, devices } };
		},
	}),
};
