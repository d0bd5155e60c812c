import { titled } from "#app/ui/page-title.ts";
import { TextPage } from "./text-page.tsx";

export const meta = titled("About");

export default function About() {
  return (
    <TextPage title="About" lead="Who runs this service, from where, and how to check it.">
      <p>
        This page is still to be written by the operator. It will name the company behind the
        service, its address and registration, the people responsible, and the sites where the
        machines stand.
      </p>
      <p>
        What does not depend on words is already in place: balances come from a double-entry journal
        that takes no edits, and a figure that can be traced carries a stamp that opens its
        evidence.
      </p>
    </TextPage>
  );
}
