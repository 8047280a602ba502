/**
 * What mail servers write when they could not deliver an e-mail. Each row is a fact about what a server sends; the words are patterns,
 * each matched in one pass over one line.
 */

/** Mailboxes and names of mail servers as senders. */
export const daemonAddress =
	/^(?:(?:mail(?:er)?|email|smtp|mta)[-_.]?(?:daemon|deamon)|mdaemon|poo?stmaster|(?:post|mail|system)[-_.]?(?:master|admin(?:istrator)?)|mail[-_.]?delivery(?:[-_.]?(?:sub)?system)?|(?:undeliverable|bounces?|returns?|mmdf|uucp|exchange-robot|microsoftexchange[0-9a-f]{0,64})(?:[-_.+=][^@]*)?|<>)(?:@|$)/i;
/** Mailboxes that a notice names for help. */
export const helpAddress = /^(?:support|help|helpdesk|abuse|contact|info|assistance|hostmaster|webmaster|aide)@/i;
export const daemonName =
	/mail(?:er)?[-_ ]?(?:daemon|delivery)|post\s?master|(?:mail|system) administrator|delivery (?:sub)?system|mail router|internet mail service|mail system|syst[èe]me de (?:messagerie|distribution)/i;

/** Subjects of notices, in lower case. */
export const noticeSubjects: readonly { subject: RegExp; server: string }[] = [
	{ subject: /^\W{0,3}(?:mail|message|e-?mail)?[\s:]*undeliver(?:able|ed)\b/, server: "Postfix, Exchange" },
	{
		subject:
			/^(?:[\w' ]{0,20}\s)?(?:mail|message|e-?mail)?\s?(?:delivery|transmission) (?:status )?(?:failed|failure|error|notification|problem|report|has failed|status|fehlgeschlagen)/,
		server: "Exim, Domino, Sun",
	},
	{
		subject:
			/^(?:failure|failed) (?:notice|delivery|mail)|^returned (?:mail|to sender)|^mail (?:could not be delivered|system error|failure|error)|^(?:mail|message) (?:status|returned|not delivered)/,
		server: "qmail, Sendmail, smtp32",
	},
	{ subject: /^(?:non[- ]?deliver|unzustellbar|nicht zustellbar|(?:e-?)?mail[- ]?zustellung)/, server: "GroupWise, Exchange (de)" },
	{
		subject:
			/^(?:non[- ]remis|non[- ]distribuable|non d[ée]livr|message non|[ée]chec de (?:la )?(?:remise|distribution|livraison|transmission)|avis de (?:non[- ]|retard)|notification d['’][ée]tat de (?:remise|distribution)|retour de message|votre message n['’])/,
		server: "Exchange, Orange, La Poste, OVH (fr)",
	},
	{
		subject:
			/^(?:no se puede entregar|no entregado|error de entrega|non recapitabile|mancata consegna|onbestelbaar|n[ãa]o entregue|ikke levert|kan inte levereras)/,
		server: "Exchange (es, it, nl, pt, no, sv)",
	},
	{
		subject:
			/^(?:warning|delayed|delivery delayed|message delayed|\W*delivery notification|unable to deliver|(?:user|recipient|address) (?:unknown|not found)|unknown (?:user|address)|invalid (?:recipient|address)|\[?bounce\]?|undelivered)/,
		server: "Sendmail, PMDF",
	},
	{
		subject: /^(?:considered unsolicited bulk|banned|bad header|virus|spam|blocked|rejected|message (?:blocked|rejected|quarantin))/,
		server: "amavisd, gateways",
	},
];

/** What says that the server still tries: nothing has failed yet. */
export const delays: readonly RegExp[] = [
	/\b(?:still (?:trying|attempting|be(?:ing)? (?:attempted|retried))|(?:will|going to) (?:continue|keep)(?: to)? (?:(?:re)?try|attempt)|not yet been delivered|(?:has been |is |was )postponed|will (?:be )?re-?tr(?:y|ied)|(?:further|more) (?:delivery )?attempts will|no action is required (?:on|from)|do(?:n['’]t| not) need to (?:resend|do anything))/i,
	/\b(?:this is a warning message only|message (?:has been |is |was )?delayed|delivery (?:has been |is |was |to \S{1,80} )?(?:delayed|temporarily)|temporarily (?:delayed|deferred)|queued and will)/i,
	/(?:nouvel(?:le)?s? (?:tentatives?|essais?)|(?:re)?tentera|essaiera (?:de nouveau|encore)|retard(?:é|e|ée)?\b.{0,40}(?:remise|distribution|livraison)|(?:remise|distribution|livraison).{0,40}retard|n['’]est pas (?:encore|définitif))/i,
	/(?:wird (?:weiterhin|erneut) versuch|verzögert|se seguir[áa] intentando|verr[àa] ritentat)/i,
];

/** What says that the server tries no more, whatever its last reply was. */
export const ends: readonly RegExp[] = [
	/\b(?:permanent(?:ly)? (?:fatal )?(?:error|fail\w*)|given up|giving up|not going to try|(?:no (?:further|more)|will not be) (?:attempts?|re-?tr\w+)|(?:message|mail|delivery|envelope) (?:time )?(?:has )?(?:expired|timed out)|retry time(?:out)? exceeded|(?:has been|was|being) returned|returned because|too long|(?:was|been) aborted|unable to deliver|delivery (?:has )?failed)/i,
	/(?:erreur (?:permanente|fatale|d[ée]finitive)|ne sera pas (?:retent|renvoy)|abandon)/i,
];

/** What says that a delivery failed for good, in the languages of the servers. */
export const failures: readonly RegExp[] = [
	/\b(?:un(?:deliver(?:able|ed)|able to (?:deliver|relay|send|complete|locate))|(?:could|can|was|were|did|has|have|is|are)(?:\s?n[o']t|not) (?:be |been |get )?(?:deliver|reach|sent|send|accept|complet|transmit|process|relay|found|locat|recogni|listed)\w*|couldn['’]t be \w+|wasn['’]t delivered)/i,
	/\b(?:(?:delivery|transmission|message|address(?:es|\(es\))?|recipients?|deliver\w*)\b.{0,60}\bfail(?:ed|ure)|fail(?:ed|ure)\b.{0,40}\b(?:deliver|recipient|address|permanent)|permanent(?:ly)? (?:fatal )?(?:error|fail\w*)|fatal errors?|giving up|given up|returned (?:to (?:the )?sender|message|unopened))/i,
	/\b(?:(?:user|recipient|mailbox|account|address|host|domain|alias|addressee)\b.{0,60}\b(?:unknown|unavailable|not found|invalid|disabled|inactive|suspended|rejected|doesn['’]?t exist|does not exist|over (?:quota|its)|full|no longer|expired|locked|unrouteable|ambiguous|incorrect)|(?:unknown|invalid|no such|bad|unrouteable|undeliverable|nonexistent|illegal)\s(?:\w{1,12}\s)?(?:user|recipient|mailbox|account|address|host|domain|person|name)|quota exceeded|exceed\w*\b.{0,40}\b(?:quota|limit|size|storage)|(?:mail|in)box (?:is )?full|access denied|relaying denied|blocked|stopped|rejected|refused|does ?n[o']t (?:have|accept)|not (?:deliverable|accepted)|no account|host not found|name service error|timed out|too (?:large|big|many))/i,
	/(?:n['’](?:a|ont|est|existe|accepte) pas\b|n['’]a pu\b|impossible de|introuvable|inconnue?s?\b|inexistante?s?\b|invalides?\b|[ée]chec|[ée]chou[ée]|refus[ée]|rejet[ée]|pleine?\b|satur[ée]e?|d[ée]pass[ée]e?|d[ée]sactiv[ée]e?|bloqu[ée]e?|erreur (?:permanente|fatale|d[ée]finitive)|non remis)/i,
	/(?:unzustellbar|nicht (?:zugestellt|zustellbar|erreich|gefunden|existiert)|konnte nicht|unbekannt|fehlgeschlagen|no (?:se ha podido|existe|se pudo|fue posible)|desconocid|impossibile|sconosciut|non (?:esiste|è stato|recapitabile)|onbekend|niet (?:bezorgd|afgeleverd)|n[ãa]o (?:foi poss[íi]vel|existe)|не (?:может быть )?доставлен|не существует)/i,
	/(?:无法|失败|不存在|できませんでした|エラー|宛先不明)/,
];

/** A reply of an SMTP server that refuses for good, or its enhanced code (RFC 5321, 4.2; RFC 3463). */
export const refusalCode = /(?:^|[^\d.\w-])(?:5[0-7]\d[\s-](?=\D)|5\.\d{1,3}\.\d{1,3}(?![.\d]))/;
/** The same for a temporary failure. */
export const temporaryCode = /(?:^|[^\d.\w-])(?:4[2-5]\d[\s-](?=\D)|4\.\d{1,3}\.\d{1,3}(?![.\d]))/;
