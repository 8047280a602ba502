import { accountsActs } from "../accounts/accounts-acts.server.ts";
import { bounceActs } from "../messages/bounce-acts.server.ts";
import { messagesActs } from "../messages/messages-acts.server.ts";
import { templateActs } from "../messages/template-acts.server.ts";
import { moneyActs } from "../money/money-acts.server.ts";
import { reconcileActs } from "../money/reconcile-acts.server.ts";
import { refundActs } from "../money/refund-acts.server.ts";
import { stopActs } from "../money/stop-acts.server.ts";
import { addressActs } from "../order/address-acts.server.ts";
import { servingActs } from "../order/serving-acts.server.ts";
import { peopleActs } from "../people/people-acts.server.ts";
import { postActs } from "../post/post-acts.server.ts";
import { privacyActs } from "../privacy/privacy-acts.server.ts";
import { claimActs } from "../queue/claim-acts.server.ts";
import { settingsActs } from "../settings/settings-acts.server.ts";
import { shareActs } from "../sharing/share-acts.server.ts";
import type { Act } from "./act.ts";

/** Every act of the desk. Each screen's folder defines its own. */
export const acts: readonly Act[] = [
	...claimActs,
	...addressActs,
	...servingActs,
	...shareActs,
	...postActs,
	...settingsActs,
	...moneyActs,
	...accountsActs,
	...messagesActs,
	...bounceActs,
	...templateActs,
	...refundActs,
	...stopActs,
	...reconcileActs,
	...privacyActs,
	...peopleActs,
];

const byName: ReadonlyMap<string, Act> = new Map(acts.map((act) => [act.name, act]));

/** @returns undefined for a name of no act, such as of one that a later version no longer has. */
export const findActByName = (name: string): Act | undefined => byName.get(name);

/** The label of an act, for pages; its name when no act has it. */
export const labelAct = (name: string): string => byName.get(name)?.label ?? name;
