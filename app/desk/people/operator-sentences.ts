import type { OperatorRefusal } from "../operators/end-operator.server.ts";

/** Why a person's access is not changed; for the terminal and the desk. */
export const operatorRefusals: Record<OperatorRefusal, string> = {
	"unknown-operator": "Cette personne n’a pas d’accès ouvert.",
	"last-manager": "C’est la dernière personne qui peut inviter et régler\u00a0: donnez d’abord ce rôle à une autre.",
};
