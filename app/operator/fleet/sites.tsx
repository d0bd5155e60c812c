import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { utcDay } from "#core/utc-day.ts";
import { addSite } from "#server/fleet/add-site.ts";
import { listEnergyPrices } from "#server/fleet/list-energy-prices.ts";
import { listSites } from "#server/fleet/list-sites.ts";
import { markOfSite, renameSite } from "#server/fleet/rename-site.ts";
import { setEnergyPrice } from "#server/fleet/set-energy-price.ts";
import { ActForm, type FormAnswer, Pair } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Folded } from "../parts/folded.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/sites";
import { energySchema, renameSchema, siteSchema } from "./fleet-schema.ts";
import { FleetTabs } from "./fleet-tabs.tsx";

export const middleware = guard("fleet/read", {
  site: "fleet/add-site",
  rename: "fleet/rename-site",
  energy: "fleet/set-energy-price",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Sites and energy");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const [sites, prices] = await Promise.all([listSites(db), listEnergyPrices(db, { limit: 100 })]);
  const marked = sites.map((site) => ({ ...site, mark: markOfSite(site) }));
  return { sites: marked, prices, today: utcDay(now()) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const done = { to: "/operator/fleet/sites", say: "fleet-saved" } as const;
  switch (form.get("intent")) {
    case "site":
      return answerAct(form, siteSchema, async (site) => {
        await addSite(db, operator, site, now());
        return done;
      });
    case "rename":
      return answerAct(form, renameSchema, async (site) => {
        await renameSite(db, operator, site, now());
        return done;
      });
    default:
      return answerAct(form, energySchema, async ({ price, ...rest }) => {
        await setEnergyPrice(db, operator, { ...rest, usdMicrosPerKwh: price }, now());
        return done;
      });
  }
}

export default function Sites({ loaderData, actionData }: Route.ComponentProps) {
  const { sites, prices, today } = loaderData;
  const may = useMay();
  const priceOf = (id: string) =>
    prices.find(({ siteId, effectiveFrom }) => siteId === id && effectiveFrom <= today);
  return (
    <>
      <PageHeader title="Fleet" description="Where machines run, and what energy costs there." />
      <FleetTabs />
      <div className={layout.main}>
        <div className={layout.stack}>
          {sites.length === 0 ? (
            <EmptyState>No site yet. Customers read its place.</EmptyState>
          ) : (
            <SiteTable sites={sites} priceOf={priceOf} answer={actionData} />
          )}
          {prices.length > 0 ? (
            <ConsoleTable
              label="Prices of energy, newest day first"
              rows={prices}
              rowKey={(price) => String(price.number)}
              columns={[
                { head: "From", kind: "day", value: "effectiveFrom" },
                { head: "Site", value: "siteName" },
                {
                  head: "A kWh",
                  kind: "number",
                  cell: (price) => <>${writeDecimal(price.usdMicrosPerKwh, 6)}</>,
                },
                { head: "Source", kind: "memo", value: "evidence" },
                {
                  head: "Entered",
                  value: "createdAt",
                  second: (price) => price.by ?? "on the server",
                },
              ]}
            />
          ) : null}
        </div>
        <div className={layout.stack}>
          {may("fleet/add-site") ? (
            <Panel title="Add a site">
              <ActForm
                key={sites.length}
                intent="site"
                rules={async () => (await import("./fleet-schema.ts")).siteSchema}
                answer={actionData}
                button="Add the site"
                pendingText="Adding…"
              >
                {(form) => (
                  <>
                    <TextField label="Name" description="For staff" {...form.field("name")} />
                    <TextField
                      label="Place"
                      description="As customers read it, for instance Boden, Sweden"
                      {...form.field("place")}
                    />
                  </>
                )}
              </ActForm>
            </Panel>
          ) : null}
          {may("fleet/set-energy-price") && sites.length > 0 ? (
            <Panel title="Enter what energy costs">
              <ActForm
                key={prices.length}
                intent="energy"
                rules={async () => (await import("./fleet-schema.ts")).energySchema}
                answer={actionData}
                defaults={{ siteId: sites[0]?.id ?? "", effectiveFrom: today }}
                button="Save the price"
                pendingText="Saving…"
              >
                {(form) => (
                  <>
                    <SelectField
                      label="Site"
                      choices={sites.map(({ id, name }) => ({ value: id, label: name }))}
                      {...form.field("siteId")}
                    />
                    <Pair>
                      <TextField
                        label="From (UTC day)"
                        type="date"
                        {...form.field("effectiveFrom")}
                      />
                      <TextField
                        label="Price per kWh, in dollars"
                        inputMode="decimal"
                        {...form.field("price")}
                      />
                    </Pair>
                    <TextField
                      label="Source, such as a bill"
                      description="For instance the bill or the contract, with its date"
                      {...form.field("evidence")}
                    />
                  </>
                )}
              </ActForm>
            </Panel>
          ) : null}
        </div>
      </div>
    </>
  );
}

type Site = Route.ComponentProps["loaderData"]["sites"][number];

interface SiteTableProps {
  sites: Site[];
  /** What a kilowatt hour costs there today. */
  priceOf: (siteId: string) => { usdMicrosPerKwh: bigint } | undefined;
  answer: FormAnswer | undefined;
}

function SiteTable({ sites, priceOf, answer }: SiteTableProps) {
  const may = useMay();
  return (
    <ConsoleTable
      label="Sites"
      rows={sites}
      columns={[
        {
          head: "Site",
          sort: "site",
          value: "name",
          cell: (site) => (
            <>
              {site.name}
              {may("fleet/rename-site") ? <Rename site={site} answer={answer} /> : null}
            </>
          ),
        },
        { head: "Place", sort: "place", value: "place" },
        {
          head: "A kWh today",
          kind: "number",
          sort: "kwh",
          value: ({ id }) => priceOf(id)?.usdMicrosPerKwh ?? null,
          cell: ({ id }) => {
            const price = priceOf(id);
            return price ? `$${writeDecimal(price.usdMicrosPerKwh, 6)}` : "not entered";
          },
        },
      ]}
    />
  );
}

function Rename({ site, answer }: { site: Site; answer: FormAnswer | undefined }) {
  const id = `rename-${site.id}`;
  return (
    <Folded title="Change name or place" open={answer?.form === id}>
      <ActForm
        intent="rename"
        id={id}
        rules={async () => (await import("./fleet-schema.ts")).renameSchema}
        answer={answer}
        seen={{ mark: site.mark, again: () => ({}) }}
        hidden={{ siteId: site.id }}
        defaults={{ name: site.name, place: site.place }}
        button="Save"
        pendingText="Saving…"
        tone="plain"
      >
        {(form) => (
          <>
            <TextField label="Name" {...form.field("name")} />
            <TextField label="Place" description="As customers read it" {...form.field("place")} />
          </>
        )}
      </ActForm>
    </Folded>
  );
}
