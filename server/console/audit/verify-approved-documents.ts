import type { AdjustmentKind } from "#core/adjustments.ts";
import type { Coin } from "#core/asset.ts";
import { auditDetail } from "#server/adjustments/adjustment.ts";
import type { AuditCheck } from "#server/identity/verify-audit-log.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/**
 * Holds what was approved against what became of it: the audit row's figures, which a passkey has signed, beside those of the
 * payout, the adjustment, the batch, what was said of a payment or a lost batch, and the member of staff. One state of all of
 * them is read.
 */
export function verifyApprovedDocuments(db: Db): Promise<AuditCheck[]> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      const found = [
        ["payouts are as they were confirmed", await findPayout(tx)],
        ["own money is as it was approved", await findAdjustment(tx)],
        ["batches are as they were ordered", await findVersion(tx)],
        ["rulings on payments and lost batches are as they were confirmed", await findRuling(tx)],
        ["staff are what the last act on them says", await findStaff(tx)],
      ] as const;
      return found.map(([claim, fault]) => ({
        ...{ claim, holds: fault === null },
        detail: fault ?? "each has its act, with the same figures",
      }));
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** A payout that a second person confirmed. */
async function findPayout(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select p.id from pool_payouts p join audit_log a on a.id = p.decision_action_id
     where p.state = 'recorded' and p.decision_action_id <> p.proposal_action_id
       and (a.act <> 'payouts/confirm' or a.subject <> 'payout:' || p.id
         or (a.detail ->> 'btc')::numeric * 100000000 is distinct from p.units
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
async function findRuling(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ what: string }>(sql`
    select 'the ruling ' || r.id as what
      from payment_rulings r left join audit_log a on a.id = r.decided_by_act
     cross join lateral (
       select count(*) as payments,
              encode(sha256(convert_to(string_agg(payment_id::text, E'\\n' order by payment_id), 'UTF8')), 'hex') as which
         from ruled_payments where ruling_id = r.id) ruled
      left join deposits d on d.id = r.deposit_id
     where r.state = 'confirmed'
       and (a.act is distinct from 'deposits/confirm-ruling' or a.subject <> 'payment-ruling:' || r.id
         or a.operator_id is distinct from r.decided_by
         or (a.detail ->> 'says', a.detail ->> 'reason') is distinct from (r.says, r.reason)
         or case when d.id is null
                 then (a.detail ->> 'payments')::int is distinct from ruled.payments
                   or a.detail ->> 'sha256OfPayments' is distinct from ruled.which
                 else (a.detail ->> 'depositId', a.detail ->> 'units', a.detail ->> 'txid', a.customer_id)
                      is distinct from (d.id::text, d.quantity_units::text, d.txid, d.customer_id) end)
    union all
    select 'the ruling ' || r.id
      from withdrawal_rulings r left join audit_log a on a.id = r.decided_by_act
     where r.state = 'confirmed'
       and (a.act is distinct from 'withdrawals/confirm-ruling' or a.subject <> 'withdrawal:' || r.withdrawal_id
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

/** Whoever is staff: the last act on them says this role and state. */
async function findStaff(tx: Tx): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select o.id from operators o
      join audit_log made on made.id = o.created_by_act left join audit_log changed on changed.id = o.changed_by_act
      cross join lateral (
        select a.act, a.detail ->> 'role' as role from audit_log a
         where a.subject = 'operator:' || o.id and a.act in ('identity/suspend-operator', 'identity/reinstate-operator', 'identity/change-role')
         order by a.position desc limit 1) last
     where made.act <> 'identity/invite-operator' or made.subject <> 'operator:' || o.id
        or changed.subject is distinct from 'operator:' || o.id
        or last.act = 'identity/change-role' and last.role is distinct from o.role
        or (last.act = 'identity/suspend-operator') is distinct from (o.state = 'suspended') and last.act <> 'identity/change-role'
    union all
    select o.id from operators o join audit_log made on made.id = o.created_by_act
     where o.changed_by_act is null
       and (made.act <> 'identity/invite-operator' or made.subject <> 'operator:' || o.id
         or made.detail ->> 'role' is distinct from o.role or o.state <> 'active')
     limit 1`);
  return rows[0] ? `the operator ${rows[0].id} is not what the last act on them says` : null;
}
