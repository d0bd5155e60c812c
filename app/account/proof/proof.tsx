import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { type Coin, coins } from "#core/asset.ts";
import type { OwedLeaf, SumSibling } from "#core/proof/sum-tree.ts";
import { formatDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findOwedProof } from "#server/proof/find-owed-proof.ts";
import { listOwedDays } from "#server/proof/list-days.ts";
import { listUnserved } from "#server/proof/list-unserved.ts";
import { type Mark, withMarks } from "#server/withdrawals/bitcoin/with-marks.ts";
import type { Route } from "./+types/proof";
import { CheckOwed } from "./check-owed.tsx";

export const meta = titled("Your part of the daily proof");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id } = context.get(customerContext);
  const asked = new URL(request.url).searchParams.get("day");
  const days = await listOwedDays(db);
  const found = await findOwedProof(db, id, days.find((day) => day === asked) ?? null);
  const [day] = found ? await withMarks(db, [found.day]) : [];
  return { found, mark: day?.mark ?? null, days, contracts: await listUnserved(db, id) };
}

export default function Proof({ loaderData }: Route.ComponentProps) {
  const { found, mark, days, contracts } = loaderData;
  return (
    <>
      <PageHeader
        title="Your part of the daily proof"
        description="Once a day we publish one hash over what we owe to all customers together. Here you see what it says of you, and check it without trusting us."
        actions={<Link to="/proof">The public page</Link>}
      />
      {found?.proof ? (
        <Place
          {...found}
          proof={found.proof}
          mark={mark}
          contracts={contracts}
          isNewest={found.day.day === days[0]}
        />
      ) : (
        <Panel flush={!found?.wasThere}>
          {found?.wasThere ? (
            <Notice
              tone="error"
              title={`You are missing in the proof of ${formatDay(found.day.day)}`}
            >
              Your account had entries before it was made, so it has to include you. Please write to
              us, and tell others.
            </Notice>
          ) : (
            <EmptyState drawing="seal">
              {found
                ? `The newest proof is of ${formatDay(found.day.day)}, before anything was posted to your account. The next one includes you.`
                : "Nothing is published yet. The first proof comes within the hour, or once the mining day is credited."}
            </EmptyState>
          )}
        </Panel>
      )}
      {days.length < 2 ? null : (
        <Panel title="Other days">
          <p className={layout.inline}>
            {days.map((day) => (
              <Link key={day} to={`?day=${day}`} preventScrollReset>
                {formatDay(day)}
              </Link>
            ))}
          </p>
        </Panel>
      )}
    </>
  );
}

type Found = NonNullable<Awaited<ReturnType<typeof findOwedProof>>>;
type PlaceProps = Found & {
  proof: NonNullable<Found["proof"]>;
  mark: Mark | null;
  contracts: Awaited<ReturnType<typeof listUnserved>>;
  isNewest: boolean;
};

function Place({ proof, shown, day, mark, contracts, isNewest }: PlaceProps) {
  const { leaf, path } = proof;
  return (
    <>
      <Panel
        title={`What we owe you, by the proof of ${formatDay(leaf.day)}`}
        aside={<When at={day.publishedAt} />}
        flush
      >
        <DataTable
          label="Owed to you per coin"
          bare
          rows={coinsOf(leaf)}
          rowKey={(coin) => coin}
          columns={[
            { head: "Coin", names: true, cell: (coin) => coin },
            { head: "Balance", align: "right", cell: (coin) => of(leaf.balance, coin) },
            {
              head: "In contracts",
              align: "right",
              cell: (coin) => of(leaf.prepaid, coin),
            },
          ]}
        />
      </Panel>
      <Panel title="Check it">
        <CheckOwed key={leaf.day} proof={proof} shown={shown} isNewest={isNewest} />
        <p>
          <a href={`/account/proof.json?day=${leaf.day}`} download={`proof-${leaf.day}.json`}>
            The file with all fields and hashes
          </a>
          , for <a href="/check-owed.py">a script in Python</a> that does the same without our
          pages.
        </p>
      </Panel>
      {contracts.length === 0 ? null : (
        <Panel title="In contracts now" flush>
          <DataTable
            label="What is not served yet of each contract"
            bare
            rows={contracts}
            rowKey={({ id }) => id}
            columns={[
              {
                head: "Contract",
                names: true,
                cell: ({ id, plan }) => <Link to={`/account/mining/${id}`}>{plan}</Link>,
              },
              {
                head: "Price",
                align: "right",
                cell: ({ price, coin }) => <Amount units={price} asset={coin} />,
              },
              {
                head: "Not served yet",
                align: "right",
                cell: (contract) => <Amount units={contract.units} asset={contract.coin} />,
              },
            ]}
          />
        </Panel>
      )}
      <Panel title="Your place in the tree">
        <div className={layout.stack}>
          <p className={layout.note}>{placeWords(path.length, Number(day.leaves))}</p>
          {path.length === 0 ? null : (
            <DataTable
              label="What is added to your entry on the way to the sum of all"
              dense
              rows={path.map((sibling, step) => ({ ...sibling, step: step + 1 }))}
              rowKey={({ step }) => String(step)}
              columns={[
                { head: "Step", names: true, cell: ({ step }) => step },
                ...coinsOfPath(leaf, path).map((coin) => ({
                  head: coin,
                  align: "right" as const,
                  cell: (sibling: SumSibling) => of(sibling, coin),
                })),
              ]}
            />
          )}
        </div>
      </Panel>
      <Panel title="Numbers and hashes">
        <Facts
          facts={[
            { label: "Your account", code: leaf.customerId },
            { label: "Random number of your entry", code: leaf.nonce },
            { label: "Root of the tree", code: day.root },
            { label: `Published hash of ${formatDay(day.day)}`, code: day.digest },
            {
              label: "In Bitcoin",
              value: mark ? (
                <>
                  Block {mark.height.toLocaleString("en-US")}, transaction{" "}
                  <code className={layout.code}>{mark.txid}</code>
                </>
              ) : (
                "Not yet. The next batch that pays customers in Bitcoin carries it."
              ),
            },
          ]}
        />
      </Panel>
    </>
  );
}

const of = (sums: Record<Coin, string>, coin: Coin) => (
  <Amount units={BigInt(sums[coin])} asset={coin} bare />
);

/** Of whoever has nothing at all, all three. */
function coinsOf({ balance, prepaid }: OwedLeaf): Coin[] {
  const has = coins.filter((coin) => balance[coin] !== "0" || prepaid[coin] !== "0");
  return has.length === 0 ? [...coins] : has;
}

const coinsOfPath = (leaf: OwedLeaf, path: SumSibling[]): Coin[] =>
  coins.filter((coin) => coinsOf(leaf).includes(coin) || path.some((each) => each[coin] !== "0"));

function placeWords(steps: number, leaves: number): string {
  if (steps === 0) return "Yours is the only entry: its sums are those of the whole tree.";
  return `Your entry is added to another one, their sum to another sum, and after ${steps} ${steps === 1 ? "step" : "steps"} there is the sum of all ${leaves.toLocaleString("en-US")} entries. You see the sums that were added on the way, without names. The first is often what a single other customer has, who sees your sum in the same way: the amounts, not whose they are. The order changes every day.`;
}
