import { formatInstant } from "../../catalogue/instants.ts";
import type { Shop } from "../../shop.ts";
import { listOpenInvitations } from "../operators/invitations.store.server.ts";
import { listOperators, type Operator } from "../operators/operators.store.server.ts";

export type Person = Omit<Operator, "joinedAt" | "leftAt"> & { joinedAt: string; leftAt: string | null };

export interface OpenInvitation {
	id: string;
	name: string;
	email: string;
	expiresAt: string;
	invitedBy: string;
}

/** The people of the desk and the open invitations, with dates as text. */
export async function listPeople({ db, now }: Pick<Shop, "db" | "now">): Promise<{ people: Person[]; invitations: OpenInvitation[] }> {
	const operators = await listOperators(db);
	const invitations = await listOpenInvitations(db, now());
	return {
		people: operators.map((person) => ({
			...person,
			joinedAt: formatInstant(person.joinedAt),
			leftAt: person.leftAt && formatInstant(person.leftAt),
		})),
		invitations: invitations.map(({ id, name, email, expires_at, invited_by }) => ({
			id,
			name,
			email,
			invitedBy: invited_by,
			expiresAt: formatInstant(expires_at),
		})),
	};
}
