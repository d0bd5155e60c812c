/** How the states of staff look. */
export const staffTones = { active: "good", invited: "waiting", suspended: "bad" } as const;
