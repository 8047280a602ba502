import { Readable } from "node:stream";

/** A stream of Node.js as the body of a response. Node.js and the DOM type this class differently. */
export const toWebStream = (stream: Readable) => Readable.toWeb(stream) as ReadableStream;
