create table content_pieces (
  id uuid primary key, kind text not null constraint pieces_are_of_a_known_kind check (kind in ('company', 'faq', 'announcement')),
  slug text not null -- Its name in addresses. Links lead there, so it never changes.
    constraint slugs_are_lower_case_words check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80 and slug <> 'new'),
  position integer not null default 0, -- The order of FAQ entries.
  created_at timestamptz not null, created_by_act uuid not null references audit_log, moved_by_act uuid references audit_log,
  constraint there_is_one_company check (kind <> 'company' or slug = 'company'),
  constraint one_piece_per_slug unique (kind, slug), constraint pieces_keep_their_kind unique (id, kind)
);
create table content_versions (
  piece_id uuid, kind text not null, version integer constraint versions_count_from_one check (version >= 1),
  state text not null constraint versions_are_drafts_published_or_withdrawn check (state in ('draft', 'published', 'withdrawn')),
  body jsonb not null constraint bodies_are_objects check (jsonb_typeof(body) = 'object'),
  act_id uuid not null constraint one_version_per_act unique references audit_log, created_at timestamptz not null,
  constraint faq_entries_have_question_and_answer check (kind <> 'faq'
    or length(trim(coalesce(body ->> 'question', ''))) between 1 and 300
       and length(trim(coalesce(body ->> 'answer', ''))) between 1 and 8000),
  constraint announcements_have_title_text_and_time check (kind <> 'announcement'
    or length(trim(coalesce(body ->> 'title', ''))) between 1 and 200
       and length(trim(coalesce(body ->> 'text', ''))) between 1 and 8000 and body ? 'publishedAt'),
  primary key (piece_id, version),
  constraint versions_belong_to_a_piece_of_their_kind foreign key (piece_id, kind) references content_pieces (id, kind)
);
create index content_versions_that_count on content_versions (kind, piece_id, version desc) where state <> 'draft';
create table testimonials (
  id uuid primary key, customer_id uuid not null references customers,
  -- What the operator asks, or proposes from what the customer wrote elsewhere.
  invitation text not null default '' constraint invitations_are_short check (length(invitation) <= 1000),
  invited_at timestamptz not null, invited_by_act uuid not null constraint one_invitation_per_act unique references audit_log,
  -- The customer declines; the operator withdraws the invitation, and a consent ends with it.
  declined_at timestamptz, withdrawn_at timestamptz, withdrawn_by_act uuid references audit_log,
  published_consent_id uuid, published_at timestamptz,
  published_by_act uuid references audit_log, unpublished_by_act uuid references audit_log,
  contract_id uuid, -- The customer's contract, whose result is shown with the words.
  constraint withdrawals_of_invitations_are_acts check ((withdrawn_at is null) = (withdrawn_by_act is null)),
  constraint publications_are_acts_on_a_consent
    check ((published_consent_id is null) = (published_at is null) and (published_consent_id is null or published_by_act is not null)),
  constraint what_is_withdrawn_or_declined_is_not_shown check (published_consent_id is null or num_nonnulls(withdrawn_at, declined_at) = 0),
  constraint testimonials_keep_their_customer unique (id, customer_id)
);
create unique index one_open_invitation_per_customer on testimonials (customer_id) where withdrawn_at is null and declined_at is null;
create index testimonials_that_are_shown on testimonials (published_at desc) where published_consent_id is not null;
-- The exact words that a customer agreed to, and when they withdrew that. Words are never rewritten.
create table testimonial_consents (
  id uuid primary key, testimonial_id uuid not null, customer_id uuid not null,
  words text not null constraint words_have_20_to_600_characters check (length(trim(words)) between 20 and 600),
  shown_name text not null constraint shown_names_are_short check (length(trim(shown_name)) between 1 and 120),
  role text not null default '' constraint roles_are_short check (length(role) <= 80),
  image text not null constraint images_are_initials_or_none check (image in ('initials', 'none')),
  agreed_at timestamptz not null, ended_at timestamptz,
  ended_by text constraint consents_end_by_revoking_or_rewriting check (ended_by in ('revoked', 'rewritten')),
  constraint consents_end_in_one_way check ((ended_at is null) = (ended_by is null)),
  constraint consents_of_a_testimonial unique (id, testimonial_id),
  constraint consents_are_the_customers_own foreign key (testimonial_id, customer_id) references testimonials (id, customer_id)
);
create unique index one_consent_at_a_time on testimonial_consents (testimonial_id) where ended_at is null;
alter table testimonials add constraint what_is_shown_was_agreed_to
  foreign key (published_consent_id, id) references testimonial_consents (id, testimonial_id);
