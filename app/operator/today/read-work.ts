import type { RouterContextProvider } from "react-router";
import { listWork } from "#server/console/today/list-work.ts";
import type { Work } from "#server/console/today/work.ts";
import { consoleOf } from "../parts/route.ts";

const asked = new WeakMap<object, Promise<Work[]>>();

/** What waits: asked once for the navigation and the page, which are loaded side by side. */
export function readWork(context: Readonly<RouterContextProvider>): Promise<Work[]> {
  const known = asked.get(context);
  if (known !== undefined) return known;
  const { db, now } = consoleOf(context);
  const work = listWork(db, now());
  asked.set(context, work);
  return work;
}
