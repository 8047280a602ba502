import { z } from "zod";

/** What the scripts of the desk send about passkeys. Null stands for what is missing or malformed. A body without a ticket asks for a challenge. */

// some password managers leave the results of extensions out, of which we ask for none
const extensions = z.object({}).catch({});
const credential = { id: z.string(), rawId: z.string(), type: z.literal("public-key"), clientExtensionResults: extensions };

const registration = z.object({
	...credential,
	response: z.object({
		clientDataJSON: z.string(),
		attestationObject: z.string(),
		transports: z.array(z.string()).optional().catch(undefined),
	}),
});

const authentication = z.object({
	...credential,
	response: z.object({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
});

const text = z.string().nullable().catch(null);

/** For « Mon accès ». */
export const sentRegistration = z
	.object({ ticket: text, response: registration.nullable().catch(null) })
	.catch({ ticket: null, response: null });

/** For the sign-in. `vers`: the page to open. */
export const sentAuthentication = z
	.object({ ticket: text, response: authentication.nullable().catch(null), vers: text })
	.catch({ ticket: null, response: null, vers: null });
