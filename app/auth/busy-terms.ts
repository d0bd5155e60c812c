/** So long waits who cannot solve a task, counted from the first answer. */
export const busyTerms = { waitSeconds: 10 } as const;

const wait = `${busyTerms.waitSeconds} seconds`;

/** What a form says that was not looked at. Without a script a password has to be typed again. */
export const busyWords = {
  scripted: `The site is very busy. Nothing was checked yet. Please try again in ${wait}.`,
  plain: `The site is very busy. Nothing was checked yet. Wait ${wait}, then send the form again.`,
  password: `The site is very busy. Nothing was checked yet. Wait ${wait} and type your password again, then send the form again.`,
} as const;

/** What a form says whose facts cannot be looked up: the database is away, or no web process answers. */
export const awayWords =
  "Part of the site is not available right now. This has nothing to do with what you typed. Please try again in a few minutes.";
