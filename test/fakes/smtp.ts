// A mail server that stores the e-mails it receives, for tests and for trying the shop by hand.
//   node test/fakes/smtp.ts --port 2525      then start the shop with SMTP_URL=smtp://127.0.0.1:2525
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

interface ReceivedMail {
	/** The envelope's addresses. */
	from: string;
	to: string[];
	/** Its bytes as received. */
	raw: Buffer;
	content: Email;
}

interface Options {
	port?: number;
	/** TLS from the start, with a self-signed certificate. */
	secure?: boolean;
	/** Accepts e-mails from this login only. */
	login?: { user: string; password: string };
	/** Called with each accepted e-mail. */
	onMail?: (mail: ReceivedMail) => void;
}

/** Starts a mail server on the loopback interface, on a free port unless one is given. */
export async function startFakeSmtp({ port = 0, secure = false, login, onMail }: Options = {}) {
	const mails: ReceivedMail[] = [];
	const rejected = new Map<string, string>();
	let connections = 0;
	const faults = { greylisted: 0, data: undefined as string | undefined, silent: false };

	const options: SMTPServerOptions = {
		secure,
		hideSTARTTLS: true,
		authOptional: login === undefined,
		allowInsecureAuth: true,
		logger: false,
		// without the callback, no greeting is sent
		onConnect(_session, callback) {
			connections++;
			if (!faults.silent) callback();
		},
		onAuth({ username, password }, _session, callback) {
			const known = username === login?.user && password === login?.password;
			if (known) callback(null, { user: username });
			else callback(toError("535 5.7.8 Authentication credentials invalid"));
		},
		onRcptTo({ address }, _session, callback) {
			const refusal = rejected.get(address);
			if (refusal !== undefined) return callback(toError(refusal));
			if (faults.greylisted > 0) {
				faults.greylisted--;
				return callback(toError("450 4.2.0 Greylisted, try again later"));
			}
			callback();
		},
		async onData(stream, { envelope }, callback) {
			const raw = await buffer(stream).catch(() => null);
			if (raw === null) return; // the client disconnected in the middle of an e-mail
			if (faults.data !== undefined) return callback(toError(faults.data));
			const content = await PostalMime.parse(raw);
			const mail = {
				from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
				to: envelope.rcptTo.map(({ address }) => address),
				raw,
				// the pictures of the HTML are no files
				content: { ...content, attachments: content.attachments.filter(({ related }) => !related) },
			};
			mails.push(mail);
			onMail?.(mail);
			callback();
		},
	};

	let server: SMTPServer | undefined;
	let listening = port;
	async function up(): Promise<void> {
		if (server !== undefined) return;
		server = new SMTPServer(options);
		server.on("error", () => {}); // clients may disconnect at any time
		const { promise, resolve } = Promise.withResolvers<void>();
		server.listen(listening, "127.0.0.1", resolve);
		await promise;
		listening = (server.server.address() as AddressInfo).port;
	}
	async function down(): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		if (server === undefined) return;
		for (const connection of server.connections) (connection as unknown as { _socket: { destroy(): void } })._socket.destroy();
		server.close(resolve);
		server = undefined;
		await promise;
	}

	await up();
	const credentials = login === undefined ? "" : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
	return {
		url: `${secure ? "smtps" : "smtp"}://${credentials}127.0.0.1:${listening}${secure ? "?tls.rejectUnauthorized=false" : ""}`,
		/** The accepted e-mails, oldest first. */
		mails,
		countConnections: () => connections,
		controls: {
			/** Closes all connections and stops listening. */
			down,
			/** Listens again, on the same port. */
			up,
			/** Answers the next recipients with 450. */
			greylist(times = 1) {
				faults.greylisted = times;
			},
			/** Refuses a recipient. */
			reject(address: string, reply = "550 5.1.1 No such user here") {
				rejected.set(address, reply);
			},
			/** Accepts that recipient again. */
			accept(address: string) {
				rejected.delete(address);
			},
			/** Refuses every message with this reply; without a reply, accepts messages again. */
			refuseData(reply?: string) {
				faults.data = reply;
			},
			/** Accepts connections and never answers. */
			silence(silent = true) {
				faults.silent = silent;
			},
		},
		close: down,
	};
}

/** Converts a reply such as « 450 4.2.0 Later » to smtp-server's error. */
function toError(reply: string): Error {
	const [code, ...rest] = reply.split(" ");
	return Object.assign(new Error(rest.join(" ")), { responseCode: Number(code) });
}

if (import.meta.main) {
	const { values } = parseArgs({ options: { port: { type: "string", default: "2525" } } });
	const { url } = await startFakeSmtp({
		port: Number(values.port),
		onMail: ({ to, content }) => console.log(`${to.join(", ")}: ${content.subject}`),
	});
	console.log(`Receiving e-mails at ${url}; Ctrl-C stops`);
}
