/** Loaded before a shop process: messages shift its clock by milliseconds. `performance.now` is not shifted, as on a real machine. */

const RealDate = Date;
let shift = 0;

class ShiftedDate extends RealDate {
	constructor(...given: unknown[]) {
		super(...((given.length === 0 ? [RealDate.now() + shift] : given) as [number]));
	}
	static override now(): number {
		return RealDate.now() + shift;
	}
	static override [Symbol.hasInstance](value: unknown): boolean {
		return Object.prototype.toString.call(value) === "[object Date]";
	}
}

globalThis.Date = ShiftedDate as DateConstructor;
process.on("message", (message) => {
	if (typeof message === "object" && message !== null && "clock" in message) shift = Number(message.clock);
});
