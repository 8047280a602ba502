/**
 * A word of French syllables for every number, always the same one. Low numbers are drawn more often than high ones, so that a growing
 * registry keeps showing new words, as real ones do (Heaps' law).
 */

const syllables = `BA BE BI BO BOU BRA BRE BRI CA CHA CHE CLE CO COR COU CRE DA DE DO DU DRA FA FE FI FLO FOR FRA GA GE GI GO   GRA GUE JA
	JO JU KA KE KO LA LE LI LO LU MA ME MI MO MU NA NE NI NO NOR OR PA PE PI PLA PO PRE QUE RA   RE RI RO ROU SA SE SI SO SU
	TA TE TI TO TOU TRA TRE TRI VA VE VI VO VER YA ZA ZE ZO AL AN AR BEL BER BON   CAM CAN CAR DAL DAN DEL DOR FAN FER GAL
	GAN GAR HEL HER LAN LAU MAN MAR MER MON MOR NAN PAN PAR PER POR RAN SAL   SAN SEL SER SOL TAL TAN TER TOR VAL VAN VIN
	VOL`.split(/\s+/);
const surnameEndings =
	"EAU IER ARD OT IN ET AUD ON EL ERT AULT OUX EZ AC AY IN AIRE EUX OIS ANT ELLE ETTE IGNY OLLE ARD INEAU ICHE AGNE ERON IEUX OUL".split(
		" ",
	);
const brandEndings = ",,,,,X,A,IA,EO,YS,IS,TEC,TECH,IMMO,BAT,LAB,LOG,MED,PRO,CO,ELEC,NET,DIS,SERV,FI,VEST,AGRI,BIO,GO,UM,ENZO,IXE".split(
	",",
);

export const surnameCount = 300_000;
export const brandCount = 10_000_000;

/** A surname that sounds French. */
export function surname(number: number): string {
	const bits = hash(number, 1);
	const middle = number > 20_000 ? at(syllables, hash(number, 2)) : "";
	const name = at(syllables, bits) + middle + withoutLastVowel(at(syllables, bits >>> 8)) + at(surnameEndings, bits >>> 16);
	return number % 23 === 0
		? `LE ${name}`
		: number % 41 === 0
			? `${name}-${at(syllables, bits >>> 4)}${at(surnameEndings, bits >>> 20)}`
			: name;
}

/** A word like a brand or a place; some contain one of `stems`, its beginning, or a number. */
export function brand(number: number, stems: readonly string[]): string {
	const bits = hash(number, 4);
	const more = hash(number, 5);
	const short = at(syllables, bits) + at(syllables, bits >>> 10);
	switch (more & 7) {
		case 0:
			return at(stems, more >>> 3).slice(0, 3 + (bits % 4)) + at(syllables, bits >>> 10) + at(brandEndings, bits >>> 20);
		case 1:
			return short + at(stems, more >>> 3);
		case 2:
			return `${short}-${at(syllables, more >>> 3)}${at(syllables, more >>> 13)}`;
		case 3:
			return surname(hash(number, 6) % surnameCount);
		case 4:
			return short + at(brandEndings, more >>> 3) + ((bits >>> 8) % 100);
		default:
			return short + at(syllables, more >>> 3) + at(brandEndings, more >>> 13);
	}
}

function at(list: readonly string[], bits: number): string {
	return list[bits % list.length] as string;
}

function withoutLastVowel(text: string): string {
	return text.replace(/[AEIOUY]+$/, "");
}

/** 32 pseudo-random bits for a number and a round (the finalizer of murmur3). */
function hash(number: number, round: number): number {
	let bits = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(round, 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 0;
}
