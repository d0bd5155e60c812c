import { Loader } from "@mantine/core";
import type { ReactNode } from "react";
import { FormAlert } from "#app/ui/form-fields.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Answer } from "./answer.ts";

/** What is wrong with the form as a whole. Without JavaScript it also says what the toast would. */
export function FormStatus({
  answer,
  errors,
  id,
}: {
  answer: Answer | undefined;
  errors: string[] | undefined;
  id: string;
}) {
  const hydrated = useHydrated();
  const toast = hydrated || !answer?.failure ? [] : [answer.failure];
  return <FormAlert errors={[...toast, ...(errors ?? [])]} id={id} />;
}

/** A button's words while its form is under way. */
export function Pending({ children }: { children: ReactNode }) {
  return (
    <>
      <Loader size={16} color="currentColor" aria-hidden="true" mr="xs" />
      {children}
    </>
  );
}
