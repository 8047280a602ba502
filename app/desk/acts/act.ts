import type { JsonObject } from "../../../server/database/database-types.gen.ts";
import type { Fields } from "../../desk-log/acts.store.server.ts";
import type { Actor, Role } from "../../operators/roles.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import type { Unsent } from "../shell/keep-page.ts";

/** `field`: the field that the sentence is about. */
export interface ActRefusal {
	ok: false;
	text: string;
	field?: string;
}

/** `before` and `after` go to the trail: codes, amounts, numbers and masked addresses; no personal data. */
export type ActResult = { ok: true; text: string; before?: JsonObject; after?: JsonObject } | ActRefusal;

export interface ActCall {
	shop: Shop;
	actor: Actor;
	/** The order of the form; null when it has none. */
	order: Order | null;
	/** Whether a second person approved it. Undefined when it runs at once: only acts that wait are approved. */
	isApproved?: boolean;
	/** When the operator asked for it. An extract’s age is judged at this moment, not when the act runs. */
	requestedAt: Date;
}

interface ActDescription {
	/** The role that the operator needs. */
	role: Role;
	/** For the trail, « Annuler » and the list of keys: « Livrer l’extrait ». */
	label: string;
	/** True: it begins 30 s later, and can be undone until then. */
	undoable?: boolean;
	/** True: refused while an undoable act of its order waits. An undoable act always is. */
	exclusive?: boolean;
}

/** What an operator can do with a form of the desk. */
interface ActDefinition<Input> extends ActDescription {
	parse(fields: Fields): { ok: true; input: Input } | ActRefusal;
	/** For an undoable act: why it would be refused, before it waits. Its run checks anew, because the order may change meanwhile. */
	check?(call: ActCall, input: Input): Promise<ActRefusal | null>;
	/** Whether a second person must approve it. */
	needsApproval?(call: ActCall, input: Input): Promise<boolean>;
	/** Runs again after a crash: like every use case, it does nothing twice. */
	run(call: ActCall, input: Input): Promise<ActResult>;
}

/** An act whose fields are read: it can run. */
export interface PreparedAct {
	ok: true;
	check(call: ActCall): Promise<ActRefusal | null>;
	needsApproval(call: ActCall): Promise<boolean>;
	run(call: ActCall): Promise<ActResult>;
}

export interface Act extends ActDescription {
	prepare(fields: Fields): PreparedAct | ActRefusal;
}

/** Defines an act for act-table.server.ts. Its input is what its parser gives. */
export function defineAct<Input>({ parse, check, needsApproval, run, ...description }: ActDefinition<Input>): Act {
	return {
		...description,
		prepare(fields) {
			const parsed = parse(fields);
			if (!parsed.ok) return parsed;
			return {
				ok: true,
				check: async (call) => (await check?.(call, parsed.input)) ?? null,
				needsApproval: async (call) => (await needsApproval?.(call, parsed.input)) ?? false,
				run: (call) => run(call, parsed.input),
			};
		},
	};
}

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
