import { Readable } from "node:stream";

/** A stream of Node.js as the body of a response. The types of Node.js and of the DOM describe the same class, each in its own words. */
export const toWebStream = (stream: Readable) => Readable.toWeb(stream) as ReadableStream;
