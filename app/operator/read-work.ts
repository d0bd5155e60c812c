import type { RouterContextProvider } from "react-router";
import { appContext } from "#server/app-context.ts";
import { listWork } from "#server/console/today/list-work.ts";
import type { Work } from "#server/console/today/work.ts";
import { operatorContext } from "#server/identity/person-context.ts";

const asked = new WeakMap<object, Promise<Work[]>>();

/** What waits, as who reads it sees it: asked once for the navigation and the page, which are loaded side by side. */
export function readWork(context: Readonly<RouterContextProvider>): Promise<Work[]> {
  const known = asked.get(context);
  if (known !== undefined) return known;
  const { db, now } = context.get(appContext);
  const { id: operatorId } = context.get(operatorContext);
  const work = listWork(db, { operatorId, now: now() });
  asked.set(context, work);
  return work;
}
