import { createEncryption } from "../../../server/environment/encryption.ts";

/** Encrypts the copies of orders, each under the name of its object, so that a copy cannot replace another order's. */
export const { encrypt: encryptCopy, decrypt: decryptCopy, getCurrentKeyId } = createEncryption("copies of orders");

export type { KeySource } from "../../../server/environment/encryption.ts";
