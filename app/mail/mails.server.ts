/** Exports for other concepts. */

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
