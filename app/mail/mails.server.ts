/** Exports for other concepts. */

export {
	anonymiseMails,
	deleteMail,
	deleteMails,
	deleteMailsOfKind,
	deleteOtherMails,
	deleteUnsentMail,
	findMail,
	findUnsentMail,
	insertMail,
	listMails,
	lockMailKind,
	markMailBounced,
	markMailSent,
	type QueuedMail,
	readUnsentMails,
	updateMailNotices,
	wasMailWrittenSince,
} from "./mails.store.server.ts";
