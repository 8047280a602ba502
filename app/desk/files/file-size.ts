import { maxExtractBytes } from "../../documents/extract-size.ts";

export const tooLargeSentence = "Ce fichier dépasse 10\u00a0Mo\u00a0: un extrait n’est jamais aussi lourd. Il n’est pas envoyé.";

export const isTooLarge = ({ size }: Pick<File, "size">): boolean => size > maxExtractBytes;
