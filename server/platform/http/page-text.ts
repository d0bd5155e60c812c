/**
 * A page's text on its way through the router, beside its answer: of an answer with a body the router asks the body, for which
 * Node makes a stream of the text, and the server bytes of the stream again: a twentieth of a page's work.
 * It is the answer's own property: what a WeakMap gives outlives its key, until V8 has thrown away what is young once more.
 */
const pageText = Symbol("text of the page");

interface PageAnswer extends Response {
  [pageText]?: string;
}

/** The answer, without its text. */
export function beside(text: string, init: ResponseInit): Response {
  const answer: PageAnswer = new Response(null, init);
  answer[pageText] = text;
  return answer;
}

/** The answer that the router gave, with its text when it has one. */
export function withText(answer: PageAnswer): Response {
  const text = answer[pageText];
  if (text === undefined) return answer;
  return new Response(text, { status: answer.status, headers: answer.headers });
}
