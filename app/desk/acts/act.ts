import type { JsonObject } from "../../../server/database/database-types.gen.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import type { Actor, Role } from "../operators/roles.ts";
import type { Unsent } from "../shell/keep-page.ts";
import type { FieldParsers } from "./fields.ts";

/** `field`: the field that the sentence is about. `quotes`: the sentence repeats what was typed, so the trail does not keep it. */
export interface ActRefusal {
	ok: false;
	text: string;
	field?: string;
	quotes?: true;
}

export const refuse = (text: string, field?: string): ActRefusal => ({ ok: false, text, ...(field && { field }) });

/** `before` and `after` go to the trail: codes, amounts, numbers and masked addresses; no personal data. */
export type ActResult = { ok: true; text: string; before?: JsonObject; after?: JsonObject } | ActRefusal;

export interface ActCall {
	shop: Shop;
	actor: Actor;
	/** Whether a second person approved it. Undefined when it runs at once: only acts that wait are approved. */
	isApproved?: boolean;
	/** When the operator asked for it. An extract’s age is judged at this moment, not when the act runs. */
	requestedAt: Date;
}

export interface OrderCall extends ActCall {
	order: Order;
}

/** Of an act without an order, `order` is null. */
export interface AnyCall extends ActCall {
	order: Order | null;
}

/** What a check found, for the run. */
interface Passed {
	ok: true;
}

/** How the trail shows what changes: a name in French, and how its values are written where they are codes. */
export type Changes = Readonly<Record<string, string | { name: string; format(value: string | number): string }>>;

/** A change whose values are codes; a value that is none is shown as it is. */
export const coded = (name: string, words: Readonly<Record<string, string>>) => ({
	name,
	format: (code: string | number) => words[code] ?? String(code),
});

/** What an operator can do with a form of the desk. */
interface Definition<Call extends ActCall, Input, Found extends Passed> {
	/** In forms, in the trail, and in the table of acts that wait. */
	name: string;
	/** The role that the operator needs. */
	role: Role;
	/** For the trail, « Annuler » and the list of keys: « Livrer l’extrait ». */
	label: string;
	/** The fields of its form; its input has their values. */
	fields: FieldParsers<Input>;
	/** True: it begins 30 s later, and can be undone until then. */
	undoable?: boolean;
	/** True: refused while an undoable act of its order waits. An undoable act always is. */
	exclusive?: boolean;
	/** Refuses what can be known before it runs: when it is asked for, and again right before it runs, because the order may change meanwhile. */
	check?(call: Call, input: Input): Promise<Found | ActRefusal>;
	/** Whether a second person must approve it. */
	needsApproval?(call: Call, input: Input, found: Found): Promise<boolean>;
	/** Runs again after a crash: like every use case, it does nothing twice. */
	run(call: Call, input: Input, found: Found): Promise<ActResult>;
	changes?: Changes;
}

/** Any act, as the desk reads, checks and runs it. One about an order is never called without it. */
export interface Act extends Definition<AnyCall, unknown, Passed> {
	/** Whether it is about an order, which its form names. */
	aboutOrder: boolean;
	/** Refused while another operator has its order, as long as it is in progress; otherwise the order is the operator's for another twenty minutes. */
	claims: boolean;
}

/** Defines an act about something else than an order. */
export const defineAct = <Input, Found extends Passed = Passed>(act: Definition<ActCall, Input, Found>): Act => ({
	...act,
	aboutOrder: false,
	claims: false,
});

/** Defines an act about the order that its form names. */
export const defineOrderAct = <Input, Found extends Passed = Passed>({
	claims = false,
	...act
}: Definition<OrderCall, Input, Found> & Partial<Pick<Act, "claims">>): Act => ({ ...act, aboutOrder: true, claims });

/** What became of an act, for the page with its form. `page`: the address of another page, which shows what was done. */
export type ActOutcome = { act: string; orderId: string | null; key: string; text: string } & (
	| { state: "done"; page?: string }
	/** It begins at `dueAt` (ISO 8601), and can be undone until then. */
	| { state: "scheduled"; dueAt: string }
	| { state: "waiting for approval" }
	/** Another request with the same key runs it now. */
	| { state: "running" }
	| { state: "undone" }
	| { state: "refused"; field?: string }
	/** The form was not read, or its act failed. Without network, the browser sends it again. */
	| { state: Unsent }
);
