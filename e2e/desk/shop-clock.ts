// Preloaded into a shop: the message { clock: milliseconds } moves its clock. The database keeps the real time, so jobs that are
// planned in this time run late or never: only what happens at once can be tried.

let offset = 0;
const real = Date;
const now = () => real.now() + offset;

globalThis.Date = new Proxy(real, {
	construct: (target, values, asked) =>
		Reflect.construct(target, values.length === 0 ? [now()] : values, asked === globalThis.Date ? target : asked),
	get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

process.on("message", (message: { clock?: number }) => {
	if (typeof message.clock !== "number") return;
	offset = message.clock;
	process.send?.("clock");
});
process.channel?.unref();
