import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Environment } from "../environment/environment.ts";
import { withDemoSecret } from "./demo-secret.ts";

let folder = "";
let warnings: string[];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "extrait-pro-secret-"));
	warnings = [];
	vi.spyOn(console, "warn").mockImplementation((text) => void warnings.push(text));
});
afterEach(() => {
	vi.restoreAllMocks();
	rmSync(folder, { recursive: true });
});

/** The environment of a demo, as far as its secret depends on it. */
const demo = (settings: Partial<Environment> = {}) =>
	({ port: 3000, secrets: [], dataDir: join(folder, "data"), ...settings }) as unknown as Environment;
const file = () => join(folder, "data", "secret");

test("the first start makes a secret that only its user can read, and later ones use the same", () => {
	const first = withDemoSecret(demo(), "all");
	expect(first).toEqual(demo({ secrets: [readFileSync(file(), "utf8")] }));
	expect(first.secrets[0]).toMatch(/^[0-9a-f]{64}$/);
	expect(statSync(file()).mode & 0o777).toBe(0o600);
	expect(withDemoSecret(demo(), "all")).toEqual(first);
	expect(readdirSync(join(folder, "data"))).toEqual(["secret"]);
	expect(withDemoSecret(demo({ dataDir: join(folder, "other") }), "all").secrets).not.toEqual(first.secrets);
	expect(warnings).toEqual([]);
});

test("a secret that was written by hand is used without its line break", () => {
	withDemoSecret(demo(), "all");
	writeFileSync(file(), `${"x".repeat(32)}\n`);
	expect(withDemoSecret(demo(), "all").secrets).toEqual(["x".repeat(32)]);
});

test("a secret of the settings is used as it is: nothing is written", () => {
	const environment = demo({ secrets: ["of the settings"], databaseUrl: "postgres://localhost/shop" });
	expect(withDemoSecret(environment, "web")).toBe(environment);
	expect([readdirSync(folder), warnings]).toEqual([[], []]);
});

test.each([
	["web", "postgres://localhost/shop", 1],
	["jobs", "postgres://localhost/shop", 1],
	["migrate", "postgres://localhost/shop", 0],
	["web", undefined, 0],
])("the role %s with the database %s warns of a secret that other processes do not have: %i", (role, databaseUrl, times) => {
	withDemoSecret(demo({ databaseUrl }), role);
	expect(warnings).toEqual(Array(times).fill(expect.stringMatching(`^APP_SECRET is not set.*${file()}`)));
});
