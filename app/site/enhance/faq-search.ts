import { countFound, findMatches } from "#core/text/faq-search.ts";

/** Searches the questions while a reader types, and opens the one that the address names. */
export function enhanceFaqSearch(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>("form[data-faq-search]");
  const field = form?.querySelector<HTMLInputElement>("input[name=q]");
  if (!form || !field) return;
  const questions = [...root.querySelectorAll<HTMLDetailsElement>("details[data-question]")];
  const groups = [...root.querySelectorAll<HTMLElement>("[data-faq-group]")];
  const status = root.querySelector<HTMLElement>("[data-faq-found]");

  const search = () => {
    const wanted = field.value.trim();
    const found = findMatches(questions.map(wordsOf), wanted);
    for (const [at, question] of questions.entries()) question.hidden = !found.places.includes(at);
    for (const group of groups) {
      group.hidden = !group.querySelector("details[data-question]:not([hidden])");
    }
    if (status) status.textContent = wanted === "" ? "" : countFound(found, questions.length);
    const address = wanted === "" ? "/faq" : `/faq?${new URLSearchParams({ q: wanted })}`;
    history.replaceState(history.state, "", address);
  };
  field.addEventListener("input", search);
  form.addEventListener("submit", (event) => {
    // Another button takes the words elsewhere.
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    search();
  });

  const openNamed = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const question = named?.closest<HTMLDetailsElement>("details[data-question]");
    if (!question) return;
    question.hidden = false;
    const group = question.closest<HTMLElement>("[data-faq-group]");
    if (group) group.hidden = false;
    question.open = true;
    question.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", openNamed);
  if (location.hash !== "") openNamed();
}

/** What the question says, without the link to itself, and the words that find it besides. */
function wordsOf(question: HTMLDetailsElement): string {
  const parts = [...question.querySelectorAll("summary, p, li")];
  const words = parts.map(({ textContent }) => textContent ?? "");
  return [...words, question.dataset["question"] ?? ""].join("\n");
}
