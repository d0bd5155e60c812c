import type { Coin } from "#core/asset.ts";
import type { AdjustmentKind } from "#core/payments/adjustments.ts";
import { auditDetail } from "#server/adjustments/adjustment.ts";
import type { AuditCheck } from "#server/identity/audit/verify-audit-log.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/**
 * Holds what was approved against what became of it: the audit row's figures, which a passkey has signed, beside those of the payout, the
 * adjustment, the batch, what was said of a payment or a lost batch, the deposit, the withdrawal, and the member of staff. One state of all
 * of them is read.
 */
export function verifyApprovedDocuments(db: Db): Promise<AuditCheck[]> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      const found = [
        ["payouts are as they were confirmed", await findPayout(tx)],
        ["own money is as it was approved", await findAdjustment(tx)],
        ["batches are as they were ordered", await findVersion(tx)],
        [
          "resolutions on payments and lost batches are as they were confirmed",
          await findResolution(tx),
        ],
        ["deposits are as staff approved them", await findDeposit(tx)],
        ["withdrawals are as they were approved", await findWithdrawal(tx)],
        ["staff are what the acts on them say", await findStaff(tx)],
      ] as const;
      return found.map(([claim, fault]) => ({
        claim,
        holds: fault === null,
        detail: fault ?? "each has its act, with the same figures",
      }));
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** A payout that a second person confirmed, or that one entered alone. */
async function findPayout(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select p.id from pool_payouts p join audit_log a on a.id = p.decision_action_id
     where p.state = 'recorded' and (p.decision_action_id <> p.proposal_action_id or a.act <> 'payouts/import')
       and (a.act <> case p.decision_action_id when p.proposal_action_id then 'payouts/enter' else 'payouts/confirm' end
         or a.subject <> 'payout:' || p.id
         or (a.detail ->> 'btc')::numeric * 100000000 is distinct from p.units
         or (a.detail ->> 'deliveredThs')::numeric * 1000 is distinct from p.delivered_ghs
         or a.detail ->> 'day' is distinct from p.day::text
         or a.detail ->> 'corrects' is distinct from p.corrects::text
         or a.detail ? 'txid' and (a.detail ->> 'txid', a.detail ->> 'poolId') is distinct from (p.txid, p.pool_id::text))
     order by p.decided_at, p.id limit 1`);
  return rows[0] ? `the payout ${rows[0].id} is not the one that was confirmed` : null;
}

interface ApprovedRow extends Record<string, unknown> {
  id: string;
  kind: AdjustmentKind;
  asset: Coin;
  units: string;
  feeUnits: string | null;
  reason: string;
  txid: string | null;
  reverses: string | null;
  /** The act is one of approving this adjustment, by who is said to have approved it. */
  isItsAct: boolean;
  said: Record<string, unknown>;
}

async function findAdjustment(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<ApprovedRow>(sql`
    select d.id, d.kind, d.asset, d.units::text as units, d.fee_units::text as "feeUnits", d.reason, d.txid, d.reverses,
           a.detail as said,
           a.act = 'adjustments/approve' and a.subject = 'adjustment:' || d.id and a.operator_id = d.decided_by
             and a.customer_id is not distinct from d.customer_id as "isItsAct"
      from adjustments d join audit_log a on a.id = d.decided_by_act
     where d.state = 'approved' order by d.decided_at, d.id`);
  const wrong = rows.find(({ units, feeUnits, isItsAct, said, ...row }) => {
    const amounts = { units: BigInt(units), feeUnits: feeUnits === null ? null : BigInt(feeUnits) };
    const due = Object.entries(auditDetail({ ...row, ...amounts }));
    return !isItsAct || due.some(([name, value]) => (said[name] ?? null) !== value);
  });
  return wrong ? `the adjustment ${wrong.id} is not the one that was approved` : null;
}

/** A version of a batch whose broadcast was ordered. */
async function findVersion(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ batch: string; number: number }>(sql`
    select v.batch_id as batch, v.number
      from withdrawal_batch_versions v left join audit_log a on a.id = v.ordered_by_act
     where v.ordered_at is not null
       and (a.act is distinct from 'withdrawals/order-broadcast' or a.subject <> 'withdrawal-batch:' || v.batch_id
         or a.operator_id is distinct from v.ordered_by
         or (a.detail ->> 'version')::int is distinct from v.number
         or a.detail ->> 'txid' is distinct from v.txid
         or (a.detail ->> 'payments')::int is distinct from cardinality(v.pays)
         or a.detail ->> 'sha256OfTransactions' is distinct from (
              select encode(sha256(convert_to(string_agg(t.txid, E'\\n' order by t.txid), 'UTF8')), 'hex')
                from withdrawal_transactions t where t.version_id = v.id))
     order by v.ordered_at, v.id limit 1`);
  const [first] = rows;
  return first
    ? `version ${first.number} of the batch ${first.batch} is not the one that was ordered to be sent`
    : null;
}

/** What two people said of payments that arrived, of a deposit approved by mistake, of payments that left, or of a batch that cannot be mined any more. */
async function findResolution(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ what: string }>(sql`
    select 'the resolution ' || r.id as what
      from payment_resolutions r left join audit_log a on a.id = r.decided_by_act
     cross join lateral (
       select count(*) as payments,
              encode(sha256(convert_to(string_agg(payment_id::text, E'\\n' order by payment_id), 'UTF8')), 'hex') as which
         from resolved_payments where resolution_id = r.id) resolved
      left join deposits d on d.id = r.deposit_id
     where r.state = 'confirmed'
       and (a.act is distinct from 'deposits/confirm-resolution' or a.subject <> 'payment-resolution:' || r.id
         or a.operator_id is distinct from r.decided_by
         or (a.detail ->> 'says', a.detail ->> 'reason') is distinct from (r.says, r.reason)
         or case when d.id is null
                 then (a.detail ->> 'payments')::int is distinct from resolved.payments
                   or a.detail ->> 'sha256OfPayments' is distinct from resolved.which
                 else (a.detail ->> 'depositId', a.detail ->> 'units', a.detail ->> 'txid', a.customer_id)
                      is distinct from (d.id::text, d.quantity_units::text, d.txid, d.customer_id) end)
    union all
    select 'the resolution ' || r.id
      from withdrawal_resolutions r left join audit_log a on a.id = r.decided_by_act
     where r.state = 'confirmed'
       and (a.act is distinct from 'withdrawals/confirm-resolution' or a.subject <> 'withdrawal:' || r.withdrawal_id
         or a.operator_id is distinct from r.decided_by
         or (a.detail ->> 'says', a.detail ->> 'txid', a.detail ->> 'reason') is distinct from (r.says, r.txid, r.reason))
    union all
    select 'the proposal ' || w.id
      from withdrawal_abandonments w left join audit_log a on a.id = w.decided_by_act
     where w.state = 'confirmed'
       and (a.act is distinct from 'withdrawals/confirm-abandonment' or a.subject <> 'withdrawal-batch:' || w.batch_id
         or a.operator_id is distinct from w.decided_by or a.detail ->> 'reason' is distinct from w.reason)
     limit 1`);
  return rows[0] ? `${rows[0].what} is not the one that was confirmed` : null;
}

/** A deposit that staff approved: what was credited, and by which transaction. Those that the watcher credits rest on the chain. */
async function findDeposit(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from deposits d left join audit_log a on a.id = d.review_action_id
     cross join lateral (
       select coin_of(d.method) as coin,
              case d.method when 'Bitcoin' then 8 when 'Ethereum' then 18 else 6 end as places) of_it
     where d.state = 'approved' and (d.payment_id is null or d.review_action_id is not null)
       and (a.act is null or a.act not in ('deposits/approve', 'deposits/confirm-approval') or a.subject <> 'deposit:' || d.id or a.customer_id is distinct from d.customer_id
         or split_part(a.detail ->> 'quantity', ' ', 2) is distinct from of_it.coin
         or split_part(a.detail ->> 'quantity', ' ', 1)::numeric * power(10::numeric, of_it.places) is distinct from d.quantity_units
         or a.detail ->> 'txid' is distinct from d.txid
         or (a.detail ->> 'output')::int is distinct from d.output_index
         or (a.detail ->> 'approvedUsd')::numeric * 100 is distinct from d.usd_cents)
     order by d.reviewed_at, d.id limit 1`);
  return rows[0] ? `the deposit ${rows[0].id} is not the one that was approved` : null;
}

