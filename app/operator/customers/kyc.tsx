import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { countryName } from "#core/people/countries.ts";
import { tierNames } from "#core/people/kyc-tiers.ts";
import { getKyc } from "#server/kyc/get-kyc.ts";
import { listResidences } from "#server/kyc/list-residences.ts";
import { listSubmissionsOf } from "#server/kyc/list-submissions.ts";
import entries from "../deposits/deposit.module.css";
import list from "../parts/console-list.module.css";
import { guard } from "../parts/route.ts";
import type { Route } from "./+types/kyc";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

export const middleware = guard("kyc/read");
export const meta = titled("Verification of a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { frame, db, id, at } = await readSection(context, params.customerId);
  const [verification, residences, submissions] = await Promise.all([
    getKyc(db, id, at),
    listResidences(db, id, 20),
    listSubmissionsOf(db, id, 50),
  ]);
  const { state, level, submission } = verification;
  return {
    frame,
    standing: { state, level, validUntil: submission?.validUntil ?? null },
    residences,
    submissions: submissions.map((each) => ({ ...each, country: countryName(each.country) })),
  };
}

/** Where somebody stands. What was sent is looked at on each case, where it is written down who looked. */
export default function CustomerKyc({ loaderData }: Route.ComponentProps) {
  const { frame, standing, residences, submissions } = loaderData;
  return (
    <CustomerFrame frame={frame}>
      <div className={layout.stack}>
        <Panel
          title="Standing"
          aside={
            <StatusBadge
              status={standing.state}
              {...(standing.state === "submitted" && { tone: "waiting" as const })}
            />
          }
        >
          <Facts
            facts={[
              { label: "Level", value: tierNames[standing.level].name },
              standing.validUntil !== null && {
                label: "Valid until",
                value: <When at={standing.validUntil} />,
              },
              {
                label: "Lives in",
                value:
                  residences.length === 0
                    ? "Not said yet"
                    : residences.map(({ name, statedAt, served }) => (
                        <div key={statedAt.toISOString()}>
                          {name}
                          {served ? "" : ", where we may not serve"}{" "}
                          <span className={list.second}>
                            said <When at={statedAt} />
                          </span>
                        </div>
                      )),
              },
            ]}
          />
        </Panel>
        <Panel title="Submissions" flush>
          {submissions.length === 0 ? (
            <p className={list.empty}>Nothing was submitted yet.</p>
          ) : (
            <ul className={entries.list}>
              {submissions.map((each) => (
                <li key={each.id} className={entries.entry}>
                  <span>
                    <Link to={`/operator/verification/${each.id}`}>{each.legalName}</Link>,{" "}
                    {each.country}
                  </span>
                  <span className={entries.muted}>
                    <When at={each.submittedAt} />
                  </span>
                  <StatusBadge
                    status={each.state === "submitted" ? "waiting" : each.state}
                    {...(each.state === "declined" && { tone: "bad" as const })}
                  />
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </CustomerFrame>
  );
}
