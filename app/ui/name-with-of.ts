/**
 * « d’AIRBUS », « de DANONE »: « de » before a name, which elides where the name begins with a vowel or a mute h. Initials follow their first
 * letter as it is written (« d’EDF », « de SNCF »): usage elides none before the name of a consonant.
 */
export const nameWithOf = (name: string): string => (elides(name) ? `d’${name}` : `de ${name}`);

/** « qu’AIRBUS », « que DANONE », by the same rule. */
export const nameWithThat = (name: string): string => (elides(name) ? `qu’${name}` : `que ${name}`);

/** Y is a vowel before a consonant only (« d’Yves », « de Yoplait »). « Oui » and « onze » are said as if a consonant began them. */
const vowel = /^(?!(?:oui|onze|onzieme)(?!\p{L}))(?:[aeiouœæ]|y[b-df-hj-np-tv-xz])/u;

/** How French words with a mute h begin. Any other h keeps « de »: « de HSBC », « de HACHETTE », « de HAUTS DE FRANCE ». */
const muteH =
	/^h(?:abi|adr|alei|alog|armo|ebdo|eberg|ector|elen|eli|ema|emi|emo|enri|erault|erb|ercul|erit|ermes|ermin|ermit|erve|eter|eure|exa|ilair|ipp|ist|iver|omeo|omer|omm|omo|onn|onor|opita|oraire|oriz|orlo|oro|orte|orti|osp|ote|ugo|ugue|uil|uis|uitr|uma|ume|umi|umo|yb|yd|yg|ym|yp)/;

function elides(name: string): boolean {
	const folded = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
	return vowel.test(folded) || muteH.test(folded);
}
