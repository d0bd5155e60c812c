import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { WatchLink } from "#app/ui/figures/watch-link.tsx";
import { Day, When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import phone from "#app/ui/tables/phone-columns.module.css";
import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { findWallet } from "#server/chain/wallets/find-wallet.ts";
import { isDerived } from "#server/chain/wallets/foreign-address.ts";
import { listFreeAddresses } from "#server/payouts/list-free-addresses.ts";
import {
  listPoolAddresses,
  listPoolCoins,
  type PoolCoin,
} from "#server/payouts/list-pool-coins.ts";
import { listPoolCover } from "#server/payouts/list-pool-cover.ts";
import { listPools } from "#server/payouts/list-pools.ts";
import { nameAddress } from "#server/payouts/name-address.ts";
import { setWatchUrl } from "#server/payouts/set-watch-url.ts";
import type { Config } from "#server/platform/config.ts";
import type { Db } from "#server/platform/database.ts";
import { ShortTxid } from "../chain/short-txid.tsx";
import { ActForm, type FormAnswer } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { CasePage } from "../parts/case-page.tsx";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Folded } from "../parts/folded.tsx";
import { OnlyShown } from "../parts/only-shown.tsx";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/pool";
import { addressSchema, watchSchema } from "./payout-schema.ts";

export const middleware = guard("payouts/read", {
  address: "payouts/name-address",
  watch: "payouts/set-watch-url",
});
export const shouldRevalidate = readAfterConflict;

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [{ title: `${loaderData?.pool.name ?? "Pool"} · ${matches[0].loaderData.siteName}` }];
}

const mostCoins = 50;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config } = consoleOf(context);
  const pool = await readPool(db, params.poolId);
  const [addresses, coins, [cover], next] = await Promise.all([
    listPoolAddresses(db, pool.id),
    listPoolCoins(db, pool.id, mostCoins),
    listPoolCover(db, pool.id),
    findNext(db, config),
  ]);
  return { pool, addresses, coins, cover: found(cover), next };
}

async function readPool(db: Db, poolId: string) {
  const pools = isUuid(poolId) ? await listPools(db) : [];
  return found(pools.find(({ id }) => id === poolId));
}

/** The next address of the operator's own that a pool can pay to, as the configured key gives it; or why there is none. */
async function findNext(
  db: Db,
  { wallets: { bitcoin: key } }: Config,
): Promise<{ address: string; path: string } | "no-wallet" | "customers-alone" | "none-left"> {
  const wallet = key && (await findWallet(db, key));
  if (!key || !wallet?.comparedAt) return "no-wallet";
  if (key.customerBranch === 0) return "customers-alone";
  const [next] = await listFreeAddresses(db, wallet.id, 1);
  if (!next || !isDerived(key, next)) return "none-left";
  return { address: next.address, path: `/${next.branch}/${next.derivationIndex}` };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const { id: poolId } = await readPool(db, params.poolId);
  const key = config.wallets.bitcoin;
  const done = { to: `/operator/payouts/pools/${poolId}`, say: "payouts-saved" } as const;
  const form = await request.formData();
  if (form.get("intent") === "watch") {
    return answerAct(form, watchSchema, async ({ url }) => {
      await setWatchUrl(db, operator, { poolId, url: url ?? null }, now());
      return done;
    });
  }
  return answerAct(form, addressSchema, async ({ address }) => {
    if (!key) throw new Refusal("payouts/address-of-another-wallet");
    await nameAddress(db, operator, { poolId, address, key }, now());
    return done;
  });
}

export default function PoolPage({ loaderData, actionData }: Route.ComponentProps) {
  const { pool, addresses, coins, cover, next } = loaderData;
  const lacks = cover.covered - cover.seen;
  const may = useMay();
  return (
    <CasePage
      title={pool.name}
      description="What your own node saw at the pool's addresses."
      queue="/operator/payouts/pools"
    >
      <div className={layout.factsFirst}>
        <div className={layout.stack}>
          <Panel title="Pool">
            <Facts
              facts={[
                { label: "Counts from", value: <Day day={pool.countsFrom} /> },
                {
                  label: "Until",
                  value: pool.countsUntil ? <Day day={pool.countsUntil} /> : "goes on",
                },
                {
                  label: "Its own page, for customers",
                  value: pool.watchUrl ? <WatchLink url={pool.watchUrl} /> : "not named",
                },
                addresses.length > 0 && {
                  label: "Coins that count",
                  value:
                    cover.coins === 0 ? (
                      "None yet"
                    ) : (
                      <>
                        <Amount units={cover.seen} asset="BTC" />, in {cover.coins}
                      </>
                    ),
                },
                addresses.length > 0 && {
                  label: "Payouts that they cover",
                  value: <Amount units={cover.covered} asset="BTC" />,
                },
                lacks !== 0n && {
                  label: lacks > 0n ? "Missing" : "Not explained by a payout",
                  value: <Amount units={lacks > 0n ? lacks : -lacks} asset="BTC" />,
                },
              ]}
            />
            {may("payouts/set-watch-url") ? (
              <Folded title="Name its page" open={actionData?.form === "watch"}>
                <WatchForm url={pool.watchUrl} answer={actionData} />
              </Folded>
            ) : null}
          </Panel>
          {lacks > 0n ? (
            <Notice tone="warning" title="Coins are missing">
              Or two people said that one is not the pool's. No payout is undone by that. The next
              ones wait until coins cover all again, and receipts of the newest days say that their
              coins are missing.
            </Notice>
          ) : null}
          <Addresses pool={pool} addresses={addresses} next={next} answer={actionData} />
        </div>
        <div className={layout.stack}>
          {addresses.length === 0 ? (
            <EmptyState>
              The pool has no address yet, so no coin of it can be seen: its payouts rest on what
              people say.
            </EmptyState>
          ) : (
            <Panel title="Coins" flush>
              <Coins coins={coins} />
              <OnlyShown rows={coins.length} most={mostCoins} which="newest" />
            </Panel>
          )}
        </div>
      </div>
    </CasePage>
  );
}

