import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface ReceivedPush {
	headers: IncomingHttpHeaders;
	/** As the browser decrypts it. */
	message: unknown;
	/** Whether the shop's VAPID key signed it (RFC 8292). */
	isSigned: boolean;
}

/** A push service with one browser on loopback: it takes, verifies and decrypts messages as RFC 8030, 8291 and 8292 say. */
export async function startFakePushService(vapidPublicKey: string) {
	const browser = createECDH("prime256v1");
	const publicKey = browser.generateKeys();
	const auth = randomBytes(16);
	const received: ReceivedPush[] = [];
	let status = 201;
	const server = createServer(async (request, response) => {
		const body = await buffer(request);
		if (status === 201) {
			const message = JSON.parse(decrypt(body));
			received.push({ headers: request.headers, message, isSigned: isSigned(request.headers.authorization, vapidPublicKey) });
		}
		response.writeHead(status, { location: "/elsewhere" }).end();
	});
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/device`;

	/** RFC 8291, 3.4, and RFC 8188 for one record. */
	function decrypt(body: Buffer): string {
		const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
		const [senderKey, sealed] = [body.subarray(21, 21 + keyLength), body.subarray(21 + keyLength)];
		const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
		const input = Buffer.from(hkdfSync("sha256", browser.computeSecret(senderKey), auth, info, 32));
		const derive = (name: string, length: number) => Buffer.from(hkdfSync("sha256", input, salt, `Content-Encoding: ${name}\0`, length));
		const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
		decipher.setAuthTag(sealed.subarray(-16));
		const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
		// a record ends with 2 and zeros
		return padded.subarray(0, padded.lastIndexOf(2)).toString();
	}

	return {
		device: { endpoint, p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") },
		received,
		/** How it answers from now on; 201 takes the message. */
		answerWith(next: number) {
			status = next;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}

/** Whether `vapid t=<token>, k=<key>` has the shop's key and its signature. */
function isSigned(authorization: string | undefined, vapidPublicKey: string): boolean {
	const [, head, body, signature, key] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization ?? "") ?? [];
	if (key !== vapidPublicKey || signature === undefined) return false;
	const point = Buffer.from(vapidPublicKey, "base64url");
	const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
	const jwk = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
	return verify("sha256", Buffer.from(`${head}.${body}`), { key: jwk, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
}
