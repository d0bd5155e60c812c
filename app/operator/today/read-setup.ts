import type { RouterContextProvider } from "react-router";
import type { SetupState } from "#core/people/setup-steps.ts";
import { listSetupSteps } from "#server/console/setup/list-setup-steps.ts";
import { consoleOf } from "../parts/route.ts";

/** The setup list, for owners: most of it is theirs to do. A demo's company is invented and needs none; a rehearsal is to be set up. */
export async function readSetup(context: Readonly<RouterContextProvider>): Promise<SetupState[]> {
  const { db, config, now, rehearsal, operator } = consoleOf(context);
  const isRehearsal = rehearsal !== null;
  const isDemo = config.demo && !isRehearsal;
  if (isDemo || operator.role !== "owner") return [];
  return listSetupSteps(db, { ...config, isRehearsal }, now());
}
