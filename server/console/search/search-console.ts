import { may, type OperatorRole, type Permission } from "#core/permissions.ts";
import { containing } from "#server/platform/containing.ts";
import type { Db } from "#server/platform/database.ts";
import { and, type SQL, sql } from "#server/platform/sql.ts";
import { readWish, type Wish } from "./read-wish.ts";

interface KindFacts {
  group: string;
  reads: Permission;
  /** Where it is shown. `of`: whose it is. */
  to: (row: { id: string; of: string }) => string;
}

/** Everything that can be found, in the order of its groups. */
const kinds = {
  customer: {
    group: "Customers",
    reads: "customers/read",
    to: ({ id }) => `/operator/customers/${id}`,
  },
  depositAddress: {
    group: "Addresses",
    reads: "deposits/read",
    to: ({ of }) => `/operator/customers/${of}/deposits`,
  },
  bookAddress: {
    group: "Addresses",
    reads: "withdrawals/read",
    to: ({ of }) => `/operator/customers/${of}/withdrawals`,
  },
  ownAddress: { group: "Addresses", reads: "chain/read", to: () => "/operator/wallets" },
  deposit: {
    group: "Deposits",
    reads: "deposits/read",
    to: ({ id }) => `/operator/deposits/${id}`,
  },
  payment: {
    group: "Payments on chain",
    reads: "chain/read",
    to: ({ id }) => `/operator/chain/payments/${id}`,
  },
  withdrawal: {
    group: "Withdrawals",
    reads: "withdrawals/read",
    to: ({ id }) => `/operator/withdrawals/${id}`,
  },
  batch: {
    group: "Batches",
    reads: "withdrawals/read",
    to: ({ id }) => `/operator/withdrawals/batches/${id}`,
  },
  contract: {
    group: "Contracts",
    reads: "mining/read",
    to: ({ of }) => `/operator/customers/${of}/contracts`,
  },
  miningDay: {
    group: "Mining days",
    reads: "mining/read",
    to: ({ id }) => `/operator/mining/${id}`,
  },
  payout: { group: "Payouts", reads: "payouts/read", to: ({ id }) => `/operator/payouts/${id}` },
  plan: { group: "Plans", reads: "plans/read", to: ({ id }) => `/operator/plans/${id}` },
  adjustment: {
    group: "Adjustments",
    reads: "adjustments/read",
    to: ({ id }) => `/operator/adjustments/${id}`,
  },
  count: {
    group: "Wallet counts",
    reads: "reconciliation/read",
    to: ({ id }) => `/operator/reconciliation/${id}`,
  },
  transfer: {
    group: "Ledger",
    reads: "customers/read",
    to: ({ of }) => `/operator/customers/${of}/ledger`,
  },
  kyc: {
    group: "Identity checks",
    reads: "kyc/read",
    to: ({ id }) => `/operator/verification/${id}`,
  },
  message: {
    group: "Messages",
    reads: "contact/read",
    to: ({ id }) => `/operator/messages/${id}`,
  },
  mail: { group: "E-mails", reads: "mail/list", to: ({ id }) => `/operator/mail/${id}` },
  member: { group: "Staff", reads: "staff/read", to: ({ id }) => `/operator/staff/${id}` },
  act: {
    group: "Audit log",
    reads: "audit/read",
    to: ({ of }) => `/operator/audit?after=${Number(of) + 1}`,
  },
} as const satisfies Record<string, KindFacts>;

type Kind = keyof typeof kinds;

export interface Found {
  group: string;
  kind: string;
  id: string;
  title: string;
  detail: string;
  to: string;
}

/** More of one kind are in its list. */
export const mostFound = 10;

/**
 * Finds what a text names, as far as a role may read it: ids, transaction ids, addresses and references exactly, customers, staff and
 * plans by parts of their names. Each is found by an index, and what may not be read is not asked for. Seeing customers here is as
 * seeing them in their list: no act.
 */
