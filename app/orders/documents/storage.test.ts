import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type FakeS3, startFakeS3 } from "../../../test/fakes/s3.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { contentAddress } from "./content-address.server.ts";
import { diskStorage } from "./disk-storage.server.ts";
import { s3Storage } from "./s3-storage.server.ts";
import { type DocumentStorage, LostFile } from "./storage.ts";

const encode = (words: string) => new TextEncoder().encode(words);
const computeHash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function listPaths(names: AsyncIterable<{ path: string }>): Promise<string[]> {
	const all: string[] = [];
	for await (const { path } of names) all.push(path);
	return all;
}

interface TestStorage {
	storage: DocumentStorage;
	/** The names of all files, finished or not. */
	files: () => string[] | Promise<string[]>;
	/** Replaces the content of a file without the storage. */
	alter: (path: string, bytes: Uint8Array<ArrayBuffer>) => unknown;
	close: () => unknown;
}

async function listFiles(storage: DocumentStorage): Promise<{ path: string; at: Date }[]> {
	const listed = [];
	for await (const file of storage.list()) listed.push(file);
	return listed;
}

/** All implementations of the contract pass the same tests. */
const implementations: { name: string; open: () => Promise<TestStorage> }[] = [
	{
		name: "disk",
		async open() {
			const folder = mkdtempSync(join(tmpdir(), "documents-"));
			return {
				storage: diskStorage(join(folder, "documents")),
				files: () => listNamesBelow(folder),
				alter: (path, bytes) => writeFileSync(join(folder, "documents", path), bytes),
				close: () => rmSync(folder, { recursive: true }),
			};
		},
	},
	{
		name: "s3",
		async open() {
			const s3 = await startFakeS3();
			return {
				storage: s3Storage(s3),
				files: () => s3.files().filter((name) => name !== "ready"),
				alter: s3.alter,
				close: s3.close,
			};
		},
	},
];

/** Returns the target of a link; empty when it has disappeared. */
const readLink = (path: string) => {
	try {
		return readlinkSync(path);
	} catch {
		return "";
	}
};

const listNamesBelow = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ name }) => name);

