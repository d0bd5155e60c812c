import { type Counted, clientNetwork, wholeSite } from "../../platform/rate-limit.ts";
import type { Queue } from "../passwords/password.ts";
import { limits } from "./limits.ts";

/**
 * What a form from a browser that we do not know has cost its sender: a solved task, some seconds of waiting, or nothing. It is
 * asked for when the whole site is busy; app/auth/effort-of.ts reads it from the form.
 */
export type Effort = "work" | "patience" | "none";

export const queueOf: Record<Effort, Queue> = { work: "worked", patience: "patient", none: "new" };

/**
 * The limits of the whole site for what anyone may ask of it: up to a rate for nothing; beyond it, up to a higher one, for a
 * solved task, and at a trickle for having waited.
 */
export function ofWholeSite(
  purpose: "signIn" | "signUp" | "reset",
  clientAddress: string,
  effort: Effort,
): Counted {
  if (effort === "patience") {
    return [
      [limits[`${purpose}ByPatienceNetwork`], clientNetwork(clientAddress)],
      [limits[`${purpose}ByPatience`], wholeSite],
    ];
  }
  const limit = effort === "work" ? limits[`${purpose}ByWork`] : limits[`${purpose}ByNothing`];
  return [[limit, wholeSite]];
}