export async function searchConsole(
  db: Db,
  { text, role }: { text: string; role: OperatorRole },
): Promise<Found[]> {
  const statement = searchStatement(readWish(text), role);
  if (!statement) return [];
  const { rows } = await db.execute<Row>(statement);
  const order = Object.keys(kinds);
  const found = rows.map(({ kind, id, title, detail, of }) => {
    const { group, to } = kinds[kind];
    return { group, kind, id, title, detail, to: to({ id, of }) };
  });
  return found.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

type Row = Record<"id" | "title" | "detail" | "of", string> & { kind: Kind };

/** The one statement that a search is; null: there is nothing to ask. */
export function searchStatement(wish: Wish, role: OperatorRole): SQL | null {
  const parts = [
    ...byId(wish),
    ...byTxid(wish),
    ...byAddress(wish),
    ...byName(wish),
    ...byOtherNames(wish),
  ].filter(([kind]) => may(role, kinds[kind].reads));
  if (parts.length === 0) return null;
  return sql.join(
    parts.map(([, part]) => part),
    sql` union all `,
  );
}

type Part = [kind: Kind, part: SQL];

interface Columns {
  id: SQL;
  title: SQL;
  detail: SQL;
  /** Whose it is; nothing for what has a page of its own. */
  of?: SQL;
}

function part(kind: Kind, { id, title, detail, of = sql`''` }: Columns, rows: SQL): Part {
  const name = sql.raw(`'${kind}'`);
  const most = sql.raw(String(mostFound));
  return [
    kind,
    sql`(select ${name} as kind, ${id}::text as id, ${title}::text as title, ${detail}::text as detail, ${of}::text as of
           from ${rows} limit ${most})`,
  ];
}

const deposit = {
  id: sql`d.id`,
  title: sql`u.name`,
  detail: sql`concat_ws(', ', d.method, d.state)`,
};
const withdrawal = {
  id: sql`w.id`,
  title: sql`u.name`,
  detail: sql`concat_ws(', ', w.asset, w.state)`,
};
const batch = {
  id: sql`b.id`,
  title: sql`concat('Batch of ', b.day)`,
  detail: sql`concat_ws(', ', b.chain, b.state)`,
};
const payout = {
  id: sql`p.id`,
  title: sql`concat_ws(', ', o.name, p.day)`,
  detail: sql`p.state`,
};
const payment = {
  id: sql`p.id`,
  title: sql`concat_ws(' ', p.asset, 'to', p.address)`,
  detail: sql`concat_ws(', ', p.state, p.seen_at::date)`,
};
const adjustment = {
  id: sql`a.id`,
  title: sql`a.reason`,
  detail: sql`concat_ws(', ', a.kind, a.asset, a.state)`,
};
const customer = { id: sql`u.id`, title: sql`u.name`, detail: sql`u.email` };
const message = {
  id: sql`t.id`,
  title: sql`t.subject`,
  detail: sql`concat_ws(', ', t.sender_name, t.state)`,
};
const act = {
  id: sql`l.id`,
  title: sql`l.act`,
  detail: sql`concat_ws(', ', l.subject, l.occurred_at::date)`,
  of: sql`l.position`,
};

function byId({ id }: Wish): Part[] {
  if (!id) return [];
  return [
    part("customer", customer, sql`users u where u.id = ${id} and u.kind = 'customer'`),
    part("member", customer, sql`users u where u.id = ${id} and u.kind = 'operator'`),
    part(
      "deposit",
      deposit,
      sql`deposits d join users u on u.id = d.customer_id where d.id = ${id}`,
    ),
    part(
      "withdrawal",
      withdrawal,
      sql`withdrawals w join users u on u.id = w.customer_id where w.id = ${id}`,
    ),
    part("batch", batch, sql`withdrawal_batches b where b.id = ${id}`),
    part(
      "contract",
      {
        id: sql`c.id`,
        title: sql`v.name`,
        of: sql`c.customer_id`,
        detail: sql`concat_ws(', ', u.name, c.starts_on)`,
      },
      sql`contracts c join plan_versions v on v.id = c.plan_version_id join users u on u.id = c.customer_id where c.id = ${id}`,
    ),
    part("payout", payout, sql`pool_payouts p join pools o on o.id = p.pool_id where p.id = ${id}`),
    part("payment", payment, sql`chain_payments p where p.id = ${id}`),
    part("adjustment", adjustment, sql`adjustments a where a.id = ${id}`),
    part(
      "count",
      {
        id: sql`c.id`,
        title: sql`concat('Count of ', c.asset)`,
        detail: sql`concat_ws(', ', c.as_of::date, c.state)`,
      },
      sql`custody_counts c where c.id = ${id}`,
    ),
    part(
      "plan",
      {
        id: sql`v.id`,
        title: sql`v.name`,
        detail: sql`concat_ws(', ', 'version ' || v.version, v.state)`,
      },
      sql`plan_versions v where v.id = ${id}`,
    ),
    part(
      "kyc",
      { id: sql`v.id`, title: sql`v.legal_name`, detail: sql`v.state` },
      sql`kyc_submissions v where v.id = ${id}`,
    ),
    part("message", message, sql`contact_threads t where t.id = ${id}`),
    part(
      "mail",
      { id: sql`m.id`, title: sql`m.subject`, detail: sql`concat_ws(', ', m.recipient, m.state)` },
      // By state, as the index has it.
      sql`mails m where m.id = ${id} and m.state in ('queued', 'sent', 'failed')`,
    ),
    part(
      "transfer",
      {
        id: sql`k.id`,
        title: sql`k.kind`,
        of: sql`t.owner_id`,
        detail: sql`concat_ws(', ', u.name, t.day)`,
      },
      sql`ledger_keys k join ledger_transfers t on t.number = k.number join users u on u.id = t.owner_id where k.id = ${id}`,
    ),
    part("act", act, sql`audit_log l where l.id = ${id}`),
  ];
}

function byTxid({ txids }: Wish): Part[] {
  if (txids.length === 0) return [];
  const is = sql`= any (${sql.param(txids)}::text[])`;
  return [
    part(
      "deposit",
      deposit,
      sql`deposits d join users u on u.id = d.customer_id where d.txid ${is}`,
    ),
    part(
      "payment",
      payment,
      sql`chain_payments p where p.chain in ('bitcoin', 'ethereum') and p.txid ${is}`,
    ),
    part(
      "batch",
      batch,
      sql`withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id where v.txid ${is}`,
    ),
    part(
      "withdrawal",
      withdrawal,
      sql`withdrawal_transactions t join withdrawals w on w.id = t.withdrawal_id join users u on u.id = w.customer_id where t.txid ${is}`,
    ),
    part("payout", payout, sql`pool_payouts p join pools o on o.id = p.pool_id where p.txid ${is}`),
    part("adjustment", adjustment, sql`adjustments a where a.txid ${is}`),
  ];
}

function byAddress({ addresses }: Wish): Part[] {
  if (addresses.length === 0) return [];
  const is = sql`= any (${sql.param(addresses)}::text[])`;
  return [
    part(
      "depositAddress",
      { id: sql`a.address`, title: sql`u.name`, detail: sql`'deposit address'`, of: sql`u.id` },
      sql`deposit_addresses a join users u on u.id = a.customer_id where a.address ${is}`,
    ),
    part(
      "bookAddress",
      {
        id: sql`a.id`,
        title: sql`u.name`,
        of: sql`u.id`,
        detail: sql`concat_ws(', ', 'withdrawal address', a.label)`,
      },
      sql`withdrawal_addresses a join users u on u.id = a.customer_id where a.address ${is}`,
    ),
    part(
      "ownAddress",
      { id: sql`a.address`, title: sql`'Your own'`, detail: sql`'address of a wallet'` },
      sql`wallet_addresses a where a.purpose = 'own' and a.address ${is}`,
    ),
    part(
      "withdrawal",
      withdrawal,
      sql`withdrawals w join users u on u.id = w.customer_id where w.address ${is} order by w.requested_at desc`,
    ),
    part("payment", payment, sql`chain_payments p where p.address ${is} order by p.seen_at desc`),
  ];
}

/** Customers and staff by parts of name and e-mail: every word, by the index of trigrams. */
function byName({ words }: Wish): Part[] {
  if (words.length === 0) return [];
  const all = and(...words.map((word) => containing(word, sql`(u.name || ' ' || u.email)`)));
  return [
    part("customer", customer, sql`users u where u.kind = 'customer' and ${all}`),
    part("member", customer, sql`users u where u.kind = 'operator' and ${all}`),
  ];
}

function byOtherNames({ reference, email, position, day, words }: Wish): Part[] {
  const parts: Part[] = [];
  if (reference) {
    parts.push(part("message", message, sql`contact_threads t where t.reference = ${reference}`));
  }
  if (email) {
    const sender = sql`contact_threads t where t.sender_email = ${email} order by t.last_at desc`;
    parts.push(part("message", message, sender));
  }
  if (position) parts.push(part("act", act, sql`audit_log l where l.position = ${position}`));
  if (day) {
    const run = { id: sql`r.day`, title: sql`r.day`, detail: sql`r.state` };
    parts.push(
      part("miningDay", run, sql`mining_runs r where r.day = ${day}`),
      part(
        "payout",
        payout,
        sql`pool_payouts p join pools o on o.id = p.pool_id where p.day = ${day} order by o.name`,
      ),
      part(
        "batch",
        batch,
        sql`withdrawal_batches b where b.formed_at >= ${day}::timestamp at time zone 'UTC'
        and b.formed_at < (${day}::date + 1)::timestamp at time zone 'UTC' order by b.formed_at desc`,
      ),
    );
  }
  if (words.length > 0) {
    // Plans are few.
    const all = and(...words.map((word) => containing(word, sql`v.name`)));
    const plan = {
      id: sql`v.id`,
      title: sql`v.name`,
      detail: sql`concat_ws(', ', 'version ' || v.version, v.state)`,
    };
    parts.push(part("plan", plan, sql`plan_versions v where ${all} order by v.created_at desc`));
  }
  return parts;
}
