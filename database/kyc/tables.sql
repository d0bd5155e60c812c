create table residence_statements (
  id uuid primary key, customer_id uuid not null references customers,
  country text not null constraint countries_are_written_in_two_letters check (country ~ '^[A-Z]{2}$'), stated_at timestamptz not null
);
create index residence_statements_of_a_customer on residence_statements (customer_id, stated_at desc, id desc);

create table kyc_drafts (
  customer_id uuid primary key references customers, updated_at timestamptz not null,
  legal_name text constraint legal_names_are_said check (length(legal_name) between 1 and 200), date_of_birth date,
  address_line text constraint addresses_are_short check (length(address_line) between 1 and 200),
  address_line_2 text constraint second_lines_are_short check (length(address_line_2) between 1 and 200),
  postal_code text constraint postal_codes_are_short check (length(postal_code) between 1 and 20),
  city text constraint cities_are_short check (length(city) between 1 and 100),
  region text constraint regions_are_short check (length(region) between 1 and 100),
  details_saved_at timestamptz, -- Null: to be said, or to be said again after it was declined.
  identity_expires_on date, identity_kind text
    constraint drafts_name_a_known_document check (identity_kind in ('passport', 'identity-card', 'driving-licence', 'residence-permit')),
  second_proof text constraint drafts_name_a_known_second_proof check (second_proof in ('selfie', 'proof-of-address'))
);

create table kyc_documents (
  id uuid primary key, customer_id uuid not null references customers, purpose text not null
    constraint documents_have_a_known_purpose check (purpose in ('identity-front', 'identity-back', 'selfie', 'proof-of-address')),
  file_key text collate "C" not null constraint one_document_per_file unique,
  media_type text not null constraint documents_are_pictures_or_pdfs check (media_type in ('image/jpeg', 'application/pdf')),
  byte_size integer not null constraint documents_are_not_empty check (byte_size > 0), -- As it was before it was encrypted.
  original_name text not null constraint names_of_documents_are_short check (length(original_name) <= 200),
  key_id text constraint keys_have_names check (key_id ~ '^[A-Za-z0-9_-]{1,40}$'), -- The key outside the database that wraps this one.
  wrapped_key bytea constraint wrapped_keys_have_60_bytes check (length(wrapped_key) = 60), created_at timestamptz not null,
  stored_at timestamptz, -- Null: the file is on its way.
  replaced_at timestamptz, -- Another took its place, or it was declined.
  erasing_at timestamptz, -- The key is destroyed, so the file cannot be read any more; the file itself is being deleted.
  erased_at timestamptz,
  constraint documents_have_a_key_until_they_are_erased
    check ((wrapped_key is null) = (erasing_at is not null) and (wrapped_key is null) = (key_id is null)),
  constraint names_go_with_their_documents check (erasing_at is null or original_name = ''),
  constraint erasing_comes_before_erased check (erased_at is null or erasing_at is not null),
  constraint a_document_and_its_owner unique (id, customer_id)
);
create unique index one_current_document_per_purpose on kyc_documents (customer_id, purpose)
  where stored_at is not null and replaced_at is null and erasing_at is null;
create index kyc_documents_of_a_customer on kyc_documents (customer_id, created_at);
create index kyc_documents_that_exist on kyc_documents (created_at) where erased_at is null;

create table kyc_submissions (
  id uuid primary key, customer_id uuid not null references customers,
  legal_name text not null constraint names_are_said check (length(trim(legal_name)) between 1 and 200), date_of_birth date not null,
  country text not null constraint nobody_is_verified_in_the_united_states check (country <> all ('{US,AS,GU,MP,PR,UM,VI}')),
  address_line text not null constraint addresses_are_said check (length(trim(address_line)) between 1 and 200),
  address_line_2 text, postal_code text, city text not null constraint cities_are_said check (length(trim(city)) between 1 and 100),
  region text, identity_expires_on date, identity_kind text not null constraint submissions_name_a_known_document
    check (identity_kind in ('passport', 'identity-card', 'driving-licence', 'residence-permit')),
  second_proof text not null constraint submissions_name_a_known_second_proof check (second_proof in ('selfie', 'proof-of-address')),
  submitted_at timestamptz not null, state text not null default 'submitted'
    constraint submissions_are_in_a_known_state check (state in ('submitted', 'approved', 'declined', 'expired')),
  -- Why two verifiers must approve; null: one is enough.
  second_review_reason text constraint reasons_for_a_second_review_are_said check (length(trim(second_review_reason)) between 1 and 500),
  second_review_act uuid references audit_log, -- Null where the rule of the configuration asked for it.
  decided_at timestamptz, valid_until timestamptz, expired_at timestamptz,
  constraint only_adults_are_verified check (date_of_birth <= ((submitted_at at time zone 'UTC')::date - interval '18 years')),
  constraint documents_are_valid_when_they_are_submitted
    check (identity_expires_on is null or identity_expires_on >= (submitted_at at time zone 'UTC')::date),
  constraint decisions_have_a_time check ((state = 'submitted') = (decided_at is null)),
  constraint approvals_end check ((state in ('approved', 'expired')) = (valid_until is not null)),
  constraint expiries_have_a_time check ((state = 'expired') = (expired_at is not null)),
  constraint acts_have_a_reason check (second_review_act is null or second_review_reason is not null),
  constraint a_submission_and_its_owner unique (id, customer_id)
);
create unique index one_waiting_submission_per_customer on kyc_submissions (customer_id) where state = 'submitted';
create unique index one_approval_per_customer on kyc_submissions (customer_id) where state = 'approved';
create index kyc_submissions_of_a_customer on kyc_submissions (customer_id, submitted_at desc);
create index kyc_submissions_that_wait on kyc_submissions (submitted_at, id) where state = 'submitted';
create index kyc_submissions_by_end on kyc_submissions (valid_until) where state = 'approved';
create index kyc_submissions_decided on kyc_submissions (decided_at desc) where decided_at is not null;

create table kyc_submission_documents (
  submission_id uuid, document_id uuid, customer_id uuid not null, primary key (submission_id, document_id),
  constraint documents_are_of_who_submits_them foreign key (document_id, customer_id) references kyc_documents (id, customer_id),
  constraint documents_are_submitted_by_their_owner
    foreign key (submission_id, customer_id) references kyc_submissions (id, customer_id)
);
create index kyc_submissions_of_a_document on kyc_submission_documents (document_id);

create table kyc_reviews (
  id uuid primary key, submission_id uuid not null references kyc_submissions, operator_id uuid not null references operators,
  verdict text not null constraint verdicts_are_yes_or_no check (verdict in ('approve', 'decline')),
  -- [{ "item": …, "yes": true|false, "note": … }]
  checklist jsonb not null constraint checklists_are_lists check (jsonb_typeof(checklist) = 'array'),
  act_id uuid not null constraint one_kyc_review_per_act unique references audit_log, reviewed_at timestamptz not null,
  constraint one_review_per_verifier unique (submission_id, operator_id)
);
comment on column kyc_reviews.checklist is 'ts: CheckedItem[] from #server/kyc/checklist.ts';

-- Read by the customer.
create table kyc_decline_reasons (
  review_id uuid references kyc_reviews, part text constraint declined_parts_are_known
    check (part in ('personal-details', 'identity-front', 'identity-back', 'selfie', 'proof-of-address')),
  reason text not null constraint reasons_are_said_to_the_customer check (length(trim(reason)) between 1 and 500),
  primary key (review_id, part)
);
