import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** An authenticator of a device (W3C Web Authentication), with one passkey on the curve P-256. */
export function createAuthenticator(deskUrl: string) {
	const { origin, hostname } = new URL(deskUrl);
	const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const { x = "", y = "" } = publicKey.export({ format: "jwk" });
	const id = randomBytes(16);
	let counter = 0;
	const describe = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
	/** @param flags user present and verified, and 64 with a new key. */
	const createData = (flags: number, ...rest: Uint8Array[]) =>
		Buffer.concat([sha256(hostname), Buffer.from([flags]), toBytes(++counter, 4), ...rest]);
	const credential = {
		id: id.toString("base64url"),
		rawId: id.toString("base64url"),
		type: "public-key",
		clientExtensionResults: {},
	} as const;
	return {
		/** The answer to the challenge that adds the passkey. */
		register(challenge: string) {
			const key = isoCBOR.encode(
				new Map<number, number | Uint8Array>([
					[1, 2],
					[3, -7],
					[-1, 1],
					[-2, new Uint8Array(Buffer.from(x, "base64url"))],
					[-3, new Uint8Array(Buffer.from(y, "base64url"))],
				]),
			);
			const authData = new Uint8Array(createData(5 + 64, Buffer.alloc(16), toBytes(id.length, 2), id, key));
			const attestation = new Map<string, unknown>([
				["fmt", "none"],
				["attStmt", new Map()],
				["authData", authData],
			]);
			const response = {
				clientDataJSON: describe("webauthn.create", challenge).toString("base64url"),
				attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url"),
			};
			return { ...credential, response };
		},
		/** The answer to the challenge that signs in. */
		signIn(challenge: string) {
			const [clientData, authData] = [describe("webauthn.get", challenge), createData(5)];
			const signature = sign("sha256", Buffer.concat([authData, sha256(clientData)]), privateKey);
			const response = { clientDataJSON: clientData, authenticatorData: authData, signature };
			const texts = Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]));
			return { ...credential, response: texts };
		},
	};
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

function toBytes(number: number, length: number): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.writeUIntBE(number, 0, length);
	return bytes;
}
