import { preparedSql } from "#server/platform/database/prepared.ts";
import type { Db } from "#server/platform/database.ts";
import { type SQL, sql } from "#server/platform/sql.ts";
import { countsDue } from "#server/reconciliation/counts-due.ts";
import { isDueAt } from "#server/withdrawals/batches/form-batch.ts";
import { mostCounted, toWork, type Work, type WorkKind } from "./work.ts";

const at = sql`${sql.placeholder("now")}::timestamptz`;
const everybodyMay = sql`'{}'::uuid[]`;

/**
 * One row for each thing that waits: since when, and who has had a say in it, so that others decide. Each condition has an index
 * that holds only what waits, so that it costs the same however much was done before, and no more than a badge shows is read.
 */
const waiting: SQL[] = [
  of(
    "deposits",
    sql`created_at`,
    sql`deposits d where state = 'pending'`,
    sql`array(select p.proposed_by from deposit_approvals p where p.deposit_id = d.id and p.state = 'open' and another_person_decides(p.proposed_by))`,
  ),
  of("withdrawals", sql`confirmed_at`, sql`withdrawals where state = 'confirmed'`),
  of(
    sql`case when r.id is null then 'paymentExceptions' else 'paymentExceptionResolutions' end`,
    sql`coalesce(r.proposed_at, w.requested_at)`,
    sql`withdrawals w join withdrawal_payments p on p.withdrawal_id = w.id
        left join withdrawal_resolutions r on r.withdrawal_id = w.id and r.state = 'open'
       where w.state in ('batched', 'broadcast') and p.fault is not null and p.ended_at is null`,
    sql`array_remove(array[r.proposed_by], null)`,
  ),
  batchDue(sql`${isDueAt("bitcoin", at)}`),
  batchDue(sql`${isDueAt("ethereum", at)} and not exists (
    select from withdrawal_batches b where b.chain = 'ethereum' and b.state in ('formed', 'broadcast'))`),
  of(
    sql`case when v.signed_at is null then 'batchesToSign' else 'batchesToSend' end`,
    sql`coalesce(v.signed_at, v.made_at)`,
    sql`withdrawal_batches b
        cross join lateral (select * from withdrawal_batch_versions v where v.batch_id = b.id order by v.number desc limit 1) v
       where b.state in ('formed', 'broadcast') and v.ordered_at is null and b.mined_hash is null
         and not exists (select from withdrawal_abandonments a where a.batch_id = b.id and a.state <> 'declined')`,
    sql`case when v.signed_at is not null and b.needs_two then array[b.formed_by, v.made_by] else ${everybodyMay} end`,
  ),
  proposed(
    "batchEndings",
    sql`withdrawal_abandonments a join withdrawal_batches b on b.id = a.batch_id
       where a.state = 'open' and b.ended_at is null`,
  ),
  proposed("adjustments", sql`adjustments where state = 'open'`),
  proposed("counts", sql`custody_counts where state = 'open'`),
  of("countsDue", sql`since`, sql`${countsDue(at)} due`),
  of(
    "differences",
    sql`h.recorded_at`,
    sql`custody_holdings h where h.units <> h.custody_units
         and not exists (select from custody_explanations e where e.holding_id = h.id)`,
  ),
  proposed("resolutions", sql`payment_resolutions where state = 'open'`),
  // One line of the list for each customer, coin and reason.
  of(
    "refusedPayments",
    sql`min(p.seen_at)`,
    sql`chain_payments p join deposit_addresses a on a.address = p.address
       where p.counts <> (p.settled_at is not null) and p.counts and p.refusals > 0
       group by p.asset, p.refusal, a.customer_id`,
  ),
  of("orphanedDeposits", sql`orphaned_at`, sql`deposits where state = 'orphaned'`),
  of(
    "reorgs",
    sql`s.since`,
    sql`chain_sources s where s.health = 'reorg-too-deep'
         and not exists (select from chain_deep_reorgs d where d.chain = s.chain and d.state in ('open', 'confirmed'))`,
  ),
  proposed("reorgFindings", sql`chain_deep_reorgs where state = 'open'`),
  of("arrivals", sql`seen_at`, sql`arrivals_to_record()`),
  of("setApart", sql`failed_at`, sql`mining_customers_apart`),
  of(
    sql`case when p.proposal_action_id is null then 'payoutsToVouch' else 'payouts' end`,
    sql`p.proposed_at`,
    // What waits for nothing but coins is nobody's work for a week.
    sql`pool_payouts p where p.state = 'proposed'
         and (p.corrects is not null or p.proposed_at < ${at} - interval '7 days'
              or not exists (select from pool_addresses a where a.pool_id = p.pool_id and a.created_at <= p.proposed_at)
              or payout_hashrate_needs_two(who_proposed_payout(p), p.units, p.delivered_ghs, p.day))`,
    sql`array_remove(array[who_proposed_payout(p)], null)`,
  ),
  of(
    "payoutDifferences",
    sql`l.asked_at`,
    sql`pool_pulls l cross join lateral jsonb_array_elements(l.differences) each`,
  ),
  of(
    "verifications",
    sql`v.submitted_at`,
    sql`kyc_submissions v where v.state = 'submitted'`,
    sql`array(select r.operator_id from kyc_reviews r where r.submission_id = v.id order by 1)`,
  ),
  of("messages", sql`waiting_since`, sql`contact_threads where state = 'open'`),
  of(
    "staffChanges",
    sql`proposed_at`,
    sql`staff_changes where state = 'open' and expires_at > ${at}`,
    sql`array_remove(array[proposed_by, operator_id], null)`,
  ),
  of(
    "testimonials",
    sql`c.agreed_at`,
    sql`testimonials t join testimonial_consents c on c.testimonial_id = t.id and c.ended_at is null
       where t.published_consent_id is null and num_nonnulls(t.withdrawn_at, t.declined_at, t.unpublished_by_act) = 0`,
  ),
  of("mails", sql`created_at`, sql`mails where state = 'failed'`),
  of(
    "jobs",
    sql`updated_at`,
    sql`graphile_worker.jobs where attempts >= max_attempts and locked_at is null`,
  ),
];

