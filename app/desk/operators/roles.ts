/** What an operator may do at the desk. A person has any of them. */
export const roles = ["serve", "refund", "privacy", "accounts", "months", "settings"] as const;

export type Role = (typeof roles)[number];

/** Whether a text names a role. */
export const isRole = (text: string): text is Role => roles.some((role) => role === text);

/** Who has it invites people, and changes or ends their access. */
export const invitingRole = "settings" satisfies Role;

/** For the pages of the desk. */
export const roleLabels: Record<Role, string> = {
	serve: "Servir les commandes",
	refund: "Rembourser",
	privacy: "Données personnelles",
	accounts: "Comptes",
	months: "Voir les comptes",
	settings: "Réglages et équipe",
};

/** For who is invited to see the months, before they accept. */
export const monthsSentence =
	"Vous verrez les mois, leurs fichiers et les factures, qui portent des noms de clients. Chaque téléchargement est noté.";

/** Names of sets of roles, for invitations: who serves orders, who reads the books from outside the shop, and who may do everything. */
export const roleSets: Record<string, readonly Role[]> = {
	operator: ["serve"],
	accountant: ["months"],
	manager: roles,
};

/**
 * Parses roles as typed: « serve,refund », « operator », « accountant » or « manager ».
 * @returns null when a name is unknown, or when there is none.
 */
export function parseRoles(typed: string): Role[] | null {
	const names = typed.split(/[\s,]+/).filter(Boolean);
	const parsed = names.flatMap((name) => roleSets[name] ?? roles.filter((role) => role === name));
	const isKnown = names.every((name) => Object.hasOwn(roleSets, name) || roles.some((role) => role === name));
	return isKnown && parsed.length > 0 ? roles.filter((role) => parsed.includes(role)) : null;
}

/** The operator who acts at the desk. */
export interface Actor {
	id: string;
	name: string;
	roles: ReadonlySet<Role>;
	/** For the trail: the client's network. */
	origin: string;
}
