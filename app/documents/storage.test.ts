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
import { type FakeS3, startFakeS3 } from "../../test/fakes/s3.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { contentAddress } from "./content-address.server.ts";
import { diskStorage } from "./disk-storage.server.ts";
import { s3Storage } from "./s3-storage.server.ts";
import { type DocumentStorage, LostFile } from "./storage.ts";

const text = (words: string) => new TextEncoder().encode(words);
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function namesOf(names: AsyncIterable<{ path: string }>): Promise<string[]> {
	const all: string[] = [];
	for await (const { path } of names) all.push(path);
	return all;
}

interface Opened {
	storage: DocumentStorage;
	/** Every file that is there, finished or not. */
	files: () => string[] | Promise<string[]>;
	/** Changes a file behind the storage's back. */
	alter: (path: string, bytes: Uint8Array<ArrayBuffer>) => unknown;
	close: () => unknown;
}

async function listOf(storage: DocumentStorage): Promise<{ path: string; at: Date }[]> {
	const listed = [];
	for await (const file of storage.list()) listed.push(file);
	return listed;
}

/** Every implementation of the contract passes the same tests: a row each. */
const implementations: { name: string; open: () => Promise<Opened> }[] = [
	{
		name: "disk",
		async open() {
			const folder = mkdtempSync(join(tmpdir(), "documents-"));
			return {
				storage: diskStorage(join(folder, "documents")),
				files: () => filesBelow(folder),
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
				files: async () => (await s3.files()).filter((name) => name !== "ready"),
				alter: s3.alter,
				close: s3.close,
			};
		},
	},
];

/** Where a link leads; nowhere when it is gone meanwhile. */
const linkOf = (path: string) => {
	try {
		return readlinkSync(path);
	} catch {
		return "";
	}
};

const filesBelow = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ name }) => name);

