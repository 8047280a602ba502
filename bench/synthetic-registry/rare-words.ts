/**
 * Words that no list has: a name for every number, always the same one, built from French syllables.
 * Low numbers are drawn more often than high ones (see `lowOften`), so that a registry goes on showing new words as it grows,
 * as real ones do (Heaps' law).
 */

const syllables = [
	..."BA BE BI BO BOU BRA BRE BRI CA CHA CHE CLE CO COR COU CRE DA DE DO DU DRA FA FE FI FLO FOR FRA GA GE GI GO".split(" "),
	..."GRA GUE JA JO JU KA KE KO LA LE LI LO LU MA ME MI MO MU NA NE NI NO NOR OR PA PE PI PLA PO PRE QUE RA".split(" "),
	..."RE RI RO ROU SA SE SI SO SU TA TE TI TO TOU TRA TRE TRI VA VE VI VO VER YA ZA ZE ZO AL AN AR BEL BER BON".split(" "),
	..."CAM CAN CAR DAL DAN DEL DOR FAN FER GAL GAN GAR HEL HER LAN LAU MAN MAR MER MON MOR NAN PAN PAR PER POR RAN SAL".split(" "),
	..."SAN SEL SER SOL TAL TAN TER TOR VAL VAN VIN VOL".split(" "),
];
const surnameEndings =
	"EAU IER ARD OT IN ET AUD ON EL ERT AULT OUX EZ AC AY IN AIRE EUX OIS ANT ELLE ETTE IGNY OLLE ARD INEAU ICHE AGNE ERON IEUX OUL".split(
		" ",
	);
const brandEndings = [
	"",
	"",
	"",
	"",
	"",
	"X",
	"A",
	"IA",
	"EO",
	"YS",
	"IS",
	"TEC",
	"TECH",
	"IMMO",
	"BAT",
	"LAB",
	"LOG",
	"MED",
	"PRO",
	"CO",
	"ELEC",
	"NET",
	"DIS",
	"SERV",
	"FI",
	"VEST",
	"AGRI",
	"BIO",
	"GO",
	"UM",
	"ENZO",
	"IXE",
];

/** How many surnames there are. */
export const surnameCount = 300_000;

/** How many brand-like words there are, more than any registry shows. */
export const brandCount = 10_000_000;

/** A surname that sounds French. */
export function surname(number: number): string {
	const dice = scrambled(number, 1);
	const middle = number > 20_000 ? at(syllables, scrambled(number, 2)) : "";
	const name = at(syllables, dice) + middle + withoutLastVowel(at(syllables, dice >>> 8)) + at(surnameEndings, dice >>> 16);
	return number % 23 === 0
		? `LE ${name}`
		: number % 41 === 0
			? `${name}-${at(syllables, dice >>> 4)}${at(surnameEndings, dice >>> 20)}`
			: name;
}

/** A word like a brand, a place or a blend; some hold the beginning of one of `stems`, or a number. */
export function brand(number: number, stems: readonly string[]): string {
	const dice = scrambled(number, 4);
	const more = scrambled(number, 5);
	const short = at(syllables, dice) + at(syllables, dice >>> 10);
	switch (more & 7) {
		case 0:
			return at(stems, more >>> 3).slice(0, 3 + (dice % 4)) + at(syllables, dice >>> 10) + at(brandEndings, dice >>> 20);
		case 1:
			return short + at(stems, more >>> 3);
		case 2:
			return `${short}-${at(syllables, more >>> 3)}${at(syllables, more >>> 13)}`;
		case 3:
			return surname(scrambled(number, 6) % surnameCount);
		case 4:
			return short + at(brandEndings, more >>> 3) + ((dice >>> 8) % 100);
		default:
			return short + at(syllables, more >>> 3) + at(brandEndings, more >>> 13);
	}
}

function at(list: readonly string[], dice: number): string {
	return list[dice % list.length] as string;
}

function withoutLastVowel(text: string): string {
	return text.replace(/[AEIOUY]+$/, "");
}

/** 32 bits that look like nothing, the same for the same number and round (murmur3's finish). */
function scrambled(number: number, round: number): number {
	let bits = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(round, 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 0;
}
