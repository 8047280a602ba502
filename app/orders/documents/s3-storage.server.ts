import type { GetObjectCommandOutput, S3Client } from "@aws-sdk/client-s3";
import type { Environment } from "../../../server/environment/environment.ts";
import { contentAddress, verifyContent } from "./content-address.server.ts";
import { type DocumentStorage, LostFile } from "./storage.ts";

type Settings = NonNullable<Environment["s3"]>;

/**
 * In milliseconds: `request` also limits the pause between two parts of a response, `object` limits a whole call for a named object
 * (a transaction may be waiting), `probe` limits the readiness check.
 */
const defaultTimeouts = { connect: 2000, request: 15_000, object: 8000, probe: 2000 };

interface WriteOptions {
	/** Hexadecimal. */
	sha256?: string;
	ContentType?: string;
	abortSignal?: AbortSignal;
}

/**
 * Stores documents in a bucket of S3 or a compatible server, under the same paths as on disk. Writes are atomic, and the server checks
 * the SHA-256. The key needs `s3:PutObject`, `s3:GetObject`, `s3:DeleteObject` and `s3:ListBucket`.
 */
export function s3Storage(settings: Settings, timeouts = defaultTimeouts): DocumentStorage {
	const Bucket = settings.bucket;
	const s3 = createLazyClient(settings, timeouts);

	const write = async (
		Key: string,
		Body: Uint8Array,
		{ sha256 = contentAddress(Body).sha256, ContentType = "application/pdf", abortSignal }: WriteOptions = {},
	) => {
		const { client, PutObjectCommand } = await s3();
		const ChecksumSHA256 = Buffer.from(sha256, "hex").toString("base64");
		await client.send(new PutObjectCommand({ Bucket, Key, Body, ChecksumSHA256, ContentType }), { abortSignal });
	};
	const abortAfterTimeout = () => AbortSignal.timeout(timeouts.object);

	// the first check writes, to test the permission; later ones only ask for the bucket, until one fails
	let hasWritten = false;
	async function probe(): Promise<boolean> {
		try {
			const { client, HeadBucketCommand } = await s3();
			const abortSignal = AbortSignal.timeout(timeouts.probe);
			if (hasWritten) await client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
			else await write("ready", new Uint8Array(0), { abortSignal });
			hasWritten = true;
		} catch {
			hasWritten = false;
		}
		return hasWritten;
	}

	return {
		name: "s3",
		async put(bytes) {
			const stored = contentAddress(bytes);
			await write(stored.path, bytes, stored);
			return stored;
		},
		putObject: (name, bytes) => write(name, bytes, { ContentType: "application/octet-stream", abortSignal: abortAfterTimeout() }),
		async findObject(Key) {
			const { client, GetObjectCommand, NoSuchKey } = await s3();
			try {
				const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal: abortAfterTimeout() });
				return await readBody(Key, Body);
			} catch (error) {
				if (error instanceof NoSuchKey) return null;
				throw error;
			}
		},
		async get(path) {
			const { client, GetObjectCommand, NoSuchKey } = await s3();
			const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: path })).catch((error) => {
				throw error instanceof NoSuchKey ? new LostFile(`the stored file ${path} is not in the bucket`) : error;
			});
			return verifyContent(path, await readBody(path, Body));
		},
		async remove(path) {
			const { client, DeleteObjectCommand } = await s3();
			await client.send(new DeleteObjectCommand({ Bucket, Key: path }));
		},
		async *list(Prefix, StartAfter) {
			const { client, ListObjectsV2Command } = await s3();
			for (let last = StartAfter; ; ) {
				const page = new ListObjectsV2Command({ Bucket, Prefix, StartAfter: last });
				const { Contents = [], IsTruncated } = await client.send(page, { abortSignal: abortAfterTimeout() });
				for (const { Key, LastModified } of Contents) if (Key && LastModified) yield { path: Key, at: LastModified };
				last = Contents.at(-1)?.Key;
				if (!IsTruncated || last === undefined) return;
			}
		},
		sweep: async () => 0, // writes are atomic
		ready: probe,
		readyTtlMs: 3000,
	};
}

async function readBody(name: string, Body: GetObjectCommandOutput["Body"]): Promise<Uint8Array> {
	if (Body === undefined) throw new Error(`the bucket gave no content for ${name}`);
	return Body.transformToByteArray();
}

/** Loads the SDK at the first use, because that takes 150 to 200 ms. */
function createLazyClient({ endpoint, region, accessKeyId, secretAccessKey }: Settings, { connect, request }: typeof defaultTimeouts) {
	let client: Promise<typeof import("@aws-sdk/client-s3") & { client: S3Client }> | undefined;
	return () => {
		client ??= import("@aws-sdk/client-s3").then((sdk) => ({
			...sdk,
			client: new sdk.S3Client({
				region,
				credentials: { accessKeyId, secretAccessKey },
				// other servers may lack host names for buckets, or the SDK's default checksums
				...(endpoint && { endpoint, forcePathStyle: true }),
				requestChecksumCalculation: "WHEN_REQUIRED",
				responseChecksumValidation: "WHEN_REQUIRED",
				maxAttempts: 4,
				requestHandler: { connectionTimeout: connect, requestTimeout: request, socketTimeout: request, throwOnRequestTimeout: true },
			}),
		}));
		return client;
	};
}
