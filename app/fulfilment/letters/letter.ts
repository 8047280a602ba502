import type { LetterAddress } from "../../orders/letter-address.ts";

/** A letter to print. */
export interface Letter {
	orderId: string;
	orderNumber: string;
	companyName: string;
	siren: string;
	orderedAt: Date;
	address: LetterAddress;
	/** Where its extract is stored; null when it is not there any more. */
	extractPath: string | null;
	/** Its SHA-256, in hexadecimal. */
	extractHash: string;
	isPrinted: boolean;
}
