import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { MaintenanceNotice } from "./notice.ts";

/** Writes the mail that tells a customer what the maintenance of running contracts will cost, or that it stays. */
export function maintenanceMail(
  site: Site,
  firstName: string,
  notice: MaintenanceNotice,
): RenderedMail {
  const { planName, effectiveFrom, ghs, usdMicros, beforeUsdMicros, reason } = notice;
  const isWithdrawn = notice.kind === "maintenance-change-withdrawn";
  const before = perThsAndDay(beforeUsdMicros);
  const after = perThsAndDay(usdMicros);
  const facts: Array<[string, string]> = [
    ["Plan", planName],
    ["Your hashrate under it", formatHashrate(ghs)],
    ["Until then", before],
    [isWithdrawn ? "Was announced" : `From ${effectiveFrom}, 00:00 UTC`, after],
  ];
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    subject: isWithdrawn
      ? `The maintenance fee of ${planName} stays as it is`
      : `The maintenance fee of ${planName} changes on ${effectiveFrom}`,
    preview: isWithdrawn ? `It stays at ${before}.` : `From ${before} to ${after}.`,
    paragraphs: isWithdrawn
      ? [
          `The change that was announced for ${effectiveFrom} is taken back. The fee stays at ${before}.`,
        ]
      : [
          `From ${effectiveFrom} (UTC) on, the maintenance fee of your contracts under this plan is ${after}. Until then nothing changes. The reason:`,
          reason,
        ],
    facts,
    action: { label: "See your contracts", url: `${site.appUrl}/account/mining` },
  });
}

function perThsAndDay(usdMicros: bigint): string {
  return `$${writeDecimal(usdMicros, 6)} per TH/s and day`;
}
