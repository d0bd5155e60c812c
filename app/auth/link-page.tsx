import type { ComponentProps, ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { AuthCard } from "./auth-card.tsx";
import { FormWords } from "./form-words.tsx";

interface LinkPageProps {
  words: { title: string; lead: string };
  problem: string | null | undefined;
  /** Where else to go. */
  links: ReactNode;
  children: ReactNode;
}

/** What became of a link, or one button for it: programs that read e-mail open links, too. */
export function LinkPage({ words, problem, links, children }: LinkPageProps) {
  return (
    <AuthCard title={words.title} lead={words.lead} links={links}>
      <FormWords errors={problem ? [problem] : []} />
      {children}
    </AuthCard>
  );
}

export function LinkButton(props: ComponentProps<typeof Button>) {
  return (
    <Form method="post">
      <Button type="submit" wide {...props} />
    </Form>
  );
}
