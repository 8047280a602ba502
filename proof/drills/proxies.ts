import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { freePort } from "../../test/free-port.ts";
import { stopProcess } from "../../test/processes.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

/** The proxies that deploy/ configures. */
export const proxyNames = ["caddy", "haproxy"] as const;
export type ProxyName = (typeof proxyNames)[number];

export interface RunningProxy {
	url: string;
	port: number;
	/** Its output, including the access log. */
	log(): string;
	stop(): Promise<void>;
}

/** @returns the programs that are not installed. */
export function findMissing(programs: readonly string[]): string[] {
	return programs.filter((program) => spawnSync(program, ["version"]).error !== undefined);
}

/** DESK_HOST of the shop behind the proxy. */
export const deskHost = "bureau.localhost";

/** Creates a certificate for localhost and the desk's host that this process trusts. @returns files with the certificate, the key, and both. */
export function makeCertificate(undo: AsyncDisposableStack): Certificate {
	const folder = temporaryFolder(undo);
	const [certificate, key, both] = ["certificate.pem", "key.pem", "both.pem"].map((name) => join(folder, name)) as [string, string, string];
	const subject = ["-subj", "/CN=localhost", "-addext", `subjectAltName=DNS:localhost,DNS:${deskHost}`];
	const files = ["-keyout", key, "-out", certificate];
	const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
	const { status, stderr } = spawnSync("openssl", ["req", "-x509", "-days", "2", ...curve, ...subject, ...files], { encoding: "utf8" });
	if (status !== 0) throw new Error(`openssl: ${stderr}`);
	writeFileSync(both, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"), { mode: 0o600 });
	setDefaultCACertificates([...getCACertificates("default"), readFileSync(certificate, "utf8")]);
	return { certificate, key, both };
}

interface Certificate {
	certificate: string;
	key: string;
	both: string;
}

interface ProxyOptions {
	port: number;
	webs: readonly string[];
	certificate: Certificate;
	ipv6?: boolean;
	maxConnections?: number;
}

/**
 * Starts a proxy with its file of deploy/ before two web processes, and waits until it answers.
 * @param options.webs host and port of each web process.
 * @param options.ipv6 listens on [::1] and every other IPv6 address of this machine too.
 * @param options.maxConnections for HAProxy instead of the number in its file, so that a drill can use them all.
 */
export async function startProxy(
	undo: AsyncDisposableStack,
	name: ProxyName,
	{ port, webs, certificate, ipv6 = false, maxConnections }: ProxyOptions,
): Promise<RunningProxy> {
	const [http, admin] = [await freePort(), await freePort()];
	const [web1, web2] = webs as [string, string];
	const home = temporaryFolder(undo);
	const starts = {
		caddy: {
			args: ["run", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"],
			variables: {
				...{
					SITE_ADDRESS: "localhost",
					DESK_HOST: deskHost,
					HTTP_PORT: String(http),
					HTTPS_PORT: String(port),
					CADDY_ADMIN: `127.0.0.1:${admin}`,
				},
				...{ TLS: `tls ${certificate.certificate} ${certificate.key}`, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
			},
		},
		haproxy: {
			args: ["-f", haproxyFile(home, maxConnections)],
			variables: {
				...{ HTTP_ADDRESS: `127.0.0.1:${http}`, HTTPS_ADDRESS: `127.0.0.1:${port}${ipv6 ? `,:::${port}` : ""}` },
				CERTIFICATE: certificate.both,
			},
		},
	} as const;
	const { args, variables } = starts[name];
	const child = spawn(name, args, { env: { PATH: process.env.PATH, WEB_1: web1, WEB_2: web2, ...variables } });
	let log = "";
	for (const output of [child.stdout, child.stderr])
		output.on("data", (text) => {
			log += text;
		});
	undo.defer(() => stopProcess(child));
	const url = `https://localhost:${port}`;
	await untilServed(url, child, () => log);
	return { url, port, log: () => log, stop: () => stopProcess(child) };
}

/** The file of deploy/, or a copy: with another `maxconn`; without root, without the lines that set another user. */
function haproxyFile(folder: string, maxConnections?: number): string {
	const file = "deploy/haproxy.cfg";
	const isRoot = process.getuid?.() === 0;
	if (isRoot && maxConnections === undefined) return file;
	const copy = join(folder, "haproxy.cfg");
	const text = readFileSync(file, "utf8").replace(/^(\tmaxconn) .*$/m, maxConnections === undefined ? "$&" : `$1 ${maxConnections}`);
	writeFileSync(copy, isRoot ? text : text.replaceAll(/^\t(user|group|chroot) .*\n/gm, ""));
	return copy;
}

async function untilServed(url: string, child: ChildProcess, log: () => string): Promise<void> {
	const began = performance.now();
	for (;;) {
		const status = await fetch(`${url}/healthz`).then(
			({ status: answered }) => answered,
			() => 0,
		);
		if (status === 200) return;
		if (child.exitCode !== null) throw new Error(`the proxy ended:\n${log()}`);
		if (performance.now() - began > scaledTimeout(30_000)) throw new Error(`the proxy does not serve:\n${log()}`);
		await wait(100);
	}
}
