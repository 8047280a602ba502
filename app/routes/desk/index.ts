import { href, redirect } from "react-router";
import { deskPages, mayOpen } from "../../desk/shell/desk-pages.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import type { Route } from "./+types/index";

/** Leads to the first page of the menu that the operator may open: the queue, for those who serve. */
export function loader({ context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context);
	const first = deskPages.find((page) => page.inMenu && mayOpen(page, operator.roles));
	return redirect(first?.path ?? href("/bureau/mon-acces"));
}
