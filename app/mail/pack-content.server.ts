import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

/** What a mailbox shows of an e-mail. */
export interface EmailText {
	subject: string;
	text: string;
	html: string;
}

/** The size against the time, as measured in docs/decisions/0037-emails-as-they-left.md. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Compresses an e-mail as one text: its HTML repeats the words of its text. */
export const packContent = ({ subject, text, html }: EmailText): Promise<Buffer> =>
	compress(JSON.stringify({ subject, text, html }), { params });

export const unpackContent = async (content: Uint8Array): Promise<EmailText> => JSON.parse((await decompress(content)).toString());
