import type { RouterContextProvider } from "react-router";
import type { SetupState } from "#core/people/setup-steps.ts";
import { appContext } from "#server/app-context.ts";
import { listSetupSteps } from "#server/console/setup/list-setup-steps.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";

/** The setup list, for owners: most of it is theirs to do. A demo's company is invented and needs none; a rehearsal is to be set up. */
export async function readSetup(context: Readonly<RouterContextProvider>): Promise<SetupState[]> {
  const { db, config, now, rehearsal } = context.get(appContext);
  const isRehearsal = rehearsal !== null;
  const isDemo = config.demo && !isRehearsal;
  if (isDemo || context.get(operatorContext).role !== "owner") return [];
  return listSetupSteps(db, { ...config, isRehearsal }, now());
}