/** A withdrawal that staff approved: to which address, and how much. */
async function findWithdrawal(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select w.id from withdrawals w left join audit_log a on a.id = w.approved_by_act
     where w.approved_at is not null
       and (a.act is distinct from 'withdrawals/approve' or a.subject <> 'withdrawal:' || w.id
         or a.operator_id is distinct from w.approved_by or a.customer_id is distinct from w.customer_id
         or a.detail ->> 'address' is distinct from w.address
         or split_part(a.detail ->> 'amount', ' ', 2) is distinct from w.asset
         or split_part(a.detail ->> 'amount', ' ', 1)::numeric
            * power(10::numeric, case w.asset when 'BTC' then 8 when 'ETH' then 18 else 6 end) is distinct from w.units)
     order by w.approved_at, w.id limit 1`);
  return rows[0] ? `the withdrawal ${rows[0].id} is not the one that was approved` : null;
}

/**
 * Whoever is staff: role and state follow from the act that let them in and from every one on them since, and their row names the
 * last. An invitation that the server mails once more changes nothing.
 */
async function findStaff(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select o.id from operators o
      left join audit_log made on made.id = o.created_by_act
      left join lateral (
        select (array_agg(a.id order by a.position desc))[1] as id,
               (array_agg(a.detail ->> 'role' order by a.position desc) filter (where a.act = 'identity/change-role'))[1] as role,
               (array_agg(a.act order by a.position desc) filter (where a.act <> 'identity/change-role'))[1] as act,
               min(a.position) as first
          from audit_log a
         where a.subject = 'operator:' || o.id
           and a.act in ('identity/suspend-operator', 'identity/reinstate-operator', 'identity/change-role')) since on true
     where made.act is distinct from 'identity/invite-operator' or made.subject <> 'operator:' || o.id or made.position > since.first
        or o.role is distinct from coalesce(since.role, made.detail ->> 'role')
        or o.state is distinct from case since.act when 'identity/suspend-operator' then 'suspended' else 'active' end
        or o.changed_by_act is distinct from since.id
     order by o.created_at, o.id limit 1`);
  return rows[0] ? `the operator ${rows[0].id} is not what the acts on them say` : null;
}
