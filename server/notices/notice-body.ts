import { amountInWords, formatUsdMicros } from "#core/money.ts";
import { formatDay } from "#core/utc-day.ts";
import type { Notice } from "./notice.ts";

/**
 * What a notice says in the account, where it is read for years: words that stay true when its days are past. Null: it says
 * what its mail's preview says.
 */
export function noticeBody(notice: Notice): string | null {
  switch (notice.kind) {
    case "contract-bought":
      return `First day ${formatDay(notice.startsOn)}, planned last day ${formatDay(notice.plannedLastDay)} (UTC).`;
    case "contract-ending":
      return `Its last day: ${formatDay(notice.lastDay)} (UTC). You can order again from its page.`;
    case "contract-ended":
      return `Its last day was ${formatDay(notice.lastDay)} (UTC).`;
    case "deposit-received":
      return "Received, for review by our staff.";
    case "deposit-approved":
    case "deposit-credited":
      return `${amountInWords(notice.units, notice.asset)} was credited to your balance.`;
    case "mining-digest":
      return `After maintenance: ${signed(notice.creditSats - notice.feeSats)}.`;
    case "maintenance-change":
      return `${aDay(notice.toUsdMicros)} from ${formatDay(notice.effectiveFrom)}, ${aDay(notice.fromUsdMicros)} until then.`;
    default:
      return null;
  }
}

/** With the sign of mathematics, as on every page. */
function signed(sats: bigint): string {
  return amountInWords(sats, "BTC").replace(/^-/, "−");
}

function aDay(usdMicros: bigint): string {
  return `${formatUsdMicros(usdMicros, 4)} per TH/s per day`;
}