function WatchForm({ url, answer }: { url: string | null; answer: FormAnswer | undefined }) {
  return (
    <ActForm
      intent="watch"
      rules={async () => (await import("./payout-schema.ts")).watchSchema}
      answer={answer}
      defaults={{ url: url ?? "" }}
      button="Show this page in public"
      pendingText="Saving…"
      tone="plain"
    >
      {(form) => (
        <TextField
          label="Read-only page at the pool"
          description="A link that shows hashrate and payouts to anyone, as pools offer it for observers. The page Daily proof leads to it. Empty: none."
          inputMode="url"
          {...form.field("url")}
        />
      )}
    </ActForm>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function Addresses({
  pool,
  addresses,
  next,
  answer,
}: Pick<Loaded, "pool" | "addresses" | "next"> & { answer: FormAnswer | undefined }) {
  return (
    <Panel title={addresses.length > 1 ? "Its addresses" : "Its address"}>
      {addresses.map(({ address, createdAt, branch, derivationIndex }) => (
        <Facts
          key={address}
          facts={[
            { label: "Address", value: <CopyField text={address} label="address" /> },
            { label: "In the wallet", code: `/${branch}/${derivationIndex}` },
            { label: "Since", value: createdAt },
          ]}
        />
      ))}
      {pool.countsUntil ? null : addresses.length === 0 ? (
        <NameAddress next={next} answer={answer} />
      ) : (
        <Folded key={addresses.length} title="Name another one">
          <NameAddress next={next} answer={answer} />
        </Folded>
      )}
    </Panel>
  );
}

const reasons = {
  "no-wallet": "No Bitcoin wallet is open: set DEPOSIT_WALLET_BITCOIN, and open it under Wallets.",
  "customers-alone":
    "The wallet's account is for customers alone (DEPOSIT_BRANCH_BITCOIN=0), so you have no address of your own in it.",
  "none-left":
    "All addresses that are watched ahead are used or named. The next ones come with the first payment to one of them.",
};

function NameAddress({ next, answer }: { next: Loaded["next"]; answer: FormAnswer | undefined }) {
  const may = useMay();
  if (!may("payouts/name-address")) return null;
  if (typeof next === "string") return <Notice tone="warning" title={reasons[next]} />;
  return (
    <ActForm
      intent="address"
      answer={answer}
      hidden={{ address: next.address }}
      button="Name this address for good"
      pendingText="Naming…"
    >
      {() => (
        <>
          <Facts
            facts={[
              {
                label: "Next of yours",
                value: <CopyField text={next.address} label="next address" />,
              },
              { label: "In the wallet", code: next.path },
            ]}
          />
          <p>
            Read it in the wallet as well, name it here, then set it at the pool. What arrives there
            from outside is the pool's income from then on.
          </p>
        </>
      )}
    </ActForm>
  );
}

function Coins({ coins }: { coins: PoolCoin[] }) {
  if (coins.length === 0) return <EmptyState>Nothing has arrived yet.</EmptyState>;
  return (
    <ConsoleTable
      label="Coins at the pool's addresses, newest first"
      bare
      rows={coins}
      columns={[
        {
          head: "Transaction",
          to: ({ id }) => `/operator/chain/payments/${id}`,
          cell: ({ txid, outputIndex }) => <ShortTxid txid={txid} output={outputIndex} />,
          second: ({ seenAt }) => <When at={seenAt} />,
        },
        { head: "Amount", value: "units", format: "btc" },
        { head: "Block", value: "blockHeight", kind: "number", className: phone.wide },
        { head: "State", cell: (coin) => <CoinState coin={coin} /> },
      ]}
    />
  );
}

function CoinState({
  coin: { state, counts, fromOwn, confirmations, needed },
}: {
  coin: PoolCoin;
}) {
  if (counts) return <StatusBadge status="Counts" tone="good" />;
  if (fromOwn) return <StatusBadge status="Your own coins" tone="plain" />;
  if (state === "seen") return <StatusBadge status="Waits for a block" tone="waiting" />;
  if (state === "mined" && confirmations < needed)
    return <StatusBadge status={`${confirmations} of ${needed} blocks`} tone="waiting" />;
  if (state === "mined") return <StatusBadge status="Too small, or set aside" tone="plain" />;
  return <StatusBadge status={state === "dropped" ? "Replaced" : "Left the chain"} tone="bad" />;
}
