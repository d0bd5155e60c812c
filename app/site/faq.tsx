import { titled } from "#app/ui/page-title.ts";
import { TextPage } from "./text-page.tsx";

export const meta = titled("FAQ");

export default function Faq() {
  return (
    <TextPage title="FAQ" lead="Questions that are asked often, with answers that are exact.">
      <p>
        The questions about contracts, fees and withdrawals will stand here with the functions they
        are about, so that no answer promises what does not exist yet.
      </p>
    </TextPage>
  );
}
