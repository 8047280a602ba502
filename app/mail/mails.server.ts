/** What other concepts read and change of e-mails that wait or were sent. */

export {
	anonymiseMails,
	deleteMail,
	deleteMails,
	deleteMailsOfKind,
	deleteOtherMails,
	findMail,
	findUnsentMail,
	insertMail,
	listMails,
	lockMailKind,
	markMailBounced,
	markMailSent,
	type QueuedMail,
	readUnsentMails,
	wasMailWrittenSince,
} from "./mails.store.server.ts";
