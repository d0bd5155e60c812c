import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { partNames } from "#core/people/kyc.ts";
import type { Review } from "#server/kyc/list-reviews.ts";
import styles from "./case.module.css";

/** What verifiers said, with their notes. It cannot be changed. */
export function ReviewsPanel({ reviews }: { reviews: Review[] }) {
  return (
    <Panel title="Decisions" flush>
      <ul className={layout.plain}>
        {reviews.map((review) => (
          <li key={review.id} className={styles.review}>
            <div className={layout.inline}>
              <StatusBadge
                status={review.verdict === "approve" ? "approved" : "declined"}
                tone={review.verdict === "approve" ? "good" : "bad"}
              />
              {review.operatorName}, <When at={review.reviewedAt} />
            </div>
            {review.reasons.map(({ part, reason }) => (
              <p key={part} className={styles.said}>
                {partNames[part]}: {reason}
              </p>
            ))}
            {review.checklist
              .filter(({ note }) => note !== "")
              .map(({ item, yes, note }) => (
                <p key={item} className={styles.muted}>
                  {item.replaceAll("-", " ")}, {yes ? "yes" : "no"}: {note}
                </p>
              ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
