import { expect, test } from "vitest";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { forgotPasswordForm, resetPasswordForm, signInForm, signUpForm } from "./forms.ts";

const valid = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  password: "longenough",
  confirmPassword: "longenough",
  acceptedTerms: "on",
};

function check(schema: typeof signUpForm, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const submission = parseForm(form, { schema });
  return submission.status === "success" ? submission.value : submission.error;
}

test("accepts a complete registration, trimmed", () => {
  expect(check(signUpForm, { ...valid, firstName: " Ada ", email: " ada@example.com " })).toEqual({
    ...valid,
    acceptedTerms: true,
  });
});

test.each([
  ["firstName", "", "please enter your first name"],
  ["firstName", "   ", "please enter your first name"],
  [
    "firstName",
    "Ada\nYour account is closed, call us",
    "A name has letters, spaces, and . ' - only",
  ],
  ["firstName", "Ada\u202Emoc", "A name has letters, spaces, and . ' - only"],
  ["firstName", "Win at https://evil.example", "A name has letters, spaces, and . ' - only"],
  ["lastName", "", "please enter your last name"],
  ["lastName", "www.evil.example", "A name has letters, and a space after each dot"],
  ["email", "", "please enter a valid email"],
  ["email", "ada", "Invalid email format"],
  ["email", "ada@example.com, eve@example.com", "Invalid email format"],
  ["password", "", "please enter a password"],
  ["password", "short12", "Password is too short - should be 8 chars minimum."],
  ["confirmPassword", "", "please confirm your password"],
  ["confirmPassword", "different1", "Passwords must match"],
  ["acceptedTerms", "", "You must accept the terms and conditions"],
  ["phoneNumber", "abc", "That doesn't look like a phone number"],
  ["phoneNumber", "-5", "A phone number can't start with a minus"],
  ["phoneNumber", "5.5", "A phone number can't include a decimal point"],
])("says of %s %j: %s", (name, value, message) => {
  expect(check(signUpForm, { ...valid, [name]: value })).toMatchObject({ [name]: [message] });
});

test.each(["Anne-Marie", "O’Neil", "St. John", "Jean\u00a0Luc", "محمد", "می\u200cنا", "李", "Ðợ"])(
  "takes %s as a name",
  (firstName) => {
    expect(check(signUpForm, { ...valid, firstName })).toMatchObject({ firstName });
  },
);

test("compares the passwords while another field is still wrong", () => {
  expect(check(signUpForm, { ...valid, firstName: "", confirmPassword: "different1" })).toEqual({
    firstName: ["please enter your first name"],
    confirmPassword: ["Passwords must match"],
  });
});

test("has the same rules for signing in and for resetting", () => {
  const signIn = check(signInForm as never, { email: "ada", password: "short12" });
  expect(signIn).toEqual({
    email: ["Invalid email format"],
    password: ["Password is too short - should be 8 chars minimum."],
  });
  expect(check(forgotPasswordForm as never, {})).toEqual({ email: ["please enter a valid email"] });
  const reset = check(resetPasswordForm as never, {
    password: "longenough",
    confirmPassword: "other",
  });
  expect(reset).toEqual({ confirmPassword: ["Passwords must match"] });
});
