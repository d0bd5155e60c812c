import {
  acknowledgementMail,
  answeredMail,
  newMessageMail,
  replyMail,
} from "#server/contact/mails.ts";
import {
  addressWantedMail,
  agreeToLeaveMail,
  agreeToTakeMail,
  alreadyRegisteredMail,
  frozenMail,
  operatorInvitationMail,
  resetMail,
  securityMail,
  staffSuspendedMail,
  unfrozenMail,
  verificationMail,
  viewedMail,
} from "#server/identity/mails.ts";
import { approvedMail, declinedMail, expiredMail, receivedMail } from "#server/kyc/mails.ts";
import { alreadySubscribedMail, confirmationMail } from "#server/newsletter/mails.ts";
import { adjustmentMail } from "#server/notices/adjustment-mail.ts";
import { depositMail } from "#server/notices/deposit-mail.ts";
import { endingMail } from "#server/notices/ending-mail.ts";
import { miningMail } from "#server/notices/mining-mail.ts";
import type { Notice } from "#server/notices/notice.ts";
import { withdrawalMail } from "#server/notices/withdrawal-mail.ts";
import {
  closedMail,
  closingWaitsMail,
  exportReadyMail,
  reopenedMail,
} from "#server/personal-data/mails.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";
import { confirmMail } from "#server/withdrawals/mails.ts";
import { testSite as site } from "./customer.ts";

const id = "019a7f00-0000-7000-8000-000000000001";
const now = new Date("2026-11-24T00:40:00Z");
const firstName = "Ada";
const url = `${site.appUrl}/page?token=${"k3Jd9".repeat(9)}`;
const txid = "4f6c".repeat(16);
const address = "bcrt1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
const reason =
  "The slip shows another amount than the payment.\nPlease send the one of 12 November.";

const withdrawal = { withdrawalId: id, asset: "BTC", units: 975_000n, address } as const;
const deposit = { depositId: id, method: "Bitcoin", usdCents: 125_050n } as const;
const payment = {
  depositId: id,
  method: "Bitcoin",
  asset: "BTC",
  units: 2_843_126n,
  txid,
} as const;
const ended = { contractId: id, plan: "Start 30", lastDay: "2026-11-23", termDays: 30 } as const;
const clock = {
  kind: "maintenance-clock",
  clockId: id,
  plan: "Start 30",
  unpaidSats: 11_191n,
  expiresAt: "2026-11-27T00:40:00.000Z",
  termination: "refund-unserved",
} as const;
const change = {
  changeId: id,
  customerId: id,
  plan: "Start 30",
  fromUsdMicros: 52_000n,
  effectiveFrom: "2026-12-24",
  reason: "Our supplier of electricity raised its price.",
} as const;

const notices: Notice[] = [
  { kind: "deposit-received", ...deposit },
  { kind: "deposit-approved", ...deposit, asset: "ETH", units: 284_519_123_456_789_012n },
  { kind: "deposit-rejected", ...deposit, reason },
  { kind: "deposit-credited", ...payment, usdCents: 310_000n },
  { kind: "deposit-reversed", ...payment },
  { kind: "deposit-orphaned", ...payment, because: "mistake", reason },
  { kind: "withdrawal-sent", ...withdrawal, txid },
  { kind: "withdrawal-settled", ...withdrawal, txid },
  { kind: "withdrawal-rejected", ...withdrawal, reason },
  { kind: "withdrawal-expired", ...withdrawal },
  {
    kind: "withdrawal-held",
    ...withdrawal,
    holdId: id,
    reason,
    endsAt: "2026-11-26T09:05:00.000Z",
  },
  {
    kind: "adjustment-posted",
    adjustmentId: id,
    transferId: id,
    gift: "goodwill",
    asset: "BTC",
    units: 4_000n,
    reason: "Your payout came a day late.",
  },
  {
    kind: "adjustment-reversed",
    adjustmentId: id,
    transferId: id,
    asset: "BTC",
    units: 4_000n,
    reason: "It was credited twice.",
  },
  {
    kind: "contract-bought",
    contractId: id,
    plan: "Start 30",
    quantity: 60,
    ghs: 60_000n,
    startsOn: "2026-11-26",
    plannedLastDay: "2026-12-25",
    asset: "BTC",
    units: 99_123n,
    usdCents: 10_800n,
    coolingOffUntil: "2026-11-25T01:20:00.000Z",
    dailyFeeUsdMicros: 1_500_000n,
    dailyFeeSats: 1_377n,
    expected: {
      minedSatsPerDay: 1_916n,
      minedUsdMicrosPerDay: 2_088_000n,
      worstUsdMicros: -104_330_000n,
      bestUsdMicros: 12_800_000n,
    },
  },
  {
    kind: "contract-given-back",
    contractId: id,
    plan: "Start 30",
    quantity: 60,
    asset: "BTC",
    units: 99_123n,
  },
  { ...clock, nth: 1, missingSats: 11_191n, availableSats: 0n },
  { ...clock, nth: 3, missingSats: 0n, availableSats: 20_000n },
  {
    kind: "contract-ending",
    contractId: id,
    plan: "Start",
    slug: "start",
    quantity: 2,
    coin: "BTC",
    lastDay: "2026-11-30",
  },
  {
    kind: "maintenance-runway",
    customerId: id,
    threshold: 7,
    of: "one",
    days: 6,
    availableSats: 1_234n,
    missingSats: 56_789n,
    endsOn: "2026-11-30",
  },
  {
    kind: "contract-ended",
    ...ended,
    reason: "served",
    servedDays: 30,
    asset: "BTC",
    refundedUnits: 0n,
    forfeitedUnits: 0n,
  },
  {
    kind: "contract-ended",
    ...ended,
    reason: "unpaid-maintenance",
    servedDays: 12,
    asset: "BTC",
    refundedUnits: 59_000n,
    forfeitedUnits: 0n,
  },
  {
    kind: "inactivity-ahead",
    noticeId: id,
    inactiveSince: "2026-10-24",
    firstFeeDay: "2026-12-01",
  },
  {
    kind: "mining-digest",
    customerId: id,
    fromDay: "2026-11-16",
    throughDay: "2026-11-22",
    days: 7,
    creditSats: 22_477n,
    feeSats: 30_477n,
    creditUsdMicros: 25_120_000n,
    feeUsdMicros: 34_060_000n,
    creditSatsBefore: 23_220n,
    lastDays: [3_311n, 3_250n, 3_402n, 0n, 4_120n, 4_197n, 4_197n].map((creditSats, nth) => ({
      day: `2026-11-${16 + nth}`,
      creditSats,
    })),
  },
  { kind: "maintenance-change", ...change, toUsdMicros: 55_500n },
  { kind: "maintenance-change-withdrawn", ...change, toUsdMicros: 55_500n },
];

