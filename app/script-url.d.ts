/** The URL of a script that is built beside the routes (vite.config.ts). */
declare module "*?script-url" {
	const url: string;
	export default url;
}
