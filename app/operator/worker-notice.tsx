import { When } from "#app/ui/figures/when.tsx";
import { Notice } from "#app/ui/page/notice.tsx";

/** Said on every page of the console: what a worker would have asked and done is as it was when it stopped. */
export function WorkerNotice({ seenAt }: { seenAt: Date | null }) {
  return (
    <Notice tone="warning" title="No worker is running">
      {seenAt ? (
        <>
          The last one was seen on <When at={seenAt} />, and pages show what was known then.
        </>
      ) : (
        "None has run yet."
      )}{" "}
      Until one runs, chains, exchanges and pools are not asked, customers get no mail, and no day
      is credited.
    </Notice>
  );
}
