import type { GetObjectCommandOutput, S3Client } from "@aws-sdk/client-s3";
import type { Environment } from "../../server/environment/environment.ts";
import { contentAddress, isSameContent } from "./content-address.server.ts";
import { type DocumentStorage, LostFile } from "./storage.ts";

type Settings = NonNullable<Environment["s3"]>;

/**
 * Milliseconds: to connect, to be answered and between two pieces of an answer; in all, for a named object, for which a transaction may
 * wait, and to say whether the bucket can be written to.
 */
const usualPatience = { connect: 2000, request: 15_000, object: 8000, probe: 2000 };

interface Written {
	/** Hexadecimal. */
	sha256?: string;
	ContentType?: string;
	abortSignal?: AbortSignal;
}

/**
 * Keeps documents in a bucket of S3, or of whatever speaks its language, under the same paths as on disk. An object is there
 * whole or not at all, and the server refuses one whose SHA-256 is not the one announced. The key needs `s3:PutObject`,
 * `s3:GetObject`, `s3:DeleteObject`, and `s3:ListBucket`, without which a bucket does not say that it exists.
 */
export function s3Storage(settings: Settings, patience = usualPatience): DocumentStorage {
	const Bucket = settings.bucket;
	const s3 = openOnce(settings, patience);

	const write = async (
		Key: string,
		Body: Uint8Array,
		{ sha256 = contentAddress(Body).sha256, ContentType = "application/pdf", abortSignal }: Written = {},
	) => {
		const { client, PutObjectCommand } = await s3();
		const ChecksumSHA256 = Buffer.from(sha256, "hex").toString("base64");
		await client.send(new PutObjectCommand({ Bucket, Key, Body, ChecksumSHA256, ContentType }), { abortSignal });
	};
	const objectsPatience = () => AbortSignal.timeout(patience.object);

	// that the key may write is learnt by writing, once; then, and as long as nothing fails, it is enough that the bucket answers
	let hasWritten = false;
	async function probe(): Promise<boolean> {
		try {
			const { client, HeadBucketCommand } = await s3();
			const abortSignal = AbortSignal.timeout(patience.probe);
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
		putObject: (name, bytes) => write(name, bytes, { ContentType: "application/octet-stream", abortSignal: objectsPatience() }),
		async findObject(Key) {
			const { client, GetObjectCommand, NoSuchKey } = await s3();
			try {
				const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal: objectsPatience() });
				return await bytesOf(Key, Body);
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
			return isSameContent(path, await bytesOf(path, Body));
		},
		async remove(path) {
			const { client, DeleteObjectCommand } = await s3();
			await client.send(new DeleteObjectCommand({ Bucket, Key: path }));
		},
		async *list(Prefix, StartAfter) {
			const { client, ListObjectsV2Command } = await s3();
			for (let last = StartAfter; ; ) {
				const page = new ListObjectsV2Command({ Bucket, Prefix, StartAfter: last });
				const { Contents = [], IsTruncated } = await client.send(page, { abortSignal: objectsPatience() });
				for (const { Key, LastModified } of Contents) if (Key && LastModified) yield { path: Key, at: LastModified };
				last = Contents.at(-1)?.Key;
				if (!IsTruncated || last === undefined) return;
			}
		},
		sweep: async () => 0, // an object is there whole or not at all
		ready: probe,
		readyTtlMs: 3000,
	};
}

async function bytesOf(name: string, Body: GetObjectCommandOutput["Body"]): Promise<Uint8Array> {
	if (Body === undefined) throw new Error(`the bucket gave no content for ${name}`);
	return Body.transformToByteArray();
}

/** The SDK is loaded when it is first needed: it takes 150 to 200 ms, which a shop without S3 does not owe. */
function openOnce({ endpoint, region, accessKeyId, secretAccessKey }: Settings, { connect, request }: typeof usualPatience) {
	let opened: Promise<typeof import("@aws-sdk/client-s3") & { client: S3Client }> | undefined;
	return () => {
		opened ??= import("@aws-sdk/client-s3").then((sdk) => ({
			...sdk,
			client: new sdk.S3Client({
				region,
				credentials: { accessKeyId, secretAccessKey },
				// not every server has a host name for each bucket, nor knows the checksums that the SDK adds of its own accord
				...(endpoint && { endpoint, forcePathStyle: true }),
				requestChecksumCalculation: "WHEN_REQUIRED",
				responseChecksumValidation: "WHEN_REQUIRED",
				maxAttempts: 4,
				requestHandler: { connectionTimeout: connect, requestTimeout: request, socketTimeout: request, throwOnRequestTimeout: true },
			}),
		}));
		return opened;
	};
}
