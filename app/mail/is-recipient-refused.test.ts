import { expect, test } from "vitest";
import { isRecipientRefused } from "./is-recipient-refused.ts";

test.each([
	["550 5.1.1 <…@…>: no such user", true],
	["550-5.1.1 The email account that you tried to reach does not exist.", true],
	["550 5.1.2 No such domain", true],
	["553 5.1.3 Bad address", true],
	["551 5.1.6 Mailbox has moved", true],
	["550 5.2.1 Mailbox disabled", true],
	["556 5.1.10 The domain accepts no mail", true],
	["551 User not local", true],
	["553 Mailbox name not allowed", true],
	["556 Domain does not accept mail", true],
	["Error: 550 5.7.1 is quoted further on", true],
	["No recipients defined", true],
	["554 5.7.1 Message rejected as spam", false],
	["550 5.7.1 Blocked by policy", false],
	["552 5.3.4 Message too big", false],
	["552 5.2.2 Over quota", false],
	["554 Transaction failed", false],
	["450 4.2.1 Mailbox busy", false],
	["550 5.1.100 of no list", false],
	// a large French provider says so of unwanted mail
	["550 5.2.0 Mail rejete. Mail rejected.", false],
	["550 High probability of spam", false],
	// these speak of us
	["553 5.1.7 Bad sender's mailbox address syntax", false],
	["550 5.1.8 Bad sender's system address", false],
])("« %s » says that the address does not exist: %s", (reason, refused) => {
	expect(isRecipientRefused(reason)).toBe(refused);
});
