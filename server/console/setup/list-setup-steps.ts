import { legalVersions, modelTerms } from "#core/legal/legal-versions.ts";
import {
  type SetupState,
  type SetupStep,
  setupSteps,
  stepsOfCompany,
} from "#core/people/setup-steps.ts";
import type { Config } from "#server/platform/config.ts";
import { flag, getRow } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** What the setup list asks of the settings. */
type Settings = Pick<Config, "siteName" | "smtpUrl" | "bitcoinChain" | "network"> & {
  isRehearsal?: boolean;
};

/** Steps that settings decide alone, or besides what is in the database. */
const ofSettings: Partial<Record<SetupStep, (settings: Settings) => boolean>> = {
  identity: ({ siteName }) => siteName !== "Assay",
  mail: ({ smtpUrl }) => smtpUrl !== null,
  node: ({ bitcoinChain }) => bitcoinChain !== null,
  terms: () => legalVersions.terms.at(-1)?.version !== modelTerms,
};

const columns = {
  identity: flag,
  "second-person": flag,
  node: flag,
  wallet: flag,
  prices: flag,
  site: flag,
  energy: flag,
  machines: flag,
  pool: flag,
  plan: flag,
  "first-count": flag,
};

/**
 * How far an operator is on the way from nothing to the first sale, by facts: nobody ticks a step. Empty once all are done.
 * One statement, of looks by index or into tables that staff fill by hand.
 */
export async function listSetupSteps(db: Db, settings: Settings, now: Date): Promise<SetupState[]> {
  const facts: Partial<Record<SetupStep, boolean>> = await getRow(
    db,
    sql`
    select coalesce((select v.state = 'published' and length(trim(coalesce(v.body ->> 'name', ''))) > 0
                         and length(trim(coalesce(v.body ->> 'postalAddress', ''))) > 0
                       from content_versions v where v.kind = 'company' and v.state <> 'draft'
                      order by v.version desc limit 1), false) as identity,
           (select count(*) > 1 from operators o join credentials c on c.user_id = o.id
             where o.state = 'active' and o.role in ('treasurer', 'approver', 'owner') and c.password is not null) as "second-person",
           exists (select from chain_sources where chain = 'bitcoin' and health in ('following', 'catching-up')) as node,
           exists (select from wallets where chain = 'bitcoin' and network = ${settings.network} and compared_at is not null) as wallet,
           exists (select from market_prices where asset = 'BTC' and observed_at > ${now.toISOString()}::timestamptz - interval '10 minutes')
             as prices,
           exists (select from sites) as site,
           exists (select from site_energy_prices) as energy,
           exists (select from machine_delivery_states where machines > 0) as machines,
           exists (select from pools where counts_until is null) as pool,
           exists (select from plan_versions where state = 'published') as plan,
           exists (select from custody_holdings where source = 'count') as "first-count"`,
    columns,
  );
  const asked = setupSteps.filter(
    (step) => !settings.isRehearsal || !stepsOfCompany.includes(step),
  );
  const states = asked.map((step) => ({
    step,
    isDone: (facts[step] ?? true) && (ofSettings[step]?.(settings) ?? true),
  }));
  return states.every(({ isDone }) => isDone) ? [] : states;
}
