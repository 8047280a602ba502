import { href } from "react-router";

/** Where an operator goes after signing in: the page of the desk that was asked for, else its first one. Never another site. */
export function readReturnPath(asked: string | null): string {
	return asked !== null && /^\/bureau(\/[\w/-]*)?$/.test(asked) && !/^\/bureau\/(connexion|invitation)/.test(asked)
		? asked
		: href("/bureau");
}
