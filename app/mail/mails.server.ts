/** What other concepts read and change of e-mails that wait or were sent. */

export {
	deleteMails,
	deleteMailsOfKind,
	deleteOtherMails,
	dropMail,
	findMail,
	findUnsentMail,
	forgetMails,
	holdMailKind,
	insertMail,
	listMails,
	markMailBounced,
	markMailSent,
	type QueuedMail,
	readUnsentMails,
	wasMailWrittenSince,
} from "./mails.store.server.ts";