describe.each(implementations)("a storage: $name", ({ name, open }) => {
	let opened: TestStorage;
	beforeAll(async () => {
		opened = await open();
	});
	afterAll(() => opened?.close());

	test("has a name, and checks readiness without leaving a document", async () => {
		expect(opened.storage.name).toBe(name);
		for (let time = 0; time < 2; time++) expect(await opened.storage.ready()).toBe(true);
		expect(await opened.files()).toEqual([]);
	});

	test("returns the same bytes, and their hash", async () => {
		const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
		const large = new Uint8Array(5 * 1024 * 1024).map((_, index) => (index * 2_654_435_761) >>> 24);
		for (const bytes of [everyByte, new Uint8Array(0), new Uint8Array(1), encode("été"), large]) {
			const stored = await opened.storage.put(bytes);
			const sha256 = computeHash(bytes);
			expect(stored).toEqual({ path: `${sha256.slice(0, 2)}/${sha256}.pdf`, sha256, bytes: bytes.byteLength });
			expect(Buffer.from(await opened.storage.get(stored.path)).equals(bytes)).toBe(true);
		}
	});

	test("lists all finished files with their storage dates", async () => {
		const { path } = await opened.storage.put(encode("listed"));
		const listed = (await listFiles(opened.storage)).filter((file) => file.path !== "ready");
		const names = (await opened.files()).map((file) => file.replace(/^.*\//, "")).sort();
		expect(listed.map((file) => file.path.replace(/^.*\//, "")).sort()).toEqual(names);
		const found = listed.find((file) => file.path === path);
		expect(Math.abs((found?.at.getTime() ?? 0) - Date.now())).toBeLessThan(scaledTimeout(60_000));
	});

	test("stores equal files once, even concurrently", async () => {
		const before = (await opened.files()).length;
		const stored = await Promise.all(Array.from({ length: 10 }, () => opened.storage.put(encode("once"))));
		expect(new Set(stored.map(({ path }) => path)).size).toBe(1);
		await opened.storage.put(encode("once"));
		expect(await opened.files()).toHaveLength(before + 1);
	});

	test("stores only the viewed part of a larger buffer", async () => {
		const { path } = await opened.storage.put(encode("before inside after").subarray(7, 13));
		expect(Buffer.from(await opened.storage.get(path)).toString()).toBe("inside");
	});

	test("reports a missing file as lost", async () => {
		await expect(opened.storage.get(`00/${"0".repeat(64)}.pdf`)).rejects.toThrow(LostFile);
	});

	test("reports an altered, truncated or empty file as lost, until it is stored again", async () => {
		const bytes = encode("an extract that somebody touches");
		const { path } = await opened.storage.put(bytes);
		for (const wrong of [encode("an extract that somebody touched"), bytes.slice(0, -1), new Uint8Array(0)]) {
			await opened.alter(path, wrong);
			const fault = await opened.storage.get(path).catch((error) => error);
			expect(fault).toBeInstanceOf(LostFile);
			expect(fault.message).toContain("has not the content that its name says");
		}
		await opened.storage.put(bytes);
		expect(Buffer.from(await opened.storage.get(path)).equals(bytes)).toBe(true);
	});

	test("deletes a file, even twice, and no other", async () => {
		const [first, second] = [await opened.storage.put(encode("to be purged")), await opened.storage.put(encode("to be kept"))];
		await opened.storage.remove(first.path);
		await expect(opened.storage.get(first.path)).rejects.toThrow(LostFile);
		await opened.storage.remove(first.path);
		expect(Buffer.from(await opened.storage.get(second.path)).toString()).toBe("to be kept");
		expect(await opened.storage.put(encode("to be purged"))).toEqual(first);
	});

	test("returns the last object stored under a name; null when there is none", async () => {
		expect(await opened.storage.findObject("orders/first")).toBeNull();
		for (const words of ["one", "another", ""]) {
			await opened.storage.putObject("orders/first", encode(words));
			expect(Buffer.from((await opened.storage.findObject("orders/first")) ?? []).toString()).toBe(words);
		}
		await opened.storage.putObject("orders/second", encode("beside it"));
		await opened.storage.remove("orders/first");
		await opened.storage.remove("orders/first");
		expect(await opened.storage.findObject("orders/first")).toBeNull();
		expect(Buffer.from((await opened.storage.findObject("orders/second")) ?? []).toString()).toBe("beside it");
		await opened.storage.remove("orders/second");
	});

	test("stores one of two objects put under a name at once, whole", async () => {
		const texts = ["a longer text", "short"];
		for (let round = 0; round < 50; round++) {
			await Promise.all(texts.map((text) => opened.storage.putObject("orders/third", encode(text))));
			expect(texts).toContain(Buffer.from((await opened.storage.findObject("orders/third")) ?? []).toString());
		}
		await opened.storage.remove("orders/third");
	});

	test("lists objects by prefix in order, optionally after a name", async () => {
		const list = async (prefix: string, after?: string) => listPaths(opened.storage.list(prefix, after));
		expect(await list("numbers/")).toEqual([]);
		const names = ["numbers/A2026-000001", "numbers/F2025-000009", "numbers/F2026-000001", "numbers/F2026-000002", "numbers/F2026-000010"];
		for (const name of [...names].reverse()) await opened.storage.putObject(name, encode(name));
		await opened.storage.put(encode("a document beside them"));
		expect(await list("numbers/")).toEqual(names);
		expect(await list("numbers/F2026-")).toEqual(names.slice(2));
		expect(await list("numbers/F2026-", "numbers/F2026-000001")).toEqual(names.slice(3));
		expect(await list("numbers/F2026-", "numbers/F2026-000010")).toEqual([]);
		expect(await list("numbers/F2027-")).toEqual([]);
		const others = ["more-numbers/F2026-000003", "numbers-of-old/F2026-000004"];
		for (const other of others) await opened.storage.putObject(other, encode(other));
		expect(await list("numbers/F2026-")).toEqual(names.slice(2));
		expect((await list("")).filter((path) => path.includes("numbers"))).toEqual([...others, ...names]);
		for (const name of [...others, ...names]) await opened.storage.remove(name);
	});

	test("sweeping deletes no finished file, however old", async () => {
		const { path } = await opened.storage.put(encode("whole"));
		await opened.storage.putObject(`orders/${randomUUID()}`, encode("whole"));
		const before = (await opened.files()).length;
		expect(await opened.storage.sweep(-86_400_000)).toBe(0);
		expect(await opened.files()).toHaveLength(before);
		expect(Buffer.from(await opened.storage.get(path)).toString()).toBe("whole");
	});
});

describe("the disk storage", () => {
	let folder = "";
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "documents-"));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	test("sweeping deletes old unfinished files; a missing folder has none", async () => {
		const storage = diskStorage(join(folder, "documents"));
		expect(await storage.sweep(0)).toBe(0);
		const { path } = await storage.put(encode("whole"));
		const [old, recent] = [0, 1].map(() => join(folder, "documents", `${path}.${randomUUID()}`)) as [string, string];
		for (const staging of [old, recent]) writeFileSync(staging, "half");
		const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
		utimesSync(old, ago(5), ago(5));
		utimesSync(recent, ago(3), ago(3));
		// a dangling link is like a file that another process swept in the meantime
		symlinkSync(join(folder, "gone"), join(folder, "documents", `${path}.${randomUUID()}`));
		expect(await storage.sweep(4 * 3_600_000)).toBe(1);
		expect(existsSync(old)).toBe(false);
		expect(existsSync(recent)).toBe(true);
		expect(readdirSync(join(folder, "documents")).filter((name) => name.startsWith("."))).toEqual([]);
	});

	test("a file that is being written is not swept by a process whose clock is days ahead", async () => {
		const storage = diskStorage(folder);
		const { path } = await storage.put(encode("whole"));
		writeFileSync(join(folder, `${path}.${randomUUID()}`), "half");
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * 86_400_000 });
		try {
			expect(await storage.sweep(86_400_000)).toBe(0);
		} finally {
			vi.useRealTimers();
		}
	});

	test("a missing folder is no lost file, because the disk may not be mounted", async () => {
		const fault = await diskStorage(join(folder, "documents"))
			.get(`00/${"0".repeat(64)}.pdf`)
			.catch((error) => error);
		expect(fault).toMatchObject({ code: "ENOENT" });
		expect(fault).not.toBeInstanceOf(LostFile);
	});

	test("a file that cannot be read is no lost file", async () => {
		const path = `00/${"0".repeat(64)}.pdf`;
		mkdirSync(join(folder, path), { recursive: true });
		const fault = await diskStorage(folder)
			.get(path)
			.catch((error) => error);
		expect(fault).toMatchObject({ code: "EISDIR" });
		expect(fault).not.toBeInstanceOf(LostFile);
	});

	test("is not ready when its folder cannot be created or written", async () => {
		writeFileSync(join(folder, "documents"), "a file where the folder should be");
		expect(await diskStorage(join(folder, "documents")).ready()).toBe(false);
		// permissions do not stop root, but /proc does
		const closed = process.getuid?.() === 0 ? "/proc/self" : join(folder, "closed");
		if (closed.startsWith(folder)) mkdirSync(closed, { mode: 0o500 });
		expect(await diskStorage(closed).ready()).toBe(false);
	});

	// A child process gets a private disk of 128 kB if it may mount one (ENOSPC), or else a limit on file sizes (EFBIG).
	test("a full disk refuses a file, keeps no part of it, and loses no other file", async () => {
		const program = `
			const { diskStorage } = await import(${JSON.stringify(resolve("app/orders/documents/disk-storage.server.ts"))});
			const { readdirSync } = await import("node:fs");
			const storage = diskStorage(process.argv[1]);
			const small = await storage.put(new Uint8Array(1000).fill(1));
			const refused = await storage.put(new Uint8Array(300_000).fill(2)).then(() => "stored", (error) => error.code);
			const files = readdirSync(process.argv[1], { recursive: true }).filter((name) => name.includes("."));
			console.log(JSON.stringify({ refused, files, small: small.path, intact: (await storage.get(small.path)).length }));`;
		const script = `
			if unshare -rm mount -t tmpfs none "$1" 2>/dev/null
			then exec unshare -rm sh -c 'mount -t tmpfs -o size=128k none "$1" && exec "$2" -e "$3" "$1"' sh "$@"
			else ulimit -f 128; exec "$2" -e "$3" "$1"; fi`;
		const { stdout } = await promisify(execFile)("sh", ["-c", script, "sh", folder, process.execPath, program]);
		const output = JSON.parse(stdout);
		expect(output).toEqual({
			refused: expect.stringMatching(/^(ENOSPC|EFBIG)$/),
			files: [output.small],
			small: output.small,
			intact: 1000,
		});
	});

	test("is not ready when the disk is full", async () => {
		const program = `
			const { diskStorage } = await import(${JSON.stringify(resolve("app/orders/documents/disk-storage.server.ts"))});
			console.log(await diskStorage(process.argv[1]).ready());`;
		const { stdout } = await promisify(execFile)("sh", [
			"-c",
			'ulimit -f 0; exec "$1" -e "$2" "$3" | cat',
			"sh",
			process.execPath,
			program,
			folder,
		]);
		expect(stdout.trim()).toBe("false");
		expect(listNamesBelow(folder)).toEqual([]);
	});

	// a power cut loses what is only in the kernel's memory: names or bytes
	test.runIf(process.platform === "linux")("syncs a file before renaming it, and its folders before returning", async () => {
		const handle = await open(folder, "r");
		const { path } = contentAddress(encode("kept for good"));
		const [target, shelf] = [join(folder, path), join(folder, dirname(path))];
		const written: [string, boolean][] = [];
		const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(function (this: FileHandle) {
			written.push([readlinkSync(`/proc/self/fd/${this.fd}`).replace(/\.[0-9a-f-]{36}$/, " staged"), existsSync(target)]);
			return this.datasync();
		});
		await diskStorage(folder).put(encode("kept for good"));
		sync.mockRestore();
		await handle.close();
		const stillOpen = readdirSync("/proc/self/fd").filter((fd) => readLink(`/proc/self/fd/${fd}`).startsWith(folder));
		expect(stillOpen).toEqual([]);
		expect(written).toEqual([
			[`${target} staged`, false],
			[shelf, true],
			[folder, true],
		]);
	});

	test("sweeps unfinished named objects, and never lists them", async () => {
		const storage = diskStorage(folder);
		const name = `orders/${randomUUID()}`;
		await storage.putObject(name, encode("whole"));
		writeFileSync(join(folder, `${name}.${randomUUID()}`), "half");
		expect(await listPaths(storage.list("orders/"))).toEqual([name]);
		expect(await storage.sweep(-86_400_000)).toBe(1);
		expect(Buffer.from((await storage.findObject(name)) ?? []).toString()).toBe("whole");
	});

	test("hides its folder from other users of the machine from the first check on", async () => {
		expect(await diskStorage(join(folder, "new", "documents")).ready()).toBe(true);
		expect(statSync(join(folder, "new", "documents")).mode & 0o077).toBe(0);
	});

	test("lists no file that another process deletes meanwhile, and no folder", async () => {
		const storage = diskStorage(folder);
		await storage.putObject("orders/whole", encode("whole"));
		// a dangling link is like a file that was deleted after its folder was read
		symlinkSync(join(folder, "gone"), join(folder, "orders", "dangling"));
		symlinkSync(folder, join(folder, "orders", "link to a folder"));
		expect(await listPaths(storage.list())).toEqual(["orders/whole"]);
		writeFileSync(join(folder, "already"), "a file of somebody else");
		expect(await listPaths(storage.list("ready"))).toEqual([]);
	});

	test("hides documents from other users of the machine", async () => {
		const stored = await diskStorage(join(folder, "documents")).put(encode("mine"));
		expect(statSync(join(folder, "documents")).mode & 0o077).toBe(0);
		expect(statSync(join(folder, "documents", stored.path)).mode & 0o077).toBe(0);
		expect(readFileSync(join(folder, "documents", stored.path), "utf8")).toBe("mine");
	});
});

describe("the bucket storage", () => {
	let s3: FakeS3;
	beforeEach(async () => {
		s3 = await startFakeS3();
	});
	afterEach(() => s3.close());

	test("stores PDFs with their content type", async () => {
		const { path } = await s3Storage(s3).put(encode("%PDF-"));
		expect(s3.getType(path)).toBe("application/pdf");
	});

	test("stores objects without saying what they are", async () => {
		await s3Storage(s3).putObject("invoices/F2026-000001", encode("{}"));
		expect(s3.getType("invoices/F2026-000001")).toBe("application/octet-stream");
	});

	test.each(["SlowDown", "InternalError"] as const)("retries after %s", async (code) => {
		const storage = s3Storage(s3);
		s3.fail(2, code);
		const { path } = await storage.put(encode("at the third attempt"));
		s3.fail(2, code);
		expect(Buffer.from(await storage.get(path)).toString()).toBe("at the third attempt");
		expect(s3.state.requests).toBe(6);
	});

	test("throws after repeated failures, and stores nothing", async () => {
		s3.fail(10, "SlowDown");
		await expect(s3Storage(s3).put(encode("never"))).rejects.toThrow("reduce your request rate");
		expect(s3.files()).toEqual([]);
		expect(s3.state.requests).toBe(4); // the number of attempts is limited, because the job is retried
	});

	test("refuses a document that was altered in transit, and stores nothing", async () => {
		s3.state.garbled = 1;
		await expect(s3Storage(s3).put(encode("altered on its way"))).rejects.toThrow("checksum");
		expect(s3.files()).toEqual([]);
		const { path } = await s3Storage(s3).put(encode("altered on its way"));
		expect(s3.files()).toEqual([path]);
	});

	test("throws when the server is silent or stops within a response", async () => {
		const storage = s3Storage(s3, { connect: 200, request: 200, object: 200, probe: 200 });
		const { path } = await storage.put(new Uint8Array(100_000));
		s3.state.stalls = 10;
		expect(await storage.get(path).catch((error) => error)).not.toBeInstanceOf(LostFile);
		s3.state.stalls = 0;
		s3.state.delay = 1000;
		await expect(storage.put(encode("too slow"))).rejects.toThrow();
		expect(await storage.ready()).toBe(false);
		// the readiness check has a shorter timeout than storing, at the first call and later
		const timeouts = { connect: 5000, request: 15_000, object: 8000, probe: 100 };
		const withShortProbe = s3Storage(s3, timeouts);
		s3.state.delay = 300;
		expect(await withShortProbe.ready()).toBe(false);
		timeouts.probe = 15_000;
		expect(await withShortProbe.ready()).toBe(true);
		timeouts.probe = 100;
		expect(await withShortProbe.ready()).toBe(false);
	});

	test("is ready, not ready while the server is down, and ready again afterwards", async () => {
		const storage = s3Storage(s3);
		expect(await storage.ready()).toBe(true);
		await s3.down();
		expect(await storage.ready()).toBe(false);
		await expect(storage.put(encode("nowhere"))).rejects.toThrow();
		await s3.up();
		expect(await storage.ready()).toBe(true);
		expect(storage.readyTtlMs).toBe(3000);
		await s3.down();
		expect(await storage.ready()).toBe(false);
		// after an outage the key may be another one, so the permission to write is checked again
		await s3.up();
		s3.state.readOnly = true;
		expect(await storage.ready()).toBe(false);
	});

	test.each([
		["with a wrong secret", { secretAccessKey: "not the secret" }],
		["with an unknown key", { accessKeyId: "AKIANOBODY" }],
		["when the bucket does not exist", { bucket: "another" }],
	])("is not ready %s, and stores nothing", async (_case, wrong) => {
		const storage = s3Storage({ ...s3, ...wrong });
		expect(await storage.ready()).toBe(false);
		await expect(storage.put(encode("x"))).rejects.toThrow();
		expect(s3.files()).toEqual([]);
	});

	test("is not ready with a read-only key", async () => {
		s3.state.readOnly = true;
		expect(await s3Storage(s3).ready()).toBe(false);
	});

	test("lists more objects than one small page has", async () => {
		const storage = s3Storage(s3);
		s3.state.maxKeys = 2;
		const names = [1, 2, 3, 4, 5].map((number) => `orders/${number}`);
		for (const name of names) await storage.putObject(name, encode(name));
		expect(await listPaths(storage.list("orders/"))).toEqual(names);
		expect(await listPaths(storage.list("orders/", "orders/3"))).toEqual(names.slice(3));
		expect(s3.state.requests).toBe(5 + 3 + 1);
	});

	test("has a short timeout for named objects, because a transaction may be waiting", async () => {
		const storage = s3Storage(s3, { connect: 5000, request: 15_000, object: 100, probe: 2000 });
		s3.state.delay = 10_000;
		await expect(storage.findObject("invoices/F2026-000001")).rejects.toThrow();
		await expect(storage.putObject("invoices/F2026-000001", encode("x"))).rejects.toThrow();
		await expect(listPaths(storage.list("invoices/"))).rejects.toThrow();
		s3.state.delay = 0;
	});

	test("writes once to check readiness", async () => {
		const storage = s3Storage(s3);
		expect(await storage.ready()).toBe(true);
		expect(s3.state.requests).toBe(1);
		s3.state.readOnly = true; // a second write would fail
		expect(await storage.ready()).toBe(true);
		expect(s3.state.requests).toBe(2);
	});

	test("lists more files than one page of the server has", async () => {
		const paths = Array.from({ length: 1001 }, (_, n) => `00/${String(n).padStart(64, "0")}.pdf`);
		for (const path of paths) s3.alter(path, encode("x"));
		const listed = await listFiles(s3Storage(s3));
		expect(listed.map(({ path }) => path).sort()).toEqual(paths);
		expect(s3.state.requests).toBe(2);
	});
});
