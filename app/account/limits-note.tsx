import { Link } from "react-router";
import { Notice } from "#app/ui/page/notice.tsx";
import { formatUsd } from "#core/money.ts";
import { type KycTier, tierLimits } from "#core/people/kyc-tiers.ts";

interface LimitsNoteProps {
  level: KycTier;
  /** What one is about to do: what limits it is said first. */
  about: "deposits" | "contracts";
}

/** What a customer cannot take out or buy before their identity is checked, said where they pay. */
export function LimitsNote({ level, about }: LimitsNoteProps) {
  if (level === "verified") return null;
  const { contractsUsdCents, withdrawalsUsdCents } = tierLimits.resident;
  const contracts = `contracts of at most ${formatUsd(contractsUsdCents ?? 0n)} running at the same time`;
  const withdrawals = `withdrawals of at most ${formatUsd(withdrawalsUsdCents ?? 0n)} within 30 days`;
  return (
    <Notice title="Until you are verified">
      You can have {about === "contracts" ? contracts : withdrawals}, and{" "}
      {about === "contracts" ? withdrawals : contracts}. Verified customers have no limit.{" "}
      <Link to="/account/verification">Verify your identity</Link>
    </Notice>
  );
}
