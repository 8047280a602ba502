import { maxPasswordLength, minPasswordLength } from "../operators/password.ts";

/** The refusals around signing in. An unknown address and a wrong password read the same. */
export const signInSentences = {
	wrong: "L’adresse ou le mot de passe n’est pas le bon.",
	wrongCode: "Ce code n’est pas le bon. Attendez le suivant, ou utilisez un code de secours.",
	expired: "La connexion a trop duré. Recommencez avec votre mot de passe.",
	limited: "Trop d’essais. Réessayez dans un quart d’heure, ou demandez une nouvelle invitation à un responsable.",
	busy: "Trop de personnes se connectent en même temps. Réessayez dans quelques secondes.",
	incomplete: "Remplissez les deux champs.",
	closed:
		"Ce lien n’est plus valable\u00a0: il a servi, il a été remplacé ou il a plus de 48\u00a0heures. Demandez une nouvelle invitation.",
	short: `Le mot de passe doit avoir au moins ${minPasswordLength} caractères.`,
	long: `Le mot de passe doit avoir au plus ${maxPasswordLength} caractères.`,
	passkey: "La clé d’accès n’a pas ouvert le bureau. Réessayez, ou utilisez votre mot de passe.",
	wrongPassword: "Le mot de passe n’est pas le bon.",
	stale: "Pour changer votre accès, quittez le bureau, puis reconnectez-vous\u00a0: c’est possible pendant un quart d’heure.",
	allEnded:
		"Toutes vos sessions sont terminées. Vos actions qui n’avaient pas commencé sont annulées, et vos appareils n’affichent plus d’alertes\u00a0: réinscrivez-les dans «\u00a0Mon accès\u00a0».",
	ended: "Votre accès vient d’être remplacé ailleurs. Reconnectez-vous.",
} as const;
