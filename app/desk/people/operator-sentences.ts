import type { OperatorRefusal } from "../operators/end-operator.server.ts";
import type { ReleasedWork } from "../operators/release-work.server.ts";

/** Why a person's access is not changed; for the terminal and the desk. */
export const operatorRefusals: Record<OperatorRefusal, string> = {
	"unknown-operator": "Cette personne n’a pas d’accès ouvert.",
	"last-manager": "C’est la dernière personne qui peut inviter et régler\u00a0: donnez d’abord ce rôle à une autre.",
};

/** « 3 commandes et 1 message attendent de nouveau quelqu’un. », to be put behind another sentence; nothing when nothing was given back. */
export function describeReleased({ orders, messages }: ReleasedWork): string {
	const work = [
		...(orders > 0 ? [`${orders}\u00a0commande${orders > 1 ? "s" : ""}`] : []),
		...(messages > 0 ? [`${messages}\u00a0message${messages > 1 ? "s" : ""}`] : []),
	];
	return work.length === 0 ? "" : ` ${work.join(" et ")} ${orders + messages > 1 ? "attendent" : "attend"} de nouveau quelqu’un.`;
}
