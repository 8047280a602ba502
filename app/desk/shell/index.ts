import { href, redirect } from "react-router";
import type { Route } from "./+types/index";
import { deskPages, mayOpen } from "./desk-pages.ts";
import { getSignedIn } from "./signed-in.server.ts";

/** Leads to the first page of the menu that the operator may open: the queue, for those who serve. */
export function loader({ context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const first = deskPages.find((page) => page.inMenu && mayOpen(page, operator.roles));
	return redirect(first?.path ?? href("/bureau/mon-acces"));
}
