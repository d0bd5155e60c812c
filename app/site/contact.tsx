import { titled } from "#app/ui/page-title.ts";
import { TextPage } from "./text-page.tsx";

export const meta = titled("Contact");

export default function Contact() {
  return (
    <TextPage title="Contact" lead="How to reach the people behind the service.">
      <p>
        A form that reaches us, the operator's address and office hours will stand here. They are
        not published yet.
      </p>
    </TextPage>
  );
}
