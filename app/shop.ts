import { createContext } from "react-router";
import type { Runtime } from "../server/runtime.ts";

/** What main.ts wired, as routes and jobs receive it. */
export interface Shop extends Runtime {}

/** `context.get(shopContext)` in loaders and actions. */
export const shopContext = createContext<Shop>();

/** A request that was refused before any route saw it (a body too large), for root.tsx to say so on a page. */
export const refusalContext = createContext<{ status: number; sentence: string } | undefined>(undefined);
