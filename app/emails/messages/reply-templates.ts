/** A reply to begin from, with fields in braces (fill-reply.ts). */
export interface ReplyTemplate {
	id: string;
	title: string;
	text: string;
}

/** The shop's own templates. An operator with the role « settings » may change each one; the change is in `reply_templates`. */
export const replyTemplates: readonly ReplyTemplate[] = [
	{
		id: "document-again",
		title: "Document demandé de nouveau",
		text: `Bonjour {prenom} {nom},

Votre extrait est disponible sur la page de suivi de votre commande {numero}\u00a0:
{suivi}

Indiquez-y le numéro de la commande et votre adresse e-mail, puis choisissez «\u00a0Télécharger\u00a0». Le fichier reste disponible 90\u00a0jours après la livraison.`,
	},
	{
		id: "wrong-company",
		title: "Mauvaise société",
		text: `Bonjour {prenom} {nom},

Votre commande {numero} porte sur {societe} (SIREN {siren}). L’extrait livré est bien celui de cette société.

Si vous vouliez l’extrait d’une autre société, donnez-nous son nom ou son SIREN\u00a0:

- si votre extrait n’est pas encore livré, nous annulons la commande et vous remboursons en entier\u00a0;
- s’il est livré, une nouvelle commande est nécessaire, car le greffe facture chaque extrait.`,
	},
	{
		id: "delay",
		title: "Retard expliqué",
		text: `Bonjour {prenom} {nom},

Votre commande {numero} était promise pour le {echeance}. Nous n’avons pas tenu ce délai, et nous vous présentons nos excuses.

Votre extrait est demandé au greffe. Nous vous l’envoyons par e-mail dès que nous le recevons\u00a0: vous n’avez rien à faire.

La page de suivi indique où en est votre commande et ce qui vous est remboursé\u00a0:
{suivi}

Tant que l’extrait n’est pas livré et que la commande n’est pas déjà remboursée, vous pouvez annuler la commande sur cette page. Elle vous est alors remboursée en entier.`,
	},
	{
		id: "invoice",
		title: "Facture à corriger",
		text: `Bonjour {prenom} {nom},

Vous pouvez corriger vous-même la facture de la commande {numero} depuis la page de suivi, avec «\u00a0Corriger la facture\u00a0»\u00a0:
{suivi}

Vous recevez aussitôt un avoir, qui annule la première facture, et une nouvelle facture du même montant. Rien ne vous est prélevé ni remboursé.

La correction est possible pendant 30\u00a0jours après la première facture.`,
	},
	{
		id: "refund",
		title: "Remboursement expliqué",
		text: `Bonjour {prenom} {nom},

Nous remboursons votre commande {numero}. La somme revient sur la carte qui a servi au paiement.

Un e-mail vous le confirme, avec l’avoir. Selon votre banque, la somme apparaît sur votre relevé sous 5 à 10\u00a0jours ouvrés.`,
	},
	{
		id: "bank-delay",
		title: "Remboursement pas encore reçu",
		text: `Bonjour {prenom} {nom},

Le remboursement de votre commande {numero} est parti de chez nous. Selon votre banque, il apparaît sur votre relevé sous 5 à 10\u00a0jours ouvrés.

Regardez le relevé de la carte qui a servi au paiement, même si elle a été remplacée depuis\u00a0: la banque reporte la somme sur votre compte.

Passé ce délai, répondez à ce message\u00a0: nous vous donnerons la référence du remboursement, avec laquelle votre banque peut le retrouver.`,
	},
	{
		id: "no-extract",
		title: "Aucun extrait au registre",
		text: `Bonjour {prenom} {nom},

Le greffe ne délivre pas d’extrait Kbis pour {societe} (SIREN {siren})\u00a0: elle n’est pas immatriculée au registre du commerce et des sociétés.

Votre commande {numero} vous est remboursée en entier.

Pour un artisan, une profession libérale ou un micro-entrepreneur, l’extrait du Registre national des entreprises fait foi. Il est gratuit\u00a0:
https://data.inpi.fr`,
	},
	{
		id: "association",
		title: "Une association n’a pas de Kbis",
		text: `Bonjour,

Une association n’est pas immatriculée au registre du commerce et des sociétés\u00a0: elle n’a pas d’extrait Kbis.

Selon ce qui vous est demandé, vous pouvez fournir\u00a0:

- le récépissé de déclaration en préfecture\u00a0;
- l’extrait de publication au Journal officiel, gratuit sur https://www.journal-officiel.gouv.fr\u00a0;
- l’avis de situation au répertoire Sirene, gratuit sur https://avis-situation-sirene.insee.fr`,
	},
	{
		id: "monidenum",
		title: "Kbis gratuit pour le dirigeant",
		text: `Bonjour,

Le dirigeant d’une société peut obtenir gratuitement l’extrait Kbis de sa propre société, sous forme numérique, sur le site des greffes\u00a0:
https://monidenum.fr

Notre service s’adresse à qui n’est pas le dirigeant, ou préfère ne pas s’en occuper. Il est privé et payant.`,
	},
];

/** Those that announce a refund: they would say something untrue of an order whose refund nobody has asked for. */
export const refundTemplates: ReadonlySet<string> = new Set(["refund", "bank-delay", "no-extract"]);
