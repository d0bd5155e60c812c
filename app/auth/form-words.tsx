import { Notice } from "#app/ui/page/notice.tsx";
import { aroundContactPage, contactPage } from "./contact-page.ts";

interface FormWordsProps {
  errors: readonly string[];
  /** Why it was not looked at yet, when nothing is wrong with it. */
  warning?: string | null;
}

/** What is wrong with a form as a whole. There also when nothing is: a script may have something to say. */
export function FormWords({ errors, warning = null }: FormWordsProps) {
  return (
    <div data-wrong>
      {warning ? (
        <Notice tone="warning" role="alert">
          {warning}
        </Notice>
      ) : null}
      {errors.length > 0 ? (
        <Notice tone="error">
          <Words text={errors.join(" ")} />
        </Notice>
      ) : null}
    </div>
  );
}

function Words({ text }: { text: string }) {
  const around = aroundContactPage(text);
  if (!around) return text;
  return (
    <>
      {around[0]}
      <a href={contactPage.href}>{contactPage.words}</a>
      {around[1]}
    </>
  );
}