describe.each(implementations)("a storage: $name", ({ name, open }) => {
	let made: Opened;
	beforeAll(async () => {
		made = await open();
	});
	afterAll(() => made?.close());

	test("has its name, and says that it is ready without leaving a document", async () => {
		expect(made.storage.name).toBe(name);
		expect(await made.storage.ready()).toBe(true);
		expect(await made.files()).toEqual([]);
	});

	test("gives back the very bytes, and their hash", async () => {
		const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
		const large = new Uint8Array(5 * 1024 * 1024).map((_, index) => (index * 2_654_435_761) >>> 24);
		for (const bytes of [everyByte, new Uint8Array(0), new Uint8Array(1), text("été"), large]) {
			const stored = await made.storage.put(bytes);
			const sha256 = hashOf(bytes);
			expect(stored).toEqual({ path: `${sha256.slice(0, 2)}/${sha256}.pdf`, sha256, bytes: bytes.byteLength });
			expect(Buffer.from(await made.storage.get(stored.path)).equals(bytes)).toBe(true);
		}
	});

	test("lists every file that is finished, with when it was stored", async () => {
		const { path } = await made.storage.put(text("listed"));
		const listed = (await listOf(made.storage)).filter((file) => file.path !== "ready");
		const names = (await made.files()).map((file) => file.replace(/^.*\//, "")).sort();
		expect(listed.map((file) => file.path.replace(/^.*\//, "")).sort()).toEqual(names);
		const found = listed.find((file) => file.path === path);
		expect(Math.abs((found?.at.getTime() ?? 0) - Date.now())).toBeLessThan(scaledTimeout(60_000));
	});

	test("storing twice, or ten times at once, is storing once", async () => {
		const before = (await made.files()).length;
		const stored = await Promise.all(Array.from({ length: 10 }, () => made.storage.put(text("once"))));
		expect(new Set(stored.map(({ path }) => path)).size).toBe(1);
		await made.storage.put(text("once"));
		expect(await made.files()).toHaveLength(before + 1);
	});

	test("a view on a larger buffer is stored alone", async () => {
		const { path } = await made.storage.put(text("before inside after").subarray(7, 13));
		expect(Buffer.from(await made.storage.get(path)).toString()).toBe("inside");
	});

	test("what is missing is lost", async () => {
		await expect(made.storage.get(`00/${"0".repeat(64)}.pdf`)).rejects.toThrow(LostFile);
	});

	test("what was altered, cut short or emptied is a fault, until it is stored anew", async () => {
		const bytes = text("an extract that somebody touches");
		const { path } = await made.storage.put(bytes);
		for (const wrong of [text("an extract that somebody touched"), bytes.slice(0, -1), new Uint8Array(0)]) {
			await made.alter(path, wrong);
			const fault = await made.storage.get(path).catch((error) => error);
			expect(fault).toBeInstanceOf(LostFile);
			expect(fault.message).toContain("has not the content that its name says");
		}
		await made.storage.put(bytes);
		expect(Buffer.from(await made.storage.get(path)).equals(bytes)).toBe(true);
	});

	test("what is removed is gone, and removed again without harm; the others stay", async () => {
		const [first, second] = [await made.storage.put(text("to be purged")), await made.storage.put(text("to be kept"))];
		await made.storage.remove(first.path);
		await expect(made.storage.get(first.path)).rejects.toThrow(LostFile);
		await made.storage.remove(first.path);
		expect(Buffer.from(await made.storage.get(second.path)).toString()).toBe("to be kept");
		expect(await made.storage.put(text("to be purged"))).toEqual(first);
	});

	test("an object under a name is what was stored last; one that is not there is null", async () => {
		expect(await made.storage.findObject("orders/first")).toBeNull();
		for (const words of ["one", "another", ""]) {
			await made.storage.putObject("orders/first", text(words));
			expect(Buffer.from((await made.storage.findObject("orders/first")) ?? []).toString()).toBe(words);
		}
		await made.storage.putObject("orders/second", text("beside it"));
		await made.storage.remove("orders/first");
		await made.storage.remove("orders/first");
		expect(await made.storage.findObject("orders/first")).toBeNull();
		expect(Buffer.from((await made.storage.findObject("orders/second")) ?? []).toString()).toBe("beside it");
		await made.storage.remove("orders/second");
	});

	test("objects are listed by the beginning of their names, in their order, from a name on", async () => {
		const list = async (prefix: string, after?: string) => namesOf(made.storage.list(prefix, after));
		expect(await list("numbers/")).toEqual([]);
		const names = ["numbers/A2026-000001", "numbers/F2025-000009", "numbers/F2026-000001", "numbers/F2026-000002", "numbers/F2026-000010"];
		for (const name of [...names].reverse()) await made.storage.putObject(name, text(name));
		await made.storage.put(text("a document beside them"));
		expect(await list("numbers/")).toEqual(names);
		expect(await list("numbers/F2026-")).toEqual(names.slice(2));
		expect(await list("numbers/F2026-", "numbers/F2026-000001")).toEqual(names.slice(3));
		expect(await list("numbers/F2026-", "numbers/F2026-000010")).toEqual([]);
		expect(await list("numbers/F2027-")).toEqual([]);
	});

	test("sweeping takes nothing that is whole, however old", async () => {
		const { path } = await made.storage.put(text("whole"));
		await made.storage.putObject(`orders/${randomUUID()}`, text("whole"));
		const before = (await made.files()).length;
		expect(await made.storage.sweep(new Date(Date.now() + 86_400_000))).toBe(0);
		expect(await made.files()).toHaveLength(before);
		expect(Buffer.from(await made.storage.get(path)).toString()).toBe("whole");
	});
});

describe("a disk", () => {
	let folder = "";
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "documents-"));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	test("is swept of what was begun long ago and never finished; where there is no folder yet there is nothing to sweep", async () => {
		const storage = diskStorage(join(folder, "documents"));
		expect(await storage.sweep(new Date())).toBe(0);
		const { path } = await storage.put(text("whole"));
		const [old, recent] = [0, 1].map(() => join(folder, "documents", `${path}.${randomUUID()}`)) as [string, string];
		for (const staging of [old, recent]) writeFileSync(staging, "half");
		utimesSync(old, new Date(999), new Date(999));
		utimesSync(recent, new Date(1000), new Date(1000));
		// listed, and gone when it is looked at: another process swept it
		symlinkSync(join(folder, "gone"), join(folder, "documents", `${path}.${randomUUID()}`));
		expect(await storage.sweep(new Date(1000))).toBe(1);
		expect(existsSync(old)).toBe(false);
		expect(existsSync(recent)).toBe(true);
	});

	test("that is not there has lost nothing: it may only not be mounted", async () => {
		const fault = await diskStorage(join(folder, "documents"))
			.get(`00/${"0".repeat(64)}.pdf`)
			.catch((error) => error);
		expect(fault).toMatchObject({ code: "ENOENT" });
		expect(fault).not.toBeInstanceOf(LostFile);
	});

	test("is not ready where its folder cannot be made, nor where nothing can be written", async () => {
		writeFileSync(join(folder, "documents"), "a file where the folder should be");
		expect(await diskStorage(join(folder, "documents")).ready()).toBe(false);
		// nobody's permissions stop root, but the kernel's own folder does
		const closed = process.getuid?.() === 0 ? "/proc/self" : join(folder, "closed");
		if (closed.startsWith(folder)) mkdirSync(closed, { mode: 0o500 });
		expect(await diskStorage(closed).ready()).toBe(false);
	});

	// In a process of its own that the kernel refuses space: a disk of 128 kB that no other process sees, where one may be mounted
	// (ENOSPC), and otherwise a limit on the size of files, which cuts a write short in the same way (EFBIG).
	test("that is full keeps nothing of what it could not take, says so, and loses nothing of what it has", async () => {
		const program = `
			const { diskStorage } = await import(${JSON.stringify(resolve("app/documents/disk-storage.server.ts"))});
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
		const told = JSON.parse(stdout);
		expect(told).toEqual({ refused: expect.stringMatching(/^(ENOSPC|EFBIG)$/), files: [told.small], small: told.small, intact: 1000 });
	});

	test("is not ready when not a byte is left", async () => {
		const program = `
			const { diskStorage } = await import(${JSON.stringify(resolve("app/documents/disk-storage.server.ts"))});
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
		expect(filesBelow(folder)).toEqual([]);
	});

	// a power cut may take what is only in the kernel's memory: a name without its bytes, or bytes without their name
	test.runIf(process.platform === "linux")(
		"has written a document through before it is named, and its names before it is kept",
		async () => {
			const handle = await open(folder, "r");
			const { path } = contentAddress(text("kept for good"));
			const [target, shelf] = [join(folder, path), join(folder, dirname(path))];
			const written: [string, boolean][] = [];
			const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(function (this: FileHandle) {
				written.push([readlinkSync(`/proc/self/fd/${this.fd}`).replace(/\.[0-9a-f-]{36}$/, " staged"), existsSync(target)]);
				return this.datasync();
			});
			await diskStorage(folder).put(text("kept for good"));
			sync.mockRestore();
			await handle.close();
			const stillOpen = readdirSync("/proc/self/fd").filter((fd) => linkOf(`/proc/self/fd/${fd}`).startsWith(folder));
			expect(stillOpen).toEqual([]);
			expect(written).toEqual([
				[`${target} staged`, false],
				[shelf, true],
				[folder, true],
			]);
		},
	);

	test("is swept of named objects that were begun and never finished, which are never listed", async () => {
		const storage = diskStorage(folder);
		const name = `orders/${randomUUID()}`;
		await storage.putObject(name, text("whole"));
		writeFileSync(join(folder, `${name}.${randomUUID()}`), "half");
		expect(await namesOf(storage.list("orders/"))).toEqual([name]);
		expect(await storage.sweep(new Date(Date.now() + 86_400_000))).toBe(1);
		expect(Buffer.from((await storage.findObject(name)) ?? []).toString()).toBe("whole");
	});

	test("keeps its documents from the machine's other users", async () => {
		const stored = await diskStorage(join(folder, "documents")).put(text("mine"));
		expect(statSync(join(folder, "documents")).mode & 0o077).toBe(0);
		expect(statSync(join(folder, "documents", stored.path)).mode & 0o077).toBe(0);
		expect(readFileSync(join(folder, "documents", stored.path), "utf8")).toBe("mine");
	});
});

describe("a bucket", () => {
	let s3: FakeS3;
	beforeEach(async () => {
		s3 = await startFakeS3();
	});
	afterEach(() => s3.close());

	test("receives PDFs, whose type it tells", async () => {
		const { path } = await s3Storage(s3).put(text("%PDF-"));
		expect(await s3.typeOf(path)).toBe("application/pdf");
	});

	test.each(["SlowDown", "InternalError"] as const)("that answers %s takes the document at a later attempt", async (code) => {
		const storage = s3Storage(s3);
		s3.fail(2, code);
		const { path } = await storage.put(text("at the third attempt"));
		s3.fail(2, code);
		expect(Buffer.from(await storage.get(path)).toString()).toBe("at the third attempt");
		expect(s3.state.requests).toBe(6);
	});

	test("that goes on failing is a fault, and nothing is there under the final name", async () => {
		s3.fail(10, "SlowDown");
		await expect(s3Storage(s3).put(text("never"))).rejects.toThrow("reduce your request rate");
		expect(await s3.files()).toEqual([]);
		expect(s3.state.requests).toBe(4); // it is not asked without end: the job comes back
	});

	test("refuses a document that arrives altered, and has nothing of it", async () => {
		s3.state.garbled = 1;
		await expect(s3Storage(s3).put(text("altered on its way"))).rejects.toThrow("checksum");
		expect(await s3.files()).toEqual([]);
		const { path } = await s3Storage(s3).put(text("altered on its way"));
		expect(await s3.files()).toEqual([path]);
	});

	test("that is silent, or stops half-way, is a fault and not a wait without end", async () => {
		const storage = s3Storage(s3, { connect: 200, request: 200, object: 200, probe: 200 });
		const { path } = await storage.put(new Uint8Array(100_000));
		s3.state.stalls = 10;
		expect(await storage.get(path).catch((error) => error)).not.toBeInstanceOf(LostFile);
		s3.state.stalls = 0;
		s3.state.delay = 1000;
		await expect(storage.put(text("too slow"))).rejects.toThrow();
		expect(await storage.ready()).toBe(false);
		// whoever asks whether it is ready waits for less than whoever stores, at the first time and later
		const patience = { connect: 5000, request: 15_000, object: 8000, probe: 100 };
		const asked = s3Storage(s3, patience);
		s3.state.delay = 300;
		expect(await asked.ready()).toBe(false);
		patience.probe = 15_000;
		expect(await asked.ready()).toBe(true);
		patience.probe = 100;
		expect(await asked.ready()).toBe(false);
	});

	test("is ready; is not when it is down; is again when it is back", async () => {
		const storage = s3Storage(s3);
		expect(await storage.ready()).toBe(true);
		await s3.down();
		expect(await storage.ready()).toBe(false);
		await expect(storage.put(text("nowhere"))).rejects.toThrow();
		await s3.up();
		expect(await storage.ready()).toBe(true);
		expect(storage.readyTtlMs).toBe(3000);
		await s3.down();
		expect(await storage.ready()).toBe(false);
		// what was away may have come back with another key: that it may be written to is learnt anew
		await s3.up();
		s3.state.readOnly = true;
		expect(await storage.ready()).toBe(false);
	});

	test.each([
		["with a wrong secret", { secretAccessKey: "not the secret" }],
		["with a key that nobody has", { accessKeyId: "AKIANOBODY" }],
		["when it does not exist", { bucket: "another" }],
	])("is not ready %s, and takes nothing", async (_case, wrong) => {
		const storage = s3Storage({ ...s3, ...wrong });
		expect(await storage.ready()).toBe(false);
		await expect(storage.put(text("x"))).rejects.toThrow();
		expect(await s3.files()).toEqual([]);
	});

	test("is not ready with a key that may only read", async () => {
		s3.state.readOnly = true;
		expect(await s3Storage(s3).ready()).toBe(false);
	});

	test("lists all of more objects than it names in one answer", async () => {
		const storage = s3Storage(s3);
		s3.state.mostKeys = 2;
		const names = [1, 2, 3, 4, 5].map((number) => `orders/${number}`);
		for (const name of names) await storage.putObject(name, text(name));
		expect(await namesOf(storage.list("orders/"))).toEqual(names);
		expect(await namesOf(storage.list("orders/", "orders/3"))).toEqual(names.slice(3));
		expect(s3.state.requests).toBe(5 + 3 + 1);
	});

	test("that does not answer about a named object is waited for in seconds: a transaction may be waiting", async () => {
		const storage = s3Storage(s3, { connect: 5000, request: 15_000, object: 100, probe: 2000 });
		s3.state.delay = 10_000;
		await expect(storage.findObject("invoices/F2026-000001")).rejects.toThrow();
		await expect(storage.putObject("invoices/F2026-000001", text("x"))).rejects.toThrow();
		await expect(namesOf(storage.list("invoices/"))).rejects.toThrow();
		s3.state.delay = 0;
	});

	test("is written to once, to learn that it is ready", async () => {
		const storage = s3Storage(s3);
		expect(await storage.ready()).toBe(true);
		expect(s3.state.requests).toBe(1);
		s3.state.readOnly = true; // so that a second write would be seen
		expect(await storage.ready()).toBe(true);
		expect(s3.state.requests).toBe(2);
	});

	test("lists more than one answer of the bucket holds", async () => {
		const paths = Array.from({ length: 1001 }, (_, n) => `00/${String(n).padStart(64, "0")}.pdf`);
		for (let from = 0; from < paths.length; from += 50)
			await Promise.all(paths.slice(from, from + 50).map((path) => s3.alter(path, text("x"))));
		const listed = await listOf(s3Storage(s3));
		expect(listed.map(({ path }) => path).sort()).toEqual(paths);
		expect(s3.state.requests).toBe(2);
	});
});
