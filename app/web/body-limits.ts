import { maxFileBytes } from "../checkout/form/lines/list-file.ts";
import { maxExtractBytes } from "../orders/documents/extract-size.ts";

/** What a route reads of a body. A larger one is refused before anything is parsed. */
export interface BodyLimits {
	bytes: number;
	/** Fields and files of a form. Many small ones cost far more time and memory than their bytes. */
	fields: number;
	/** In which the whole body must arrive. */
	seconds: number;
	/** The route reads the body itself, once it knows the sender. */
	isReadByRoute?: true;
	/** Of a body with too many bytes, so many are read and discarded: a browser that is cut off never shows the answer. */
	maxRead?: number;
	/** Of a form with too many bytes, so many are kept: the fields before its file, so that its page shows again what was typed. */
	keptBytes?: number;
}

interface FormLimits {
	/** Of any body but the next. */
	usual: BodyLimits;
	/** Of a form with files (multipart/form-data). */
	files?: BodyLimits;
}

const kB = 1024;

const usual: BodyLimits = { bytes: 64 * kB, fields: 100, seconds: 60 };

/** Texts of operators have up to twenty thousand characters, of which each may be encoded with six. */
const longText: BodyLimits = { ...usual, bytes: 256 * kB };

/** Of operators, several files together are smaller than each may be alone: scripts send them one by one. */
const upload = (files: number): FormLimits => ({
	usual: { ...longText, fields: 1000 },
	files: { bytes: files * maxExtractBytes + usual.bytes, fields: 100, seconds: 600, isReadByRoute: true, maxRead: 256 * kB * kB },
});

/** The routes that read more than a usual form has. */
const rows: Readonly<Record<string, FormLimits>> = {
	// two hundred lines of four fields, whose every letter may be encoded; or a list with its file
	"/commande/plusieurs": {
		usual: { bytes: 512 * kB, fields: 1000, seconds: 60 },
		files: { bytes: maxFileBytes + 256 * kB, fields: 1000, seconds: 180, keptBytes: 256 * kB },
	},
	// a reference of two hundred lines
	"/suivi/:number/facture": { usual: { bytes: 256 * kB, fields: 300, seconds: 60 } },
	// a box for each of two hundred lines
	"/retractation": { usual: { ...usual, fields: 300 } },
	"/api/stripe/webhook": { usual: longText },
	"/bureau/commandes/:number": upload(1),
	"/bureau/commandes/:number/extrait": upload(1),
	"/bureau/fichiers": upload(4),
	// the tracking numbers of a day
	"/bureau/courrier": { usual: { ...longText, fields: 1000 } },
	"/bureau/messages/:id": { usual: longText },
	"/bureau/messages/modeles": { usual: longText },
	"/bureau/messages": { usual: longText },
	"/bureau/action": { usual: longText },
};

/** The longest time that any body has, in seconds. */
export const maxBodySeconds = Math.max(...Object.values(rows).map(({ files }) => files?.seconds ?? usual.seconds));

/** @param pattern of the route, as in app/routes.ts. @param isMultipart whether the body is a form with files. */
export function getBodyLimits(pattern: string, isMultipart: boolean): BodyLimits {
	const row = rows[pattern];
	return (isMultipart && row?.files) || (row?.usual ?? usual);
}
