/** Names of shops that an e-mail's header must quote or encode. */
export const senderNames: readonly string[] = [
	"Extraits & Cie",
	"Dupont, père et fils",
	'Les « extraits » du "Marché"',
	'"Extraits"',
	"Extraits <Kbis>",
	"<kbis@extraits.example>",
	"Société (SAS) : Kbis ; K",
	"Kbis\\Express",
	"Œuvre d’été – Noël 日本",
	"É".repeat(60),
];