/** Rows of one kind, at most as many as a badge counts; barred: who may not decide it, since they proposed it. */
function of(kind: WorkKind | SQL, since: SQL, rows: SQL, barred: SQL = everybodyMay): SQL {
  const name = typeof kind === "string" ? sql.raw(`'${kind}'`) : kind;
  const most = sql.raw(String(mostCounted));
  return sql`(select ${name} as kind, ${since} as since, ${barred} as barred, 1 as things from ${rows} order by since limit ${most})`;
}

/** What one person proposed and another decides. */
function proposed(kind: WorkKind, rows: SQL): SQL {
  return of(kind, sql`proposed_at`, rows, sql`array[proposed_by]`);
}

/** One row where anything of a chain is due, with how many payments that is. */
function batchDue(isDue: SQL): SQL {
  return sql`(select 'batchesDue', min(due_on)::timestamp at time zone 'UTC', ${everybodyMay}, count(*)::int
    from withdrawals where ${isDue} having count(*) > 0)`;
}

/** What waits of one kind, by who may not decide it: as many rows as there are such sets of people. */
const select = preparedSql<{
  kind: WorkKind;
  barred: string[];
  count: number;
  things: number;
  oldestAt: string;
}>(
  "console_work",
  sql`select kind, barred::text[] as barred, count(*)::int as count, sum(things)::int as things, min(since)::text as "oldestAt"
        from (${sql.join(waiting, sql` union all `)}) waiting group by kind, barred`,
);

/** Everything that waits for a person of the staff, in one statement: what badges, the page Today and the morning's mail say. */
export async function listWork(db: Db, now: Date): Promise<Work[]> {
  const rows = await select(db, { now: now.toISOString() });
  const parts = rows.map((row) => ({ ...row, oldestAt: new Date(row.oldestAt) }));
  return [...Map.groupBy(parts, ({ kind }) => kind)].map(([kind, each]) => toWork(kind, each));
}
