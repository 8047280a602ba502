import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/** Highest age of a request in milliseconds, as on Amazon's servers. */
const maxSkewMs = 15 * 60_000;

/**
 * Checks the signature in a request's headers, version 4 for S3
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html), and that the body was signed.
 * @returns the code of S3's error, or null when it is valid.
 */
export function refuseSignature(
	request: IncomingMessage,
	body: Buffer,
	keys: { accessKeyId: string; secretAccessKey: string },
): string | null {
	const form =
		/^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
	const [, accessKeyId, day, region, signedHeaders, signature] = form.exec(request.headers.authorization ?? "") ?? [];
	if (!day || !region || !signedHeaders || !signature) return "AccessDenied";
	if (accessKeyId !== keys.accessKeyId) return "InvalidAccessKeyId";

	const header = (name: string) => String(request.headers[name] ?? "");
	const instant = header("x-amz-date");
	const sent = Date.parse(instant.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
	if (!instant.startsWith(day) || !(Math.abs(Date.now() - sent) < maxSkewMs)) return "RequestTimeTooSkewed";

	const names = signedHeaders.split(";");
	const amazons = Object.keys(request.headers).filter((name) => name.startsWith("x-amz-"));
	if (["host", ...amazons].some((name) => !names.includes(name))) return "AccessDenied";
	const announced = header("x-amz-content-sha256");
	const [path = "", query = ""] = (request.url ?? "").split("?");
	const canonical = [
		request.method,
		path,
		query
			.split("&")
			.filter(Boolean)
			.map((pair) => (pair.includes("=") ? pair : `${pair}=`))
			.sort()
			.join("&"),
		...names.map((name) => `${name}:${header(name).trim().replace(/ +/g, " ")}`),
		"",
		signedHeaders,
		announced,
	].join("\n");
	const scope = `${day}/${region}/s3/aws4_request`;
	const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
	const expected = hmac(key, ["AWS4-HMAC-SHA256", instant, scope, sha256(canonical)].join("\n"));
	if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) return "SignatureDoesNotMatch";
	return announced === "UNSIGNED-PAYLOAD" || announced === sha256(body) ? null : "XAmzContentSHA256Mismatch";
}