/** Every letter that somebody may get from us, with its name: with figures, reasons and links as long as they become. */
export const letters: Array<[name: string, mail: RenderedMail]> = [
  ...notices.map((notice, nth): [string, RenderedMail] => [
    `${notice.kind}-${nth}`,
    written(notice),
  ]),
  ["verification", verificationMail(site, { firstName, url })],
  ["reset", resetMail(site, { firstName, url })],
  ["account-frozen", frozenMail(site, { firstName, reason: "You asked us to." })],
  [
    "account-unfrozen",
    unfrozenMail(site, { firstName, isStaff: false, reason: "You showed us who you are." }),
  ],
  [
    "new-device",
    securityMail(site, {
      firstName,
      isStaff: false,
      url,
      now,
      news: {
        what: "new-device",
        sentence: "Someone signed in to your account with a new browser.",
        facts: [
          ["Browser", "Firefox on Linux"],
          ["Address", "2001:db8:85a3:8d3:1319:8a2e:370:7348"],
        ],
      },
    }),
  ],
  [
    "password-changed",
    securityMail(site, {
      firstName,
      isStaff: false,
      url,
      now,
      news: {
        what: "password-changed",
        sentence: "The password of your account was changed.",
      },
    }),
  ],
  [
    "account-viewed",
    viewedMail(site, { firstName, reason: "You asked where your deposit is.", from: now, to: now }),
  ],
  [
    "staff-suspended",
    staffSuspendedMail(site, {
      firstName,
      name: "Bob Boole",
      email: "bob@example.com",
      role: "owner",
      reason: "Lost a laptop",
    }),
  ],
  [
    "operator-invitation",
    operatorInvitationMail(site, { firstName, role: "support", invitedBy: "Olga Ohm", url }),
  ],
  ["already-registered", alreadyRegisteredMail(site, { firstName })],
  ["email-change-old", agreeToLeaveMail(site, { firstName, newEmail: "ada@example.org", url })],
  ["email-change-new", agreeToTakeMail(site, { url })],
  ["email-change-taken", addressWantedMail(site, { firstName })],
  ["kyc-received", receivedMail(site, firstName)],
  ["kyc-approved", approvedMail(site, firstName, { validUntil: now, documentDays: 30 })],
  ["kyc-declined", declinedMail(site, firstName, [{ part: "identity-front", reason }])],
  ["kyc-expired", expiredMail(site, firstName)],
  [
    "withdrawal-confirm",
    confirmMail(site, {
      firstName,
      asset: "BTC",
      address,
      label: "My wallet",
      units: 1_000_000n,
      feeUnits: 25_000n,
      dueOn: "2026-11-25",
      url,
    }),
  ],
  ["closing-waits", closingWaitsMail(site, { firstName })],
  ["account-closed", closedMail(site, { firstName, url, eraseAfter: now })],
  ["account-reopened", reopenedMail(site, { firstName })],
  ["data-export-ready", exportReadyMail(site, { firstName, expiresAt: now })],
  [
    "contact-acknowledgement",
    acknowledgementMail(site, { reference: "7F3K-2M9Q", createdAt: now }),
  ],
  [
    "contact-message",
    newMessageMail(site, {
      threadId: id,
      reference: "7F3K-2M9Q",
      senderName: "Ada Lovelace",
      senderEmail: "ada@example.com",
      subject: "A question about fees",
      body: "What does a month cost?\n\nAda",
      isCustomer: true,
      files: 2,
    }),
  ],
  [
    "contact-reply",
    replyMail(site, {
      reference: "7F3K-2M9Q",
      senderName: "Ada Lovelace",
      subject: "A question about fees",
      body: "It costs $0.025 per TH/s per day.\n\nThe calculator shows it for your own figures.",
      operatorName: "Olga",
      answerUrl: url,
    }),
  ],
  [
    "contact-answered",
    answeredMail(site, {
      firstName,
      threadId: id,
      reference: "7F3K-2M9Q",
      subject: "A question about fees",
    }),
  ],
  ["newsletter-confirmation", confirmationMail(site, url)],
  ["newsletter-already", alreadySubscribedMail(site, url)],
];

function written(notice: Notice): RenderedMail {
  if ("depositId" in notice) return depositMail(site, firstName, notice);
  if ("withdrawalId" in notice) return withdrawalMail(site, firstName, notice);
  if (notice.kind === "contract-ending") return endingMail(site, firstName, notice);
  if ("adjustmentId" in notice) return adjustmentMail(site, firstName, notice);
  return miningMail(site, firstName, notice);
}
